// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/clouds/cloudaccounts.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "app/ports/sourcekind.h"
#include "connectors/demo/fleet/demooptions.h"
#include "connectors/demo/fleet/demorandom.h"

#include <algorithm>
#include <array>

namespace gpuledger::demo {

using base::Money;
using base::Result;

namespace {

constexpr std::array<CloudAccount, 6> kAccounts{
    {{"azure", "azure", "Microsoft", "Virtual Machines", "/subscriptions/0a1b2c3d-1111-2222-3333-444455556666"},
     {"coreweave", "coreweave", "CoreWeave", "Instances (estimate)", "org-3f61", false},
     {"lambda", "lambda", "Lambda", "On-Demand Cloud (estimate)", "speech-lab"},
     {"runpod", "runpod", "RunPod", "Pods", "research-pods"},
     {"vastai", "vast.ai", "Vast.ai", "Instances", "284771"},
     {"nebius", "nebius", "Nebius", "Compute", "project-e00vision"}}};

// What has no telemetry. Those of the catalogue cost what it says; the others are plausible.
struct Rented {
    std::string_view account, id, scheme, type, region, gpuName;
    int gpus;
    std::int64_t nanosPerHour;
    std::string_view team;
    int sinceMonths;
};
constexpr std::array<Rented, 5> kRented{
    {{"azure",
      "/subscriptions/0a1b2c3d-1111-2222-3333-444455556666/resourcegroups/replay/providers/microsoft.compute/"
      "virtualmachines/lidar-replay",
      "azure://", "Standard_NC64as_T4_v3", "eastus", "T4", 4, 4'352'000'000, "robotics", 4},
     {"lambda", "0d2f8e5c7b6a4e1f9a3b5c7d9e1f3a5b", "lambda://us-east-1/", "gpu_8x_v100", "us-east-1", "V100 16GB", 8,
      6'320'000'000, "speech", 3},
     {"runpod", "k3v9x2pq7mz1ta", "runpod://", "1x NVIDIA A100-SXM4-80GB", "US-KS-2", "NVIDIA A100-SXM4-80GB", 1,
      1'890'000'000, "research", 0},
     {"vastai", "instance-28411907", "vastai://", "2x RTX 4090", "Sweden, SE", "RTX 4090", 2, 780'000'000, "", 5},
     {"nebius", "computeinstance-e00b7c1d9f3a5e7c", "nebius://", "gpu-h100-sxm_8gpu-128vcpu-1600gb", "eu-north1",
      "H100 SXM", 8, 23'600'000'000, "vision", 1}}};

// Hourly prices of the machines of NodeRole::Elsewhere, and since when they are rented.
struct ClusterPrice {
    std::string_view type;
    std::int64_t nanosPerHour;
    std::string_view gpuName;
    int sinceMonths;
};
constexpr std::array<ClusterPrice, 2> kClusterPrices{{{"Standard_NC96ads_A100_v4", 14'692'000'000, "A100 80GB", 4},
                                                      {"gd-8xh100ib-i128", 49'240'000'000, "H100 SXM", 2}}};

std::string idInBill(const std::string &providerId)
{
    const std::size_t colon = providerId.find("://");
    return colon == std::string::npos ? std::string() : providerId.substr(colon + 3);
}

CloudMachine clusterMachine(const PlannedNode &planned)
{
    const model::Node &node = planned.node;
    CloudMachine machine;
    machine.id = idInBill(node.providerId);
    machine.providerId = node.providerId;
    machine.hostName = node.name;
    machine.cluster = node.cluster;
    machine.type = node.instanceType;
    machine.region = node.region;
    machine.zone = node.zone;
    machine.gpus = planned.gpus;
    for (const ClusterPrice &price : kClusterPrices) {
        if (price.type != machine.type)
            continue;
        machine.nanosPerHour = price.nanosPerHour;
        machine.gpuName = price.gpuName;
        machine.sinceMonths = price.sinceMonths;
    }
    return machine;
}

// What an hour of the machine costs on a day, in 1e-9 US dollars.
std::int64_t hourPrice(const CloudAccount &account, const CloudMachine &machine, base::UtcTime day)
{
    if (account.word != "vastai")
        return machine.nanosPerHour;
    constexpr std::uint64_t kMarket = 0x76617374;
    constexpr double kLow = 900, kHigh = 1150; // thousandths
    constexpr std::int64_t kPeriod = 6; // days over which a market price varies
    const double share = kLow + (kHigh - kLow) * wander(kMarket, base::toUnix(day) / base::kDay.count(), kPeriod);
    return machine.nanosPerHour / 1000 * static_cast<std::int64_t>(share);
}

model::BillLine machineLine(const CloudAccount &account, const CloudMachine &machine, base::TimeRange day)
{
    constexpr int kHoursOfDay = 24;
    model::BillLine line;
    line.chargePeriod = day;
    line.product.provider = line.product.publisher = account.provider;
    line.product.serviceName = account.service;
    line.product.serviceCategory = "Compute";
    line.product.skuMeter = "GPU instance"; // see ledger::gpuTypeIn
    line.product.skuDetails["InstanceType"] = machine.type;
    line.product.skuDetails["GpuModel"] = machine.gpuName;
    line.product.skuDetails["GpuCount"] = std::to_string(machine.gpus);
    line.frequency = model::ChargeFrequency::UsageBased;
    line.pricing = model::PricingCategory::Standard;
    line.description = machine.type + ", " + machine.region;
    line.billed = line.effective = Money(hourPrice(account, machine, day.start) * kHoursOfDay, base::Currency::usd());
    line.list = line.billed;
    line.consumedQuantity = line.pricingQuantity = {
        base::Decimal::of(Money(kHoursOfDay * Money::kNanosPerUnit, base::Currency::usd())), "Hours"};
    if (account.listsMachines) {
        line.resource.id = machine.id;
        line.resource.type = "Virtual machine";
        line.resource.regionId = machine.region;
    } else {
        line.subAccountId = line.subAccountName = line.tags["cluster"] = machine.cluster;
        line.subAccountType = model::kClusterAccount;
    }
    if (!machine.team.empty())
        line.tags["team"] = machine.team;
    return line;
}

} // namespace

Result<std::pair<const CloudAccount *, Options>> accountOf(const model::SourceSettings &settings)
{
    model::SourceSettings rest = settings;
    const std::string word = rest.options["cloud"];
    rest.options.erase("cloud");
    rest.options.erase(std::string(ports::kMachinesKey)); // whether it is asked for them at all
    const auto options = optionsOf(rest);
    GPULEDGER_TRY(options);
    const auto account =
        std::find_if(kAccounts.begin(), kAccounts.end(), [&](const CloudAccount &one) { return one.word == word; });
    if (account == kAccounts.end())
        return base::fail(base::ErrorCode::InvalidConfig,
                          "demo source: the company has no account at \"" + base::printable(word, 32) + '"',
                          base::Remedy::UseDemoCloud);
    return std::pair(&*account, *options);
}

std::vector<CloudMachine> machinesAt(const CloudAccount &account, const FleetPlan &plan)
{
    std::vector<CloudMachine> machines;
    for (const PlannedNode &planned : plan.nodes) {
        if (planned.role == NodeRole::Elsewhere && planned.node.cloud == account.cloud)
            machines.push_back(clusterMachine(planned));
    }
    for (const Rented &one : kRented) {
        if (one.account != account.word)
            continue;
        CloudMachine machine;
        machine.id = one.id;
        machine.providerId = std::string(one.scheme) + machine.id;
        machine.type = one.type;
        machine.region = one.region;
        machine.gpuName = one.gpuName;
        machine.gpus = one.gpus;
        machine.nanosPerHour = one.nanosPerHour;
        machine.team = one.team;
        machine.sinceMonths = one.sinceMonths;
        machines.push_back(std::move(machine));
    }
    return machines;
}

std::vector<model::BillLine> cloudLines(const CloudAccount &account, const std::vector<CloudMachine> &machines,
                                        const BillMonth &bill)
{
    std::vector<model::BillLine> lines;
    for (base::UtcTime day = bill.month.start; day < bill.until; day += base::kDay) {
        for (const CloudMachine &machine : machines) {
            if (bill.monthsBefore > machine.sinceMonths)
                continue;
            model::BillLine line = machineLine(account, machine, {day, day + base::kDay});
            line.row = lines.size() + 1;
            line.billingAccountId = line.billingAccountName = account.account;
            line.invoiceIssuer = account.provider;
            line.billingPeriod = bill.month;
            lines.push_back(std::move(line));
        }
    }
    return lines;
}

} // namespace gpuledger::demo
