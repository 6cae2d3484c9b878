// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/coreweave/costlines.h"

namespace gpuledger::coreweave {

using base::ErrorCode;
using base::Result;
using model::BillLine;

namespace {

__extension__ using Wide = __int128;

constexpr const char *kProvider = "CoreWeave";
// As for Lambda: the ledger has no other place that says so of a line.
constexpr const char *kService = "Instances (estimate)";
constexpr Wide kMilliPerHour = 3'600'000, kLargest = std::int64_t{1} << 62;

// "8.25" of 8.250000000.
std::string shortest(const base::Money &amount)
{
    return base::Decimal::of(amount).toText();
}

// Seconds with three decimals.
std::string secondsText(std::int64_t milliseconds)
{
    constexpr std::int64_t kMilli = 1'000;
    std::string rest = std::to_string(milliseconds % kMilli);
    rest.insert(0, 3 - rest.size(), '0');
    return std::to_string(milliseconds / kMilli) + '.' + rest;
}

BillLine lineOf(const format::AskedMonth &asked, const NodeKind &kind, base::Day day, const TypeRate &rate)
{
    BillLine line;
    line.billingAccountId = asked.account;
    line.billingPeriod = asked.month;
    line.chargePeriod = {day.start(), day.end()};
    line.subAccountId = line.subAccountName = kind.cluster;
    line.subAccountType = model::kClusterAccount;
    line.product.provider = line.product.publisher = kProvider;
    line.product.serviceName = kService;
    line.product.serviceCategory = "Compute"; // as FOCUS names it
    line.product.skuMeter = rate.gpus > 0 ? "GPU instance" : "CPU instance";
    line.product.skuDetails["InstanceType"] = kind.type;
    if (rate.gpus > 0)
        line.product.skuDetails["GpuCount"] = std::to_string(rate.gpus);
    if (rate.gpus > 0 && !rate.gpuModel.empty())
        line.product.skuDetails["GpuModel"] = rate.gpuModel;
    line.frequency = model::ChargeFrequency::UsageBased;
    line.pricing = model::PricingCategory::Standard;
    line.description = "Estimate: " + shortest(rate.perHour) + ' ' + std::string(rate.perHour.currency().code())
        + " an hour for the nodes that were counted";
    if (!kind.cluster.empty())
        line.tags["cluster"] = kind.cluster;
    return line;
}

Result<base::Money> costOf(const TypeRate &rate, std::int64_t milliseconds)
{
    const Wide nanos = (Wide{rate.perHour.nanos()} * milliseconds + kMilliPerHour / 2) / kMilliPerHour;
    if (nanos > kLargest)
        return base::fail(ErrorCode::Overflow, "what CoreWeave counted in a day costs too much to be right");
    return base::Money(static_cast<std::int64_t>(nanos), rate.perHour.currency());
}

} // namespace

Result<Estimate> estimateOf(const format::AskedMonth &asked, const MonthCounts &counts, const RateCard &rates)
{
    Estimate out;
    for (const auto &[day, kept] : counts.days) {
        if (day.start() < asked.days.start || day.end() > asked.days.end)
            continue;
        out.missing += kept.count.missing;
        for (const auto &[kind, milliseconds] : kept.count.milliseconds) {
            if (milliseconds == 0)
                continue;
            const TypeRate *const rate = rates.rateOf(kind.type, day);
            if (!rate) {
                out.unpriced.insert(kind.type);
                continue;
            }
            BillLine line = lineOf(asked, kind, day, *rate);
            const auto cost = costOf(*rate, milliseconds);
            GPULEDGER_TRY(cost);
            line.billed = line.effective = *cost;
            line.consumedQuantity.amount = base::Decimal::parse(secondsText(milliseconds)).value_or(base::Decimal());
            line.consumedQuantity.unit = "Seconds";
            line.row = out.lines.size() + 1;
            out.lines.push_back(std::move(line));
        }
    }
    return out;
}

} // namespace gpuledger::coreweave
