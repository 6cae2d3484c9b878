// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/vastai/billlines.h"

#include <array>
#include <utility>

namespace gpuledger::vastai {

using base::Decimal;
using base::Result;
using model::BillLine;
using model::ChargeCategory;

namespace {

__extension__ using Wide = __int128;

constexpr const char *kProvider = "Vast.ai";
constexpr const char *kOther = "Other"; // category, as FOCUS names it
constexpr std::string_view kGpu = "gpu";

struct Service {
    std::string_view type; // of the charge
    const char *name, *category; // category as FOCUS names it
    const char *resource; // type of what it is for
};
constexpr Service kServerless{"serverless", "Serverless", "Compute", "Instance"};
constexpr std::array<Service, 3> kServices{
    {{"instance", "Instances", "Compute", "Instance"}, {"volume", "Volumes", "Storage", "Volume"}, kServerless}};

struct Part {
    std::string_view type; // of the item
    const char *words, *category;
};
constexpr std::array<Part, 5> kParts{{{kGpu, "GPU instance", "Compute"}, // see ledger::gpuTypeIn
                                      {"disk", "Disk", "Storage"},
                                      {"bwd", "Download", "Networking"},
                                      {"bwu", "Upload", "Networking"},
                                      {"bandwidth", "Bandwidth", "Networking"}}};

// Hours times price is the amount within a cent, and they are not more than the days have, but for one: a charge is
// booked when it is made.
bool isPlausible(const PricedHours &priced, const Decimal &amount, const base::TimeRange &days)
{
    constexpr Wide kNanos = 1'000'000'000;
    constexpr Wide kCent = kNanos * kNanos / 100;
    const auto hours = priced.hours.toMoney(base::Currency::usd());
    const auto rate = priced.rate.toMoney(base::Currency::usd());
    const auto money = amount.toMoney(base::Currency::usd());
    if (!hours || !rate || !money)
        return false;
    const Wide rest = Wide{hours->nanos()} * rate->nanos() - Wide{money->nanos()} * kNanos;
    const Wide most = (days.length() / std::chrono::hours{1} + 1) * kNanos;
    return rest >= -kCent && rest <= kCent && hours->nanos() > 0 && Wide{hours->nanos()} <= most;
}

void describeItem(const Charge &charge, const ChargeItem &item, const std::string &gpus, BillLine &line)
{
    line.frequency = model::ChargeFrequency::UsageBased;
    line.description = item.description;
    line.product.skuMeter = item.type;
    line.product.serviceCategory = kOther;
    for (const Part &part : kParts) {
        if (part.type != item.type)
            continue;
        line.product.skuMeter = part.words;
        line.product.serviceCategory = part.category;
    }
    if (item.type != kGpu) {
        line.consumedQuantity.unit = line.pricingQuantity.unit = "N/A"; // certainly no time of GPUs
        return;
    }
    const auto priced = pricedHoursIn(item.description);
    if (!priced)
        return;
    line.consumedQuantity = line.pricingQuantity = {priced->hours, "Hours"};
    if (!gpus.empty() && isPlausible(*priced, item.amount, charge.period))
        line.product.skuDetails["GpuCount"] = gpus;
}

void describeInstance(const Charge &charge, const InstanceName &name, BillLine &line)
{
    line.resource.regionId = name.place;
    // No name of the resource: the ledger would take it for that of a node, and anyone may choose it.
    if (const std::string &label = charge.label.empty() ? name.label : charge.label; !label.empty())
        line.tags["instance_label"] = label;
    if (!charge.endpoint.empty())
        line.tags["endpoint_id"] = charge.endpoint;
    if (!name.gpu.empty())
        line.product.skuDetails["GpuModel"] = name.gpu;
    if (!name.machine.empty())
        line.product.skuDetails["MachineId"] = name.machine;
}

BillLine lineOf(const MonthBill &bill, const Charge &charge, const InstanceName &name)
{
    BillLine line;
    line.billingAccountId = bill.account;
    line.billingPeriod = bill.month;
    line.chargePeriod = charge.period;
    line.product.provider = line.product.publisher = kProvider;
    line.product.serviceName = charge.type;
    line.product.serviceCategory = kOther;
    for (const Service &known : kServices) {
        if (known.type != charge.type)
            continue;
        const Service &service = charge.endpoint.empty() ? known : kServerless;
        line.product.serviceName = service.name;
        line.product.serviceCategory = service.category;
        line.resource.type = service.resource;
    }
    line.resource.id = charge.source;
    describeInstance(charge, name, line);
    return line;
}

Result<void> add(BillLine line, const Decimal &amount, std::vector<BillLine> &lines)
{
    const auto money = amount.toMoney(base::Currency::usd());
    GPULEDGER_TRY(money);
    if (money->isZero())
        return {};
    line.billed = line.effective = *money;
    line.row = lines.size() + 1;
    lines.push_back(std::move(line));
    return {};
}

Result<void> addCharge(const MonthBill &bill, const Charge &charge, const InstanceName &name,
                       std::vector<BillLine> &lines)
{
    BillLine rest = lineOf(bill, charge, name);
    Decimal missing = charge.amount;
    for (const ChargeItem &item : charge.items) {
        const auto less = missing.minus(item.amount);
        GPULEDGER_TRY(less);
        missing = *less;
        BillLine line = rest;
        describeItem(charge, item, name.gpus, line);
        GPULEDGER_TRY(add(std::move(line), item.amount, lines));
    }
    rest.category = ChargeCategory::Adjustment;
    rest.description = "Not itemised by Vast.ai";
    return add(std::move(rest), missing, lines);
}

} // namespace

std::optional<PricedHours> pricedHoursIn(std::string_view description)
{
    constexpr std::string_view kPrice = " hours at $", kEach = "/hour";
    const std::size_t at = description.find(kPrice);
    if (at == std::string_view::npos || !description.ends_with(kEach))
        return std::nullopt;
    description.remove_suffix(kEach.size());
    const auto hours = Decimal::parse(description.substr(0, at));
    const auto rate = Decimal::parse(description.substr(std::min(at + kPrice.size(), description.size())));
    if (!hours || !rate || hours->isNegative() || rate->isNegative())
        return std::nullopt;
    return PricedHours{*hours, *rate};
}

Result<std::vector<BillLine>> linesOf(const MonthBill &bill, const InstanceNames &names)
{
    static const InstanceName kUnknown;
    std::vector<BillLine> lines;
    for (const Charge &charge : bill.charges) {
        const auto name = names.find(charge.source);
        GPULEDGER_TRY(addCharge(bill, charge, name == names.end() ? kUnknown : name->second, lines));
    }
    return lines;
}

} // namespace gpuledger::vastai
