// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/athena/askedcolumns.h"

#include "connectors/format/cur/curcolumns.h"
#include "connectors/format/cur/usagereports.h"
#include "connectors/format/focus/focuscolumns.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace gpuledger::aws {

using base::Result;
using cur::CurColumn;
using focus::Column;

namespace {

using AskedRole = AskedColumn::Role;
using ColumnType = TableColumn::Type;

// Columns of CUR 2.0 for which the map `product` has a member, which the reader takes if the column has no value.
constexpr std::array<std::pair<CurColumn, std::string_view>, 4> kOfProduct{{
    {CurColumn::ProductName, "product_name"},
    {CurColumn::InstanceType, "instance_type"},
    {CurColumn::Region, "region"},
    {CurColumn::PurchaseOption, "purchase_option"},
}};
// That AWS adds to its FOCUS exports; x_Discounts differs in each row, and is not needed.
constexpr std::array<std::string_view, 4> kOfAwsFocus{"x_Operation", "x_ServiceCode", "x_UsageType",
                                                      "x_CostCategories"};
// Tags and cost categories in columns of their own.
constexpr std::array<std::string_view, 2> kOwnColumns{"resource_tags_", "cost_category_"};

AskedRole roleOf(CurColumn column)
{
    switch (column) {
    case CurColumn::UnblendedCost: // see amountOf()
    case CurColumn::PublicCost:
    case CurColumn::ReservationCost:
    case CurColumn::PlanCost:
        return AskedRole::Money;
    case CurColumn::UsageAmount:
    case CurColumn::UnusedUpfront:
    case CurColumn::UnusedRecurring:
    case CurColumn::PlanUsed:
    case CurColumn::PlanTotal:
        return AskedRole::Exact;
    case CurColumn::UsageStart:
        return AskedRole::Start;
    case CurColumn::UsageEnd:
        return AskedRole::End;
    case CurColumn::TimeInterval:
        return AskedRole::Interval;
    default:
        return AskedRole::Key;
    }
}

AskedRole roleOf(Column column)
{
    switch (column) {
    case Column::BilledCost:
    case Column::EffectiveCost:
    case Column::ListCost:
    case Column::ContractedCost:
        return AskedRole::Money;
    case Column::ConsumedQuantity:
    case Column::PricingQuantity:
    case Column::CommitmentDiscountQuantity:
        return AskedRole::Exact;
    case Column::ChargePeriodStart:
        return AskedRole::Start;
    case Column::ChargePeriodEnd:
        return AskedRole::End;
    default:
        return AskedRole::Key;
    }
}

std::string loweredName(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

const TableColumn *columnOf(const AthenaTable &table, std::string_view name)
{
    const std::string lower = loweredName(name);
    const auto at = std::find_if(table.columns.begin(), table.columns.end(),
                                 [&](const TableColumn &one) { return one.name == lower; });
    return at == table.columns.end() ? nullptr : &*at;
}

// As the readers of files have it.
std::string textExpression(const TableColumn &column)
{
    const std::string name = quotedName(column.name);
    switch (column.type) {
    case ColumnType::Text:
        return name;
    case ColumnType::Time:
        return "replace(substr(CAST(" + name + " AS VARCHAR), 1, 19), ' ', 'T') || 'Z'";
    case ColumnType::Nested:
        return "json_format(CAST(" + name + " AS JSON))";
    case ColumnType::Number:
    case ColumnType::Other:
        break;
    }
    return "CAST(" + name + " AS VARCHAR)";
}

// A floating-point number becomes the decimal number of its shortest text, as in the reader of Parquet. A text that is
// no number ends the query.
std::string decimalExpression(const TableColumn &column, int digits)
{
    const std::string name = quotedName(column.name), to = " AS DECIMAL(38," + std::to_string(digits) + "))";
    if (column.type != ColumnType::Text)
        return "CAST(" + name + to;
    const std::string text = "NULLIF(" + name + ", '')";
    return "COALESCE(TRY_CAST(" + text + to + ", CAST(CAST(" + text + " AS DOUBLE)" + to + ")";
}

std::string amountExpression(const TableColumn &column, AskedRole role)
{
    constexpr int kMoneyDigits = 9, kExactDigits = 12;
    return decimalExpression(column, role == AskedRole::Money ? kMoneyDigits : kExactDigits);
}

AskedColumn asked(const TableColumn &column, std::string_view name, AskedRole role)
{
    const bool isAmount = role == AskedRole::Money || role == AskedRole::Exact;
    return {std::string(name), role, isAmount ? amountExpression(column, role) : textExpression(column)};
}

// Covered usage and its negation are rounded once, after they were added up.
std::string unblendedExpression(const TableColumn &column, const TableColumn &type)
{
    return "CASE WHEN " + quotedName(type.name) + " IN ('SavingsPlanCoveredUsage', 'SavingsPlanNegation') THEN "
        + amountExpression(column, AskedRole::Exact) + " ELSE CAST(" + amountExpression(column, AskedRole::Money)
        + " AS DECIMAL(38,12)) END";
}

void addReport(const AthenaTable &table, std::vector<AskedColumn> &out)
{
    const TableColumn *product = columnOf(table, cur::nameOf(CurColumn::Product));
    const bool isMap = product && product->type == ColumnType::Nested;
    for (std::size_t i = 0; i < cur::kCurColumns; ++i) {
        const auto column = static_cast<CurColumn>(i);
        const TableColumn *given = columnOf(table, cur::nameOf(column));
        const auto member =
            std::find_if(kOfProduct.begin(), kOfProduct.end(), [&](const auto &one) { return one.first == column; });
        if (isMap && member != kOfProduct.end()) {
            const std::string inMap =
                "element_at(" + quotedName(product->name) + ", " + quotedText(member->second) + ')';
            out.push_back({std::string(cur::nameOf(column)), AskedRole::Key,
                           given ? "COALESCE(NULLIF(" + textExpression(*given) + ", ''), " + inMap + ')' : inMap});
            continue;
        }
        // Discounts are rows of their own, too, and their map differs in each row.
        if (!given || column == CurColumn::Discount || (column == CurColumn::Product && isMap))
            continue;
        out.push_back(asked(*given, cur::nameOf(column), roleOf(column)));
        const TableColumn *type = columnOf(table, cur::nameOf(CurColumn::LineItemType));
        if (column == CurColumn::UnblendedCost && type)
            out.back().expression = unblendedExpression(*given, *type);
    }
    for (const TableColumn &column : table.columns) {
        const bool isOwn = std::any_of(kOwnColumns.begin(), kOwnColumns.end(), [&](std::string_view prefix) {
            return column.name.size() > prefix.size() && column.name.starts_with(prefix);
        });
        if (isOwn)
            out.push_back(asked(column, column.name, AskedRole::Key));
    }
}

void addFocus(const AthenaTable &table, std::vector<AskedColumn> &out)
{
    for (std::size_t i = 0; i < focus::kColumns; ++i) {
        const auto column = static_cast<Column>(i);
        if (const TableColumn *given = columnOf(table, focus::nameOf(column)))
            out.push_back(asked(*given, focus::nameOf(column), roleOf(column)));
    }
    for (const std::string_view name : kOfAwsFocus) {
        if (const TableColumn *given = columnOf(table, name))
            out.push_back(asked(*given, name, AskedRole::Key));
    }
}

// What the readers will say about a file with these columns, before anything is paid for.
Result<void> checkHeader(const std::vector<AskedColumn> &columns)
{
    format::TextRow header;
    {
        format::TextRowWriter to(header, format::TextRow());
        for (const AskedColumn &one : columns)
            to.add(one.name);
    }
    GPULEDGER_TRY(cur::problemOf(header));
    if (!cur::CurColumns::fromHeader(header))
        GPULEDGER_TRY(focus::ColumnMap::fromHeader(header));
    return {};
}

std::string doubled(std::string_view text, char quote)
{
    std::string out(1, quote);
    for (const char c : text)
        out += c == quote ? std::string(2, c) : std::string(1, c);
    return out + quote;
}

} // namespace

std::string quotedName(std::string_view name)
{
    return doubled(name, '"');
}

std::string quotedText(std::string_view text)
{
    return doubled(text, '\'');
}

Result<AskedColumns> AskedColumns::of(const AthenaTable &table)
{
    AskedColumns out;
    out.isReport =
        columnOf(table, cur::nameOf(CurColumn::LineItemType)) || columnOf(table, cur::nameOf(CurColumn::UnblendedCost));
    if (out.isReport)
        addReport(table, out.columns);
    else
        addFocus(table, out.columns);
    GPULEDGER_TRY(checkHeader(out.columns));
    return out;
}

} // namespace gpuledger::aws
