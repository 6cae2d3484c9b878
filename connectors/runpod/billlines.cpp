// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/runpod/billlines.h"

#include <array>
#include <string_view>

namespace gpuledger::runpod {

using base::Result;
using model::BillLine;
using model::ChargeCategory;

namespace {

constexpr const char *kProvider = "RunPod";

struct Service {
    BillFamily family;
    const char *name, *category; // category as FOCUS names it
    const char *resource; // type of what it is for
};
constexpr std::array<Service, 5> kServices{
    {{BillFamily::Pods, "Pods", "Compute", "Pod"},
     {BillFamily::Serverless, "Serverless", "AI and Machine Learning", "Endpoint"},
     {BillFamily::Volumes, "Network volumes", "Storage", "Network volume"},
     {BillFamily::Clusters, "Instant Clusters", "Compute", "Cluster"},
     {BillFamily::Endpoints, "Public endpoints", "AI and Machine Learning", ""}}};

struct Part {
    std::string_view member;
    const char *words;
    const char *category; // "": that of the service
};
constexpr std::array<Part, 8> kParts{{{"gpuAmount", "GPU", ""},
                                      {"cpuAmount", "CPU", ""},
                                      {"diskAmount", "Disk", "Storage"},
                                      {"feeAmount", "Platform fee", ""},
                                      {"standardAmount", "Standard storage", ""},
                                      {"highPerformanceAmount", "High-performance storage", ""},
                                      {"networkingAmount", "Networking", "Networking"},
                                      {"totalAmount", "Usage", ""}}};

void describePod(const PodName &pod, BillLine &line)
{
    line.resource.regionId = pod.dataCenter;
    // No name of the resource: the ledger would take it for that of a node, and anyone may choose it.
    if (!pod.name.empty())
        line.tags["pod_name"] = pod.name;
    if (!pod.gpu.empty())
        line.product.skuDetails["GpuModel"] = pod.gpu;
    if (!pod.cloud.empty())
        line.product.skuDetails["Cloud"] = pod.cloud; // SECURE, COMMUNITY
}

void describeUsage(const BillRow &row, BillLine &line)
{
    line.frequency = model::ChargeFrequency::UsageBased;
    for (const Part &part : kParts) {
        if (part.member != row.part)
            continue;
        line.product.skuMeter = part.words;
        if (part.category[0] != '\0')
            line.product.serviceCategory = part.category;
    }
    // GPUs by time, which the bill does not tell; everything else is certainly no machine with GPUs.
    const bool isGpuTime =
        row.part == "gpuAmount" && (row.family == BillFamily::Pods || row.family == BillFamily::Clusters);
    if (isGpuTime)
        line.product.skuMeter = row.family == BillFamily::Pods ? "GPU pod" : "GPU cluster"; // see ledger::gpuTypeIn
    else
        line.consumedQuantity.unit = line.pricingQuantity.unit = "N/A";
}

Result<BillLine> lineOf(const MonthBill &bill, const BillRow &row, const PodNames &names)
{
    BillLine line;
    line.billingAccountId = bill.account;
    line.billingPeriod = bill.month;
    line.chargePeriod = row.period;
    const auto amount = row.amount.toMoney(base::Currency::usd());
    GPULEDGER_TRY(amount);
    line.billed = line.effective = *amount;
    line.product.provider = line.product.publisher = kProvider;
    for (const Service &service : kServices) {
        if (service.family != row.family)
            continue;
        line.product.serviceName = service.name;
        line.product.serviceCategory = service.category;
        line.resource.type = row.id.empty() ? "" : service.resource;
    }
    line.resource.id = row.id;
    if (const auto pod = names.find(row.id); row.family == BillFamily::Pods && pod != names.end())
        describePod(pod->second, line);
    if (!row.part.empty()) {
        describeUsage(row, line);
    } else {
        line.category = ChargeCategory::Adjustment;
        line.description = "Not itemised by RunPod";
    }
    return line;
}

} // namespace

Result<std::vector<BillLine>> linesOf(const MonthBill &bill, const PodNames &names)
{
    std::vector<BillLine> lines;
    for (const BillRow &row : bill.rows) {
        auto line = lineOf(bill, row, names);
        GPULEDGER_TRY(line);
        if (line->billed.isZero())
            continue;
        line->row = lines.size() + 1;
        lines.push_back(std::move(*line));
    }
    return lines;
}

} // namespace gpuledger::runpod
