// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "connectors/format/textrow.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::cur {

// The columns that are read, by AWS's dictionary of CUR 2.0. The older report has the same ones with other names.
enum class CurColumn : std::uint8_t {
    // Without these, no charge has a type, an amount, a time or an account.
    LineItemType,
    UnblendedCost,
    CurrencyCode,
    PayerAccount,
    PeriodStart,
    PeriodEnd,
    UsageStart,
    UsageEnd,
    UsageAccount,
    ProductCode,
    UsageType,
    // Without one of these, its value is unknown; some are required by certain types of lines.
    PayerName,
    UsageAccountName,
    InvoiceId,
    InvoicingEntity,
    LegalEntity,
    TimeInterval,
    Operation,
    Zone,
    UsageAmount,
    ResourceId,
    Description,
    UnblendedRate,
    PricingUnit,
    PublicCost,
    PublicRate,
    RateCode,
    ProductName,
    Product, // a map
    InstanceType,
    RegionCode,
    Region,
    Sku,
    PurchaseOption,
    ReservationArn,
    ReservationCost,
    UnusedUpfront,
    UnusedRecurring,
    PlanArn,
    PlanCost,
    PlanUsed,
    PlanTotal,
    CapacityArn,
    ResourceTags, // a map
    CostCategory, // a map
    Discount, // a map
    SplitParent,
    Count
};
inline constexpr std::size_t kCurColumns = static_cast<std::size_t>(CurColumn::Count);
inline constexpr CurColumn kLastRequired = CurColumn::UsageType;

std::string_view nameOf(CurColumn column); // as CUR 2.0 writes it

// A field, empty for a bare NULL.
std::string_view cellOf(const format::TextRow &row, std::size_t field);

// Where the columns of a report are. Value type, one per file.
class CurColumns {
public:
    static constexpr int kAbsent = -1;
    // A column of its own for a tag or a cost category, as the older report has them.
    struct Named {
        std::size_t field = 0;
        std::string name; // of the tag, with AWS's prefix: "user:team"
    };

    // std::nullopt: another table. Names are those of CUR 2.0, of the older report ("lineItem/UnblendedCost"), or of
    // its Parquet files and tables.
    static std::optional<CurColumns> fromHeader(const format::TextRow &header);

    int field(CurColumn column) const { return m_fields[static_cast<std::size_t>(column)]; }
    bool has(CurColumn column) const { return field(column) != kAbsent; }
    std::size_t fields() const { return m_count; }
    const std::vector<Named> &tags() const { return m_tags; }
    const std::vector<Named> &categories() const { return m_categories; }
    // Unsupported if a required column is missing, Parse if one appears twice; the sentence names it.
    base::Result<void> check() const;

private:
    CurColumns() { m_fields.fill(kAbsent); }

    std::array<int, kCurColumns> m_fields{};
    std::vector<Named> m_tags, m_categories;
    std::size_t m_count = 0;
    std::string m_duplicate;
};

// What to do about a column that a query leaves out.
base::Error missingColumn(const std::string &names, const std::string &because);

} // namespace gpuledger::cur
