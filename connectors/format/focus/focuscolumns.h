// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/ports/importreport.h"
#include "connectors/format/csvreader.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::focus {

// The FOCUS 1.0 to 1.2 columns for which a bill line has a field; all others are kept as extra columns.
enum class Column : std::uint8_t {
    AvailabilityZone,
    BilledCost,
    BillingAccountId,
    BillingAccountName,
    BillingAccountType,
    BillingCurrency,
    BillingPeriodEnd,
    BillingPeriodStart,
    CapacityReservationId,
    CapacityReservationStatus,
    ChargeCategory,
    ChargeClass,
    ChargeDescription,
    ChargeFrequency,
    ChargePeriodEnd,
    ChargePeriodStart,
    CommitmentDiscountCategory,
    CommitmentDiscountId,
    CommitmentDiscountName,
    CommitmentDiscountQuantity,
    CommitmentDiscountStatus,
    CommitmentDiscountType,
    CommitmentDiscountUnit,
    ConsumedQuantity,
    ConsumedUnit,
    ContractedCost,
    ContractedUnitPrice,
    EffectiveCost,
    InvoiceId,
    InvoiceIssuerName,
    ListCost,
    ListUnitPrice,
    PricingCategory,
    PricingCurrency,
    PricingQuantity,
    PricingUnit,
    ProviderName,
    PublisherName,
    RegionId,
    RegionName,
    ResourceId,
    ResourceName,
    ResourceType,
    ServiceCategory,
    ServiceName,
    ServiceSubcategory,
    SkuId,
    SkuMeter,
    SkuPriceDetails,
    SkuPriceId,
    SubAccountId,
    SubAccountName,
    SubAccountType,
    Tags,
    Count
};
inline constexpr std::size_t kColumns = static_cast<std::size_t>(Column::Count);

std::string_view nameOf(Column column);

// Maps the fields of a row to columns. Value type, one per file.
class ColumnMap {
public:
    static constexpr int kAbsent = -1;
    struct Extra {
        std::size_t field = 0;
        std::string name; // as written, valid UTF-8
    };

    // Finds columns by name, in any order and case; FOCUS 1.3 names for the same columns are accepted. Fails with
    // Unsupported (a column is missing without which no amount has a time, account or currency; a FOCUS draft; another
    // kind of bill), or with Parse (a FOCUS column appears twice).
    [[nodiscard]] static base::Result<ColumnMap> fromHeader(const format::TextRow &header);

    int field(Column column) const { return m_fields[static_cast<std::size_t>(column)]; }
    bool has(Column column) const { return field(column) != kAbsent; }
    std::size_t fields() const { return m_count; }
    std::size_t fieldsInFile() const { return m_inFile; }
    const std::vector<Extra> &extras() const { return m_extras; }
    // The field of an extra column, by its exact name in any case; kAbsent if there is none.
    int extra(std::string_view name) const;
    ports::FocusVersion version() const { return m_version; }
    // Columns that the specification requires but the file does not have.
    std::vector<Column> missing() const;

private:
    ColumnMap() { m_fields.fill(kAbsent); }
    std::array<int, kColumns> m_fields{};
    std::vector<Extra> m_extras;
    std::size_t m_count = 0, m_inFile = 0;
    ports::FocusVersion m_version = ports::FocusVersion::Unknown;
};

} // namespace gpuledger::focus
