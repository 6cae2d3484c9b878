// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/focus/focuscolumns.h"

#include "app/base/text/text.h"
#include "connectors/format/cur/usagereports.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace gpuledger::focus {

namespace {

using base::ErrorCode;
using base::fail;
using base::Result;
using ports::FocusVersion;

// The requirement level of a column in the specification.
enum class Need {
    Vital, // mandatory, and no line can be assigned or counted without it
    Mandatory,
    Optional, // conditional or recommended
};

struct Known {
    std::string_view name;
    Need need = Need::Optional;
    FocusVersion since = FocusVersion::V1_0;
};

constexpr auto kV11 = FocusVersion::V1_1;
constexpr auto kV12 = FocusVersion::V1_2;

// In the order of Column.
constexpr std::array<Known, kColumns> kKnown{{
    {"AvailabilityZone"},
    {"BilledCost", Need::Vital},
    {"BillingAccountId", Need::Vital},
    {"BillingAccountName", Need::Mandatory},
    {"BillingAccountType", Need::Optional, kV12},
    {"BillingCurrency", Need::Vital},
    {"BillingPeriodEnd", Need::Vital},
    {"BillingPeriodStart", Need::Vital},
    {"CapacityReservationId", Need::Optional, kV11},
    {"CapacityReservationStatus", Need::Optional, kV11},
    {"ChargeCategory", Need::Vital},
    {"ChargeClass", Need::Mandatory},
    {"ChargeDescription", Need::Mandatory},
    {"ChargeFrequency"},
    {"ChargePeriodEnd", Need::Vital},
    {"ChargePeriodStart", Need::Vital},
    {"CommitmentDiscountCategory"},
    {"CommitmentDiscountId"},
    {"CommitmentDiscountName"},
    {"CommitmentDiscountQuantity", Need::Optional, kV11},
    {"CommitmentDiscountStatus"},
    {"CommitmentDiscountType"},
    {"CommitmentDiscountUnit", Need::Optional, kV11},
    {"ConsumedQuantity"},
    {"ConsumedUnit"},
    {"ContractedCost", Need::Mandatory},
    {"ContractedUnitPrice"},
    {"EffectiveCost", Need::Vital},
    {"InvoiceId", Need::Optional, kV12},
    {"InvoiceIssuerName", Need::Mandatory},
    {"ListCost", Need::Mandatory},
    {"ListUnitPrice"},
    {"PricingCategory"},
    {"PricingCurrency", Need::Optional, kV12},
    {"PricingQuantity", Need::Mandatory},
    {"PricingUnit", Need::Mandatory},
    {"ProviderName", Need::Vital},
    {"PublisherName", Need::Mandatory},
    {"RegionId"},
    {"RegionName"},
    {"ResourceId"},
    {"ResourceName"},
    {"ResourceType"},
    {"ServiceCategory", Need::Mandatory},
    {"ServiceName", Need::Vital},
    {"ServiceSubcategory", Need::Optional, kV11},
    {"SkuId"},
    {"SkuMeter", Need::Optional, kV11},
    {"SkuPriceDetails", Need::Optional, kV11},
    {"SkuPriceId"},
    {"SubAccountId"},
    {"SubAccountName"},
    {"SubAccountType", Need::Optional, kV12},
    {"Tags"},
}};
static_assert(!kKnown.back().name.empty());

constexpr std::string_view kLaterProvider = "serviceprovidername"; // 1.3 splits ProviderName
constexpr std::string_view kLaterHost = "hostprovidername";

std::string lowered(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

// Blanks around a name are never part of it.
std::string_view trimmed(std::string_view text)
{
    const auto blank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && blank(text.back()))
        text.remove_suffix(1);
    return text;
}

const std::unordered_map<std::string, Column> &columnsByName()
{
    static const auto kAll = [] {
        std::unordered_map<std::string, Column> all;
        for (std::size_t i = 0; i < kColumns; ++i)
            all.emplace(lowered(kKnown[i].name), static_cast<Column>(i));
        return all;
    }();
    return kAll;
}

// How to fix a file that lacks vital columns, judged by columns that only other kinds of bills have.
const char *remedy(const std::vector<std::string> &names)
{
    const auto has = [&](const char *name) { return std::find(names.begin(), names.end(), name) != names.end(); };
    if (has("costinbillingcurrency"))
        return "this is an Azure cost details export; create an export of the type FOCUS";
    if (has("chargesubcategory") || has("usagequantity"))
        return "the columns are those of FOCUS 1.0-preview; export FOCUS 1.0 or newer";
    if (has("chargetype") || has("provider"))
        return "the columns are those of a draft of FOCUS (0.5); export FOCUS 1.0 or newer";
    return "export it as FOCUS 1.0, 1.1 or 1.2 with all mandatory columns";
}

Result<void> refuseMissing(const std::string &missing, const std::vector<std::string> &names)
{
    if (missing.empty())
        return {};
    return fail(ErrorCode::Unsupported, "mandatory columns are missing: " + missing, remedy(names));
}

FocusVersion laterOf(FocusVersion a, FocusVersion b)
{
    return std::max(a, b);
}

} // namespace

std::string_view nameOf(Column column)
{
    return kKnown[static_cast<std::size_t>(column)].name;
}

Result<ColumnMap> ColumnMap::fromHeader(const format::TextRow &header)
{
    if (header.problem() == format::TextRow::Problem::TooManyFields
        || header.problem() == format::TextRow::Problem::TooLong)
        return fail(ErrorCode::TooMuch, "the header has too many columns");
    if (header.problem() != format::TextRow::Problem::None)
        return fail(ErrorCode::Unsupported, "the first line is not a header");
    GPULEDGER_TRY(cur::problemOf(header));
    ColumnMap map;
    map.m_count = header.size();
    map.m_inFile = header.sizeInFile();
    map.m_version = FocusVersion::V1_0;
    std::vector<std::string> names;
    std::optional<std::size_t> later;
    for (std::size_t i = 0; i < header.size(); ++i) {
        const std::string name = base::repairedUtf8(trimmed(header[i]));
        names.push_back(lowered(name));
        const auto known = columnsByName().find(names.back());
        if (known == columnsByName().end()) {
            if (names.back() == kLaterProvider)
                later = i;
            if (names.back() == kLaterProvider || names.back() == kLaterHost)
                map.m_version = FocusVersion::Later;
            map.m_extras.push_back({i, name});
            continue;
        }
        int &field = map.m_fields[static_cast<std::size_t>(known->second)];
        if (field != kAbsent)
            return fail(ErrorCode::Parse, "the column " + std::string(nameOf(known->second)) + " is duplicated");
        field = static_cast<int>(i);
        map.m_version = laterOf(map.m_version, kKnown[static_cast<std::size_t>(known->second)].since);
    }
    if (later && !map.has(Column::ProviderName))
        map.m_fields[static_cast<std::size_t>(Column::ProviderName)] = static_cast<int>(*later);
    if (cur::isReport(header))
        map.m_version = FocusVersion::UsageReport;
    std::string missing;
    for (std::size_t i = 0; i < kColumns; ++i) {
        if (kKnown[i].need == Need::Vital && map.m_fields[i] == kAbsent)
            missing += (missing.empty() ? "" : ", ") + std::string(kKnown[i].name);
    }
    GPULEDGER_TRY(refuseMissing(missing, names));
    return map;
}

int ColumnMap::extra(std::string_view name) const
{
    for (const Extra &e : m_extras) {
        if (lowered(e.name) == lowered(name))
            return static_cast<int>(e.field);
    }
    return kAbsent;
}

std::vector<Column> ColumnMap::missing() const
{
    std::vector<Column> all;
    for (std::size_t i = 0; i < kColumns; ++i) {
        if (kKnown[i].need != Need::Optional && m_fields[i] == kAbsent)
            all.push_back(static_cast<Column>(i));
    }
    return all;
}

} // namespace gpuledger::focus
