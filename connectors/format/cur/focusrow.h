// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace gpuledger::cur {

// The columns that a report is handed on with: those of FOCUS, and those that AWS adds to its own FOCUS exports.
enum class To : std::uint8_t {
    BilledCost,
    EffectiveCost,
    ListCost,
    ContractedCost,
    BillingAccountId,
    BillingAccountName,
    SubAccountId,
    SubAccountName,
    BillingCurrency,
    BillingPeriodStart,
    BillingPeriodEnd,
    ChargePeriodStart,
    ChargePeriodEnd,
    ChargeCategory,
    ChargeClass,
    ChargeFrequency,
    ChargeDescription,
    PricingCategory,
    PricingQuantity,
    PricingUnit,
    ConsumedQuantity,
    ConsumedUnit,
    ListUnitPrice,
    ContractedUnitPrice,
    InvoiceId,
    InvoiceIssuerName,
    ProviderName,
    PublisherName,
    ServiceCategory,
    ServiceName,
    ResourceId,
    RegionId,
    AvailabilityZone,
    CapacityReservationId,
    CapacityReservationStatus,
    CommitmentDiscountCategory,
    CommitmentDiscountId,
    CommitmentDiscountType,
    CommitmentDiscountStatus,
    SkuId,
    SkuPriceId,
    SkuPriceDetails,
    Tags,
    UsageType, // x_UsageType
    Operation, // x_Operation
    ServiceCode, // x_ServiceCode
    LineItemType, // x_LineItemType, which AWS's FOCUS does not have
    CostCategories, // x_CostCategories
    Discounts, // x_Discounts
    Count
};
inline constexpr std::size_t kToColumns = static_cast<std::size_t>(To::Count);

std::string_view nameOf(To column);

// One row. Its values are views; those that are in no file are kept in `own`.
struct FocusRow {
    std::array<std::string_view, kToColumns> values{};
    std::array<std::string, 6> own{};

    std::string_view &operator[](To column) { return values[static_cast<std::size_t>(column)]; }
};

} // namespace gpuledger::cur
