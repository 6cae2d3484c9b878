// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/cur/curcolumns.h"

#include "app/base/text/text.h"
#include "connectors/format/cur/curmaps.h"

#include <algorithm>
#include <unordered_map>

namespace gpuledger::cur {

namespace {

// In the order of CurColumn.
constexpr std::array<std::string_view, kCurColumns> kCurNames{
    "line_item_line_item_type",
    "line_item_unblended_cost",
    "line_item_currency_code",
    "bill_payer_account_id",
    "bill_billing_period_start_date",
    "bill_billing_period_end_date",
    "line_item_usage_start_date",
    "line_item_usage_end_date",
    "line_item_usage_account_id",
    "line_item_product_code",
    "line_item_usage_type",
    "bill_payer_account_name",
    "line_item_usage_account_name",
    "bill_invoice_id",
    "bill_invoicing_entity",
    "line_item_legal_entity",
    "identity_time_interval",
    "line_item_operation",
    "line_item_availability_zone",
    "line_item_usage_amount",
    "line_item_resource_id",
    "line_item_line_item_description",
    "line_item_unblended_rate",
    "pricing_unit",
    "pricing_public_on_demand_cost",
    "pricing_public_on_demand_rate",
    "pricing_rate_code",
    "product_product_name",
    "product",
    "product_instance_type",
    "product_region_code",
    "product_region",
    "product_sku",
    "product_purchase_option",
    "reservation_reservation_a_r_n",
    "reservation_effective_cost",
    "reservation_unused_amortized_upfront_fee_for_billing_period",
    "reservation_unused_recurring_fee",
    "savings_plan_savings_plan_a_r_n",
    "savings_plan_savings_plan_effective_cost",
    "savings_plan_used_commitment",
    "savings_plan_total_commitment_to_date",
    "capacity_reservation_capacity_reservation_arn",
    "resource_tags",
    "cost_category",
    "discount",
    "split_line_item_parent_resource_id",
};
static_assert(!kCurNames.back().empty());

constexpr std::size_t kShownOfName = 100;

bool isCapital(char c)
{
    return c >= 'A' && c <= 'Z';
}

char smallLetter(char c)
{
    return isCapital(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

// As AWS names the columns of its tables: "lineItem/UsageType" and "product.instance_type" become
// "line_item_usage_type" and "product_instance_type", "savingsPlan/SavingsPlanARN" "savings_plan_savings_plan_a_r_n".
std::string tableName(std::string_view header)
{
    std::string out;
    for (const char c : header) {
        const bool isWord = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (isCapital(c) && !out.empty() && out.back() != '_')
            out += '_';
        if (isWord || isCapital(c))
            out += smallLetter(c);
        else if (!out.empty() && out.back() != '_')
            out += '_';
    }
    return out;
}

const std::unordered_map<std::string_view, CurColumn> &curColumnsByName()
{
    static const auto kAll = [] {
        std::unordered_map<std::string_view, CurColumn> all;
        for (std::size_t i = 0; i < kCurColumns; ++i)
            all.emplace(kCurNames[i], static_cast<CurColumn>(i));
        return all;
    }();
    return kAll;
}

// The rest of a name behind any of these prefixes, in any case; empty: it has none.
std::string_view behind(std::string_view name, std::initializer_list<std::string_view> prefixes)
{
    for (const std::string_view prefix : prefixes) {
        const bool has = name.size() > prefix.size()
            && std::equal(prefix.begin(), prefix.end(), name.begin(),
                          [](char a, char b) { return smallLetter(a) == smallLetter(b); });
        if (has)
            return name.substr(prefix.size());
    }
    return {};
}

} // namespace

std::string_view nameOf(CurColumn column)
{
    return kCurNames[static_cast<std::size_t>(column)];
}

std::string_view cellOf(const format::TextRow &row, std::size_t field)
{
    const std::string_view text = row[field];
    const bool isNull = !row.quoted(field) && (text == "NULL" || text == "null" || text == "Null");
    return isNull ? std::string_view() : text;
}

std::optional<CurColumns> CurColumns::fromHeader(const format::TextRow &header)
{
    if (header.problem() != format::TextRow::Problem::None)
        return std::nullopt;
    CurColumns out;
    out.m_count = header.size();
    for (std::size_t i = 0; i < header.size(); ++i) {
        const std::string written = base::repairedUtf8(header[i]);
        if (const auto tag = behind(written, {"resourceTags/", "resource_tags.", "resource_tags_"}); !tag.empty()) {
            out.m_tags.push_back({i, tagName(tag)});
            continue;
        }
        if (const auto name = behind(written, {"costCategory/", "cost_category.", "cost_category_"}); !name.empty()) {
            out.m_categories.push_back({i, std::string(name)});
            continue;
        }
        const auto known = curColumnsByName().find(tableName(written));
        if (known == curColumnsByName().end())
            continue;
        int &field = out.m_fields[static_cast<std::size_t>(known->second)];
        if (field != kAbsent)
            out.m_duplicate = written;
        field = static_cast<int>(i);
    }
    if (!out.has(CurColumn::UnblendedCost) && !out.has(CurColumn::LineItemType))
        return std::nullopt;
    return out;
}

base::Result<void> CurColumns::check() const
{
    if (!m_duplicate.empty())
        return base::fail(base::ErrorCode::Parse,
                          "the column " + base::printable(m_duplicate, kShownOfName) + " is duplicated");
    std::string missing;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(kLastRequired); ++i) {
        if (m_fields[i] == kAbsent)
            missing += (missing.empty() ? "" : ", ") + std::string(kCurNames[i]);
    }
    if (!missing.empty())
        return base::fail(missingColumn(missing, {}));
    return {};
}

base::Error missingColumn(const std::string &names, const std::string &because)
{
    return base::Error::make(base::ErrorCode::Unsupported, "the Cost and Usage Report has no column " + names + because,
                             "add to the SELECT of the export's query: " + names);
}

} // namespace gpuledger::cur
