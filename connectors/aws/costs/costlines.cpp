// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/costs/costlines.h"

#include "connectors/format/cur/linetypes.h"
#include "connectors/format/cur/usagetypes.h"

#include <algorithm>

namespace gpuledger::aws {

using base::Result;
using model::BillLine;
using model::ChargeCategory;

namespace {

constexpr const char *kMachineService = "Amazon Elastic Compute Cloud - Compute";
constexpr const char *kLearningService = "Amazon SageMaker";

void describeUsage(const CostRow &row, const std::string &tag, BillLine &line)
{
    const cur::UsageType usage = cur::usageTypeOf(row.item);
    line.frequency = model::ChargeFrequency::UsageBased;
    line.product.skuMeter = row.item;
    line.product.serviceName = usage.isSageMaker ? kLearningService : kMachineService;
    line.product.serviceCategory = std::string(cur::categoryOfService(line.product.serviceName));
    if (!usage.instanceType.empty()) {
        line.product.skuDetails["InstanceType"] = usage.instanceType;
        line.resource.type = usage.instanceType;
    }
    line.resource.regionId = usage.region;
    // The name of the type says spot; without it, usage that no commitment covers is at the on-demand price.
    line.pricing = row.part == CostPart::Covered ? model::PricingCategory::Committed
        : usage.isSpot                           ? model::PricingCategory::Dynamic
                                                 : model::PricingCategory::Standard;
    if (usage.isUnusedReservation)
        line.capacityReservation = model::UseStatus::Unused;
    if (row.quantity) {
        line.consumedQuantity = {row.quantity, row.unit};
        line.pricingQuantity = line.consumedQuantity;
    }
    if (!row.tag.empty())
        line.tags[tag] = row.tag;
}

void describePart(const CostRow &row, const std::string &tag, BillLine &line)
{
    switch (row.part) {
    case CostPart::Usage:
    case CostPart::Covered:
        describeUsage(row, tag, line);
        return;
    case CostPart::Service:
        line.frequency = model::ChargeFrequency::UsageBased;
        line.product.serviceName = row.item;
        line.product.serviceCategory = std::string(cur::categoryOfService(row.item));
        line.consumedQuantity.unit = line.pricingQuantity.unit = "N/A"; // a mixture, so certainly no machine time
        return;
    case CostPart::Record:
        line.category = cur::categoryOf(cur::lineTypeOf(row.item));
        line.description = row.item;
        line.product.serviceName = row.item;
        return;
    case CostPart::Rest:
        line.category = ChargeCategory::Adjustment;
        line.description = "Not itemised by Cost Explorer";
        return;
    }
}

Result<BillLine> lineOf(const KeptMonth &month, base::Day number, const CostDay &day, const CostRow &row,
                        const std::string &tag)
{
    BillLine line;
    line.billingAccountId = month.account;
    line.billingPeriod = month.range;
    line.chargePeriod = {number.start(), number.end()};
    line.subAccountId = row.account;
    line.subAccountName = month.nameOf(row.account);
    line.billingAccountName = month.nameOf(month.account);
    const auto billed = row.billed.toMoney(day.currency), effective = row.effective.toMoney(day.currency);
    GPULEDGER_TRY(billed);
    GPULEDGER_TRY(effective);
    line.billed = *billed;
    line.effective = *effective;
    line.product.provider = "AWS";
    line.product.publisher = "AWS";
    describePart(row, tag, line);
    return line;
}

} // namespace

Result<std::vector<BillLine>> linesOf(const KeptMonth &month, const std::string &tag)
{
    std::vector<BillLine> lines;
    for (const auto &[number, day] : month.days) {
        for (const CostRow &row : day.rows) {
            if (row.billed.isZero() && row.effective.isZero() && (!row.quantity || row.quantity->isZero()))
                continue;
            auto line = lineOf(month, number, day, row, tag);
            GPULEDGER_TRY(line);
            line->row = lines.size() + 1;
            lines.push_back(std::move(*line));
        }
    }
    return lines;
}

std::vector<ports::BillFinding> findingsOf(const KeptMonth &month)
{
    using Level = ports::Finding::Level;
    std::vector<ports::BillFinding> findings;
    std::uint64_t estimates = 0, incomplete = 0;
    for (const auto &[number, day] : month.days) {
        estimates += day.isEstimate ? 1 : 0;
        incomplete +=
            std::any_of(day.rows.begin(), day.rows.end(), [](const CostRow &row) { return row.part == CostPart::Rest; })
            ? 1
            : 0;
    }
    if (estimates > 0)
        findings.push_back({Level::Good, ports::BillFindingText::DaysEstimated, "AWS", {estimates}});
    if (incomplete > 0)
        findings.push_back({Level::Problem, ports::BillFindingText::DaysNotItemised, "AWS", {incomplete}});
    return findings;
}

} // namespace gpuledger::aws
