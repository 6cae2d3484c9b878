// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/cur/linetypes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gpuledger::cur {

namespace {

// The dictionary of the report's columns, and the names that Cost Explorer has given to the same records.
constexpr std::array<std::pair<std::string_view, LineType>, 24> kLineTypes{{
    {"Usage", LineType::Usage},
    {"DiscountedUsage", LineType::DiscountedUsage},
    {"SavingsPlanCoveredUsage", LineType::CoveredUsage},
    {"SavingsPlanNegation", LineType::Negation},
    {"SavingsPlanRecurringFee", LineType::RecurringFee},
    {"SavingsPlanUpfrontFee", LineType::UpfrontFee},
    {"RIFee", LineType::ReservationFee},
    {"Recurring", LineType::ReservationFee},
    {"Recurring reservation fee", LineType::ReservationFee},
    {"Fee", LineType::Fee},
    {"Upfront", LineType::Fee},
    {"Upfront reservation fee", LineType::Fee},
    {"Tax", LineType::Tax},
    {"Credit", LineType::Credit},
    {"Refund", LineType::Refund},
    {"Discount", LineType::Discount},
    {"BundledDiscount", LineType::Discount},
    {"EdpDiscount", LineType::Discount},
    {"PrivateRateDiscount", LineType::Discount},
    {"SppDiscount", LineType::Discount},
    {"Bundled Discount", LineType::Discount},
    {"Enterprise Discount Program Discount", LineType::Discount},
    {"Private Rate Discount", LineType::Discount},
    {"Solution Provider Program Discount", LineType::Discount},
}};

} // namespace

LineType lineTypeOf(std::string_view record)
{
    const auto at =
        std::find_if(kLineTypes.begin(), kLineTypes.end(), [&](const auto &one) { return one.first == record; });
    return at == kLineTypes.end() ? LineType::New : at->second;
}

model::ChargeCategory categoryOf(LineType type)
{
    using model::ChargeCategory;
    switch (type) {
    case LineType::Usage:
    case LineType::DiscountedUsage:
    case LineType::CoveredUsage:
    case LineType::Negation:
        return ChargeCategory::Usage;
    case LineType::RecurringFee:
    case LineType::UpfrontFee:
    case LineType::ReservationFee:
    case LineType::Fee:
        return ChargeCategory::Purchase;
    case LineType::Tax:
        return ChargeCategory::Tax;
    case LineType::Credit:
        return ChargeCategory::Credit;
    case LineType::Refund:
    case LineType::Discount:
    case LineType::New:
        break;
    }
    return ChargeCategory::Adjustment;
}

} // namespace gpuledger::cur
