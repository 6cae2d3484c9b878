// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/cur/currow.h"

#include <algorithm>

// Sources: "dictionary" is AWS's of CUR 2.0 and of its FOCUS tables, "converter" the rules of
// finopsfoundation/focus_converters for AWS. Where they differ from what Cost Explorer gives, both are named.
namespace gpuledger::cur {

using base::Result;

namespace {

constexpr const char *kUsed = "Used", *kUnused = "Unused", *kZero = "0";

// The columns of FOCUS that are one column of the report as it is (dictionary).
struct Same {
    To to;
    CurColumn from;
};
constexpr std::array kSame{
    Same{To::BillingAccountId, CurColumn::PayerAccount},
    Same{To::BillingAccountName, CurColumn::PayerName},
    Same{To::SubAccountId, CurColumn::UsageAccount},
    Same{To::SubAccountName, CurColumn::UsageAccountName},
    Same{To::BillingCurrency, CurColumn::CurrencyCode},
    Same{To::BillingPeriodStart, CurColumn::PeriodStart},
    Same{To::BillingPeriodEnd, CurColumn::PeriodEnd},
    Same{To::ChargeDescription, CurColumn::Description},
    Same{To::InvoiceId, CurColumn::InvoiceId},
    Same{To::InvoiceIssuerName, CurColumn::InvoicingEntity},
    Same{To::PublisherName, CurColumn::LegalEntity}, // converter
    Same{To::ResourceId, CurColumn::ResourceId},
    Same{To::AvailabilityZone, CurColumn::Zone},
    Same{To::CapacityReservationId, CurColumn::CapacityArn},
    Same{To::ListCost, CurColumn::PublicCost},
    Same{To::SkuId, CurColumn::Sku},
    Same{To::SkuPriceId, CurColumn::RateCode},
    Same{To::UsageType, CurColumn::UsageType},
    Same{To::Operation, CurColumn::Operation},
    Same{To::ServiceCode, CurColumn::ProductCode},
    Same{To::LineItemType, CurColumn::LineItemType},
    Same{To::Discounts, CurColumn::Discount},
};

// Of usage only.
constexpr std::array kSameOfUsage{
    Same{To::PricingQuantity, CurColumn::UsageAmount}, Same{To::ConsumedQuantity, CurColumn::UsageAmount},
    Same{To::PricingUnit, CurColumn::PricingUnit},     Same{To::ConsumedUnit, CurColumn::PricingUnit},
    Same{To::ListUnitPrice, CurColumn::PublicRate},    Same{To::ContractedUnitPrice, CurColumn::UnblendedRate},
};

bool isUsage(LineType type)
{
    return categoryOf(type) == model::ChargeCategory::Usage;
}

bool isSplitShareOf(std::string_view parent, LineType type, const Result<base::Decimal> &unblended)
{
    return !parent.empty() && isUsage(type) && unblended && unblended->isZero();
}

} // namespace

bool isGiven(To column, const CurColumns &columns)
{
    const auto isOf = [&](const Same &same) { return same.to == column; };
    const auto same = std::find_if(kSame.begin(), kSame.end(), isOf);
    if (same != kSame.end())
        return columns.has(same->from);
    const auto usage = std::find_if(kSameOfUsage.begin(), kSameOfUsage.end(), isOf);
    return usage == kSameOfUsage.end() || columns.has(usage->from);
}

RowMaker::RowMaker(CurColumns columns, UsageReports &reports, std::uint32_t file)
    : m_columns(std::move(columns))
    , m_reports(reports)
    , m_file(file)
{
}

Result<void> RowMaker::need(CurColumn column, std::string_view type) const
{
    if (m_columns.has(column))
        return {};
    return base::fail(missingColumn(std::string(nameOf(column)),
                                    ", which line " + std::to_string(m_row->line()) + " of the type "
                                        + std::string(type) + " needs"));
}

Result<void> RowMaker::make(const format::TextRow &row, Made &made)
{
    m_row = &row;
    made.first.reset();
    made.second.reset();
    const std::string_view name = at(CurColumn::LineItemType);
    const LineType type = lineTypeOf(name);
    const auto unblended = base::Decimal::parse(at(CurColumn::UnblendedCost));
    // Shares of pods have a cost of 0, and say in columns of their own what of the machine's cost is theirs
    // (dictionary: split line item columns). The machine's own row is in the report, too.
    if (isSplitShareOf(at(CurColumn::SplitParent), type, unblended)) {
        m_reports.leaveOutPodShare();
        return {};
    }
    if (type == LineType::New && !name.empty())
        m_reports.meetNewType(name);
    describe(made.first.emplace(), type);
    return costs(type, made);
}

void RowMaker::describe(FocusRow &out, LineType type)
{
    for (const Same &same : kSame)
        out[same.to] = at(same.from);
    m_usage = usageTypeOf(at(CurColumn::UsageType));
    m_product = at(CurColumn::Product).empty() ? ProductFacts() : m_maps.product(at(CurColumn::Product));
    // Without a type, nothing says what the row is: it is rejected for the category that it lacks.
    out[To::ChargeCategory] =
        at(CurColumn::LineItemType).empty() ? std::string_view() : model::toString(categoryOf(type));
    out[To::ChargeFrequency] = isUsage(type)                                 ? "Usage-Based"
        : type == LineType::RecurringFee || type == LineType::ReservationFee ? "Recurring"
                                                                             : "One-Time";
    out[To::ProviderName] = "AWS";
    if (out[To::PublisherName].empty())
        out[To::PublisherName] = "AWS";
    if (out[To::InvoiceIssuerName].empty())
        out[To::InvoiceIssuerName] = "AWS";
    period(out);
    service(out);
    machine(out, type);
    labels(out);
    commitment(out, type);
    if (isUsage(type))
        usage(out, type);
    // A refund of a month that was invoiced before (FOCUS: ChargeClass). Late usage is no correction.
    if (type == LineType::Refund && out[To::ChargePeriodStart] < out[To::BillingPeriodStart])
        out[To::ChargeClass] = "Correction";
}

// The hours or days of the charge; of charges that have none, the interval of the row, or the whole month.
void RowMaker::period(FocusRow &out) const
{
    std::string_view start = at(CurColumn::UsageStart), end = at(CurColumn::UsageEnd);
    if (start.empty() || end.empty() || start == end) {
        const std::string_view interval = at(CurColumn::TimeInterval);
        const std::size_t slash = interval.find('/');
        const bool isInterval = slash != std::string_view::npos && slash > 0 && slash + 1 < interval.size();
        start = isInterval ? interval.substr(0, slash) : at(CurColumn::PeriodStart);
        end = isInterval ? interval.substr(slash + 1) : at(CurColumn::PeriodEnd);
    }
    out[To::ChargePeriodStart] = start;
    out[To::ChargePeriodEnd] = end;
}

void RowMaker::service(FocusRow &out) const
{
    const std::string_view code = at(CurColumn::ProductCode);
    std::string_view name = at(CurColumn::ProductName);
    if (name.empty())
        name = m_product.name;
    if (name.empty())
        name = serviceOfCode(code);
    out[To::ServiceName] = name.empty() ? code : name;
    std::string_view category = categoryOfUsage(code, at(CurColumn::UsageType));
    if (category.empty())
        category = categoryOfService(serviceOfCode(code));
    if (category.empty())
        category = categoryOfService(name);
    out[To::ServiceCategory] = category.empty() ? "Other" : category;
}

void RowMaker::machine(FocusRow &out, LineType type)
{
    std::string_view region = at(CurColumn::RegionCode);
    if (region.empty())
        region = at(CurColumn::Region);
    if (region.empty())
        region = m_product.region;
    out[To::RegionId] = region.empty() ? std::string_view(m_usage.region) : region;
    std::string_view given = at(CurColumn::InstanceType);
    if (given.empty())
        given = m_product.instanceType;
    // Disks and traffic of a machine have its type, too.
    const bool isMachine = m_usage.isMachineTime || at(CurColumn::UsageType).empty();
    const std::string_view machine = m_usage.instanceType.empty() ? given : std::string_view(m_usage.instanceType);
    if ((isMachine || type == LineType::ReservationFee) && !machine.empty()) {
        out.own[0] = "{\"InstanceType\":" + quotedJson(machine) + '}';
        out[To::SkuPriceDetails] = out.own[0];
    }
    // Time of reserved capacity on which nothing ran; as the lines of Cost Explorer.
    if (isUsage(type) && m_usage.isUnusedReservation)
        out[To::CapacityReservationStatus] = kUnused;
    else if (isUsage(type) && m_usage.isMachineTime && !out[To::CapacityReservationId].empty())
        out[To::CapacityReservationStatus] = kUsed;
}

void RowMaker::labels(FocusRow &out)
{
    const std::string_view map = at(CurColumn::ResourceTags);
    out.own[1] = objectOf(*m_row, m_columns.tags(), map.empty() ? std::string_view() : m_maps.tags(map));
    out[To::Tags] = out.own[1];
    out.own[2] = objectOf(*m_row, m_columns.categories(), at(CurColumn::CostCategory));
    out[To::CostCategories] = out.own[2];
}

// Converter: the ARN of the savings plan, else that of the reservation.
void RowMaker::commitment(FocusRow &out, LineType type) const
{
    const bool isPlan = !at(CurColumn::PlanArn).empty();
    const std::string_view arn = isPlan ? at(CurColumn::PlanArn) : at(CurColumn::ReservationArn);
    const bool uses = type == LineType::DiscountedUsage || type == LineType::CoveredUsage;
    if (uses)
        out[To::CommitmentDiscountStatus] = kUsed;
    if (arn.empty())
        return;
    out[To::CommitmentDiscountId] = arn;
    out[To::CommitmentDiscountType] = isPlan ? "Savings Plan" : "Reserved Instance";
    out[To::CommitmentDiscountCategory] = isPlan ? "Spend" : "Usage";
}

void RowMaker::usage(FocusRow &out, LineType type) const
{
    for (const Same &same : kSameOfUsage)
        out[same.to] = at(same.from);
    if (out[To::PricingUnit].empty() && m_usage.isMachineTime)
        out[To::PricingUnit] = out[To::ConsumedUnit] = "Hrs"; // what machines are priced by
    std::string_view option = at(CurColumn::PurchaseOption);
    if (option.empty())
        option = m_product.purchaseOption;
    const bool isSpot = m_usage.isSpot || option == "Spot Instances"; // converter, and the usage type
    out[To::PricingCategory] = !out[To::CommitmentDiscountStatus].empty() ? "Committed"
        : isSpot                                                          ? "Dynamic"
                                                                          : "Standard";
    if (type == LineType::DiscountedUsage)
        out[To::ContractedUnitPrice] = {}; // its rate is 0, because the reservation is paid for apart
}

// BilledCost is the unblended cost, whose sum is the invoice. EffectiveCost as the converter's rule
// effective_cost_S001, except that the unused part of a fee is a row of its own, as FOCUS wants it.
Result<void> RowMaker::costs(LineType type, Made &made)
{
    FocusRow &out = *made.first;
    const std::string_view cost = at(CurColumn::UnblendedCost);
    out[To::BilledCost] = out[To::EffectiveCost] = out[To::ContractedCost] = cost;
    switch (type) {
    case LineType::DiscountedUsage:
        GPULEDGER_TRY(need(CurColumn::ReservationCost, "DiscountedUsage"));
        out[To::EffectiveCost] = at(CurColumn::ReservationCost);
        out[To::ContractedCost] = {}; // the unblended cost is 0, and not what it would cost without the reservation
        return {};
    case LineType::CoveredUsage:
    case LineType::Negation:
        if (type == LineType::CoveredUsage)
            GPULEDGER_TRY(need(CurColumn::PlanCost, "SavingsPlanCoveredUsage"));
        out[To::EffectiveCost] = type == LineType::CoveredUsage ? at(CurColumn::PlanCost) : kZero;
        if (const auto amount = base::Decimal::parse(cost)) {
            UsageReports::Place place;
            std::copy_n(out.values.begin() + static_cast<std::size_t>(To::BillingAccountId), place.size(),
                        place.begin());
            if (!m_reports.settle(place, *amount, m_file, *m_row))
                return {};
            out[To::BilledCost] = kZero;
            if (type == LineType::Negation)
                made.first.reset();
        }
        return {};
    case LineType::RecurringFee:
    case LineType::ReservationFee:
        return fee(type, made);
    case LineType::UpfrontFee:
        out[To::EffectiveCost] = kZero; // spread over what the plan covers
        return {};
    case LineType::Fee:
        if (at(CurColumn::UsageType).find("HeavyUsage") != std::string_view::npos)
            GPULEDGER_TRY(need(CurColumn::ReservationArn, "Fee"));
        if (!at(CurColumn::ReservationArn).empty())
            out[To::EffectiveCost] = kZero; // likewise
        return {};
    default:
        return {};
    }
}

// The sum of what is given; empty, and therefore rejected, if nothing is.
Result<bool> RowMaker::unusedCost(LineType type, std::string &cost) const
{
    const bool isPlan = type == LineType::RecurringFee;
    const std::array<CurColumn, 2> parts = isPlan ? std::array{CurColumn::PlanTotal, CurColumn::PlanUsed}
                                                  : std::array{CurColumn::UnusedUpfront, CurColumn::UnusedRecurring};
    base::Decimal sum;
    bool isAnyGiven = false;
    for (const CurColumn part : parts) {
        GPULEDGER_TRY(need(part, isPlan ? "SavingsPlanRecurringFee" : "RIFee"));
        const std::string_view text = at(part);
        if (text.empty())
            continue;
        isAnyGiven = true;
        const auto amount = base::Decimal::parse(text);
        const auto next = !amount                   ? amount
            : isPlan && part == CurColumn::PlanUsed ? sum.minus(*amount)
                                                    : sum.plus(*amount);
        if (!next) {
            cost = text; // its rejection shows it
            return true;
        }
        sum = *next;
    }
    cost = isAnyGiven ? sum.toText() : std::string();
    return !isAnyGiven || !sum.isZero();
}

// A recurring fee is a purchase, and the part of it that covered nothing is usage that is lost.
Result<void> RowMaker::fee(LineType type, Made &made)
{
    FocusRow &purchase = *made.first;
    purchase[To::EffectiveCost] = kZero;
    std::string cost;
    const auto isUnused = unusedCost(type, cost);
    GPULEDGER_TRY(isUnused);
    if (!*isUnused)
        return {};
    FocusRow &unused = made.second.emplace(purchase); // its views are those of the first row, which stays
    unused.own[3] = std::move(cost);
    unused[To::BilledCost] = kZero;
    unused[To::EffectiveCost] = unused.own[3];
    unused[To::ListCost] = unused[To::ContractedCost] = {}; // of the fee
    unused[To::ChargeCategory] = "Usage";
    unused[To::ChargeFrequency] = "Usage-Based";
    unused[To::PricingCategory] = "Committed";
    unused[To::CommitmentDiscountStatus] = kUnused;
    if (!unused[To::CommitmentDiscountId].empty())
        unused[To::ResourceId] = unused[To::CommitmentDiscountId]; // FOCUS: the resource is the commitment
    return {};
}

} // namespace gpuledger::cur
