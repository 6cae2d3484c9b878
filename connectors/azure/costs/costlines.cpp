// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/costs/costlines.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace gpuledger::azure {

using base::Result;
using model::BillLine;
using model::ChargeCategory;

namespace {

constexpr const char *kMicrosoft = "Microsoft";

struct ServiceCategory {
    std::string_view service, category; // as FOCUS names it
};
constexpr std::array<ServiceCategory, 18> kServiceCategories{{{kMachineService, "Compute"},
                                                              {"Virtual Machines Licenses", "Compute"},
                                                              {"Azure Kubernetes Service", "Compute"},
                                                              {"Container Instances", "Compute"},
                                                              {"Functions", "Compute"},
                                                              {"Azure App Service", "Compute"},
                                                              {"Azure Machine Learning", "AI and Machine Learning"},
                                                              {"Cognitive Services", "AI and Machine Learning"},
                                                              {"Foundry Models", "AI and Machine Learning"},
                                                              {"Storage", "Storage"},
                                                              {"Backup", "Storage"},
                                                              {"Azure NetApp Files", "Storage"},
                                                              {"SQL Database", "Databases"},
                                                              {"Azure Cosmos DB", "Databases"},
                                                              {"Bandwidth", "Networking"},
                                                              {"Virtual Network", "Networking"},
                                                              {"Load Balancer", "Networking"},
                                                              {"VPN Gateway", "Networking"}}};

std::string categoryOfService(std::string_view service)
{
    for (const ServiceCategory &one : kServiceCategories) {
        if (one.service == service)
            return std::string(one.category);
    }
    return {};
}

// ChargeType in the terms of FOCUS. A refund takes back a purchase. Types that are not known change the bill, and no
// machine.
void describeCharge(const std::string &charge, BillLine &line)
{
    if (charge == kUsageCharge) {
        line.frequency = model::ChargeFrequency::UsageBased;
    } else if (charge == "UnusedReservation" || charge == "UnusedSavingsPlan") {
        line.commitment.status = model::UseStatus::Unused;
        line.commitment.category =
            charge == "UnusedReservation" ? model::CommitmentCategory::Usage : model::CommitmentCategory::Spend;
    } else if (charge == "Purchase" || charge == "Refund") {
        line.category = ChargeCategory::Purchase;
    } else if (charge == "Tax") {
        line.category = ChargeCategory::Tax;
    } else if (charge == "Credit") {
        line.category = ChargeCategory::Credit;
    } else {
        line.category = ChargeCategory::Adjustment;
    }
    if (charge != kUsageCharge)
        line.description = charge;
}

// "NC24ads A100 v4 Spot". Usage that costs nothing and has an amortized cost is covered by a commitment; where both
// differ otherwise, only a part of it is.
void describeMachine(const CostRow &row, const CostSettings &settings, BillLine &line)
{
    line.product.skuMeter = row.item;
    line.resource.id = row.resource;
    if (const std::size_t slash = row.resource.rfind('/'); slash != std::string::npos)
        line.resource.name = row.resource.substr(slash + 1);
    if (!row.tag.empty())
        line.tags[settings.tag] = row.tag;
    if (row.billed.isZero() && !row.effective.isZero())
        line.pricing = model::PricingCategory::Committed;
    else if (row.billed == row.effective)
        line.pricing = row.item.ends_with(" Spot") ? model::PricingCategory::Dynamic : model::PricingCategory::Standard;
}

Result<BillLine> billLineOf(const KeptMonth &month, const CostRow &row, const CostSettings &settings)
{
    BillLine line;
    line.billingAccountId = billingAccountOf(settings);
    line.billingPeriod = month.range;
    line.chargePeriod = {row.day.start(), row.day.end()};
    if (!row.subscription.empty())
        line.subAccountId = "/subscriptions/" + row.subscription;
    const auto billed = row.billed.toMoney(row.currency), effective = row.effective.toMoney(row.currency);
    GPULEDGER_TRY(billed);
    GPULEDGER_TRY(effective);
    line.billed = *billed;
    line.effective = *effective;
    line.product.provider = kMicrosoft;
    line.product.publisher = kMicrosoft;
    if (row.part == CostPart::Rest) {
        line.category = ChargeCategory::Adjustment;
        line.description = "Not itemised by Cost Management";
        return line;
    }
    line.product.serviceName = row.part == CostPart::Machine ? kMachineService : row.item;
    line.product.serviceCategory = categoryOfService(line.product.serviceName);
    describeCharge(row.charge, line);
    if (row.part == CostPart::Machine)
        describeMachine(row, settings, line);
    else
        line.consumedQuantity.unit = line.pricingQuantity.unit = "N/A"; // a mixture, so certainly no machine time
    return line;
}

} // namespace

std::string billingAccountOf(const CostSettings &settings)
{
    return lowerCase(settings.scope);
}

Result<std::vector<BillLine>> linesOf(const KeptMonth &month, const CostSettings &settings)
{
    std::vector<BillLine> lines;
    for (const CostRow &row : month.rows) {
        auto line = billLineOf(month, row, settings);
        GPULEDGER_TRY(line);
        if (line->billed.isZero() && line->effective.isZero()) // below 1e-9
            continue;
        line->row = lines.size() + 1;
        lines.push_back(std::move(*line));
    }
    return lines;
}

std::vector<ports::BillFinding> findingsOf(const KeptMonth &month, base::UtcTime now)
{
    using Level = ports::Finding::Level;
    const base::Decimal most = base::Decimal::parse("0.01").value_or(base::Decimal());
    const base::Decimal least = base::Decimal().minus(most).value_or(base::Decimal());
    const auto isLarge = [&](const base::Decimal &amount) { return amount >= most || amount <= least; };
    std::set<base::Day> incomplete;
    for (const CostRow &row : month.rows) {
        if (row.part == CostPart::Rest && (isLarge(row.billed) || isLarge(row.effective)))
            incomplete.insert(row.day);
    }
    std::vector<ports::BillFinding> findings;
    if (!month.isFinal(now))
        findings.push_back({Level::Good,
                            ports::BillFindingText::DaysEstimated,
                            kMicrosoft,
                            {static_cast<std::uint64_t>((month.until - month.range.start) / base::kDay)}});
    if (!incomplete.empty())
        findings.push_back({Level::Problem,
                            ports::BillFindingText::DaysNotItemised,
                            kMicrosoft,
                            {static_cast<std::uint64_t>(incomplete.size())}});
    return findings;
}

} // namespace gpuledger::azure
