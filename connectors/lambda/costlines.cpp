// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/lambda/costlines.h"

#include "connectors/format/json.h"

#include <algorithm>
#include <string>
#include <utility>

namespace gpuledger::lambda {

using model::BillLine;

namespace {

constexpr const char *kProvider = "Lambda";
// The ledger has no other place that says so of a line, and every page that lists services has it.
constexpr const char *kService = "On-Demand Cloud (estimate)";

std::string priceText(std::int64_t cents)
{
    const std::string rest = std::to_string(cents % 100);
    return std::to_string(cents / 100) + (rest.size() < 2 ? ".0" : ".") + rest;
}

BillLine lineOf(const format::AskedMonth &asked, const std::string &id, const InstanceFacts &facts)
{
    BillLine line;
    line.billingAccountId = asked.account;
    line.billingPeriod = asked.month;
    line.product.provider = line.product.publisher = kProvider;
    line.product.serviceName = kService;
    line.product.serviceCategory = "Compute"; // as FOCUS names it
    line.product.skuMeter = facts.gpus == "0" ? "CPU instance" : "GPU instance"; // see ledger::gpuTypeIn
    line.product.skuDetails["InstanceType"] = facts.type;
    if (!facts.gpu.empty() && facts.gpus != "0")
        line.product.skuDetails["GpuModel"] = facts.gpu;
    if (!facts.gpus.empty() && facts.gpus != "0")
        line.product.skuDetails["GpuCount"] = facts.gpus;
    line.frequency = model::ChargeFrequency::UsageBased;
    line.pricing = model::PricingCategory::Standard;
    line.resource.id = id;
    line.resource.type = "Instance";
    line.resource.regionId = facts.region;
    if (const auto tags = format::parseJson(facts.tags); tags && tags->is_object()) {
        for (const auto &[key, value] : tags->items())
            line.tags[key] = value.is_string() ? value.get<std::string>() : std::string();
    }
    // No name of the resource: the ledger would take it for that of a node, and anyone may choose it.
    if (!facts.name.empty())
        line.tags["instance_name"] = facts.name;
    return line;
}

void addSpan(const BillLine &instance, const SeenSpan &span, const base::TimeRange &days, std::vector<BillLine> &lines)
{
    const base::TimeRange time = days.intersect({span.since, span.until});
    for (base::UtcTime from = time.start; from < time.end;) {
        const base::UtcTime to = std::min(time.end, base::dayOf(from).end());
        const auto nanos = costOf(*span.cents, to - span.since) - costOf(*span.cents, from - span.since);
        BillLine line = instance;
        line.chargePeriod = {from, to};
        line.billed = line.effective = base::Money(static_cast<std::int64_t>(nanos), base::Currency::usd());
        line.description = "Estimate: " + priceText(*span.cents) + " USD an hour for the time that was seen";
        line.consumedQuantity.amount =
            base::Decimal::parse(std::to_string((to - from).count())).value_or(base::Decimal());
        line.consumedQuantity.unit = "Seconds";
        line.row = lines.size() + 1;
        lines.push_back(std::move(line));
        from = to;
    }
}

} // namespace

WideNanos costOf(std::int64_t centsPerHour, base::Seconds time)
{
    constexpr WideNanos kNanosOfCent = 10'000'000, kHour = 3600;
    return (WideNanos{centsPerHour} * kNanosOfCent * time.count() + kHour / 2) / kHour;
}

std::vector<BillLine> linesOf(const format::AskedMonth &asked, const SeenMonth &seen)
{
    std::vector<BillLine> lines;
    for (const auto &[id, instance] : seen.instances) {
        const BillLine line = lineOf(asked, id, instance.facts);
        for (const SeenSpan &span : instance.spans) {
            if (span.cents)
                addSpan(line, span, asked.days, lines);
        }
    }
    return lines;
}

} // namespace gpuledger::lambda
