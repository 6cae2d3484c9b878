// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/athena/monthquestion.h"

#include "app/base/remedy.h"
#include "connectors/aws/athena/askedcolumns.h"
#include "connectors/format/cur/curcolumns.h"

#include <algorithm>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;

namespace {

using ColumnRole = AskedColumn::Role;

constexpr const char *kPartition = "billing_period"; // of the tables that AWS and its crawlers make of exports
constexpr const char *kIsDay = "\"gpuledger_day\"";

bool isSum(ColumnRole role)
{
    return role == ColumnRole::Money || role == ColumnRole::Exact;
}

const std::string *nameOfRole(const AskedColumns &asked, ColumnRole role)
{
    const auto at = std::find_if(asked.columns.begin(), asked.columns.end(),
                                 [&](const AskedColumn &one) { return one.role == role; });
    return at == asked.columns.end() ? nullptr : &at->name;
}

// A row that lies within one day (UTC), and may be added to others of that day. Fees stay as they are, because what of
// them is unused is a difference of two columns, which is rounded in each row.
std::string isDayExpression(const AskedColumns &asked)
{
    const std::string *start = nameOfRole(asked, ColumnRole::Start), *end = nameOfRole(asked, ColumnRole::End);
    const std::string from = quotedName(*start), to = quotedName(*end);
    std::string out = from + " < " + to + " AND " + from + " LIKE '%Z' AND " + to + " LIKE '%Z'"
        + " AND replace(substr(" + to + ", 1, 19), ' ', 'T') <= (substr(CAST(TRY_CAST(substr(" + from
        + ", 1, 10) AS DATE) + INTERVAL '1' DAY AS VARCHAR), 1, 10) || 'T00:00:00')";
    if (asked.isReport)
        out += " AND " + quotedName(cur::nameOf(cur::CurColumn::LineItemType))
            + " NOT IN ('RIFee', 'SavingsPlanRecurringFee')";
    return "COALESCE(" + out + ", FALSE)";
}

// The files alone that the manifest names: a folder may have older versions of them.
std::string rowsOf(const AthenaSettings &settings, const AskedColumns &asked, const format::AskedMonthFiles &month,
                   bool isPartitioned)
{
    std::string out = "SELECT ";
    for (const AskedColumn &one : asked.columns)
        out += (&one == &asked.columns.front() ? "" : ", ") + one.expression + " AS " + quotedName(one.name);
    out += " FROM " + quotedName(settings.database) + '.' + quotedName(settings.table) + "\nWHERE ";
    if (isPartitioned)
        out += quotedName(kPartition) + " = " + quotedText(month.period) + " AND ";
    out += "\"$path\" IN (";
    for (const std::string &name : month.names)
        out += (&name == &month.names.front() ? "" : ", ") + quotedText(name);
    return out + ')';
}

std::string onlyOfOthers(const std::string &column)
{
    return std::string("CASE WHEN ") + kIsDay + " THEN '' ELSE " + quotedName(column) + " END";
}

std::string sqlOf(const AthenaSettings &settings, const AskedColumns &asked, const format::AskedMonthFiles &month,
                  bool isPartitioned)
{
    const std::string *start = nameOfRole(asked, ColumnRole::Start), *end = nameOfRole(asked, ColumnRole::End),
                      *interval = nameOfRole(asked, ColumnRole::Interval);
    std::string given, groups = "\"gpuledger_from\", \"gpuledger_to\"";
    for (const AskedColumn &one : asked.columns) {
        const std::string name = quotedName(one.name);
        given += given.empty() ? "" : ", ";
        if (isSum(one.role)) {
            given += "SUM(" + name + ") AS " + name;
            groups += ", " + name + " IS NULL"; // else a row without an amount would go unnoticed
        } else if (one.role == ColumnRole::Start || one.role == ColumnRole::End) {
            given += (one.role == ColumnRole::Start ? "MIN(" : "MAX(") + name + ") AS " + name;
        } else if (one.role == ColumnRole::Interval) {
            given += "\"gpuledger_interval\" AS " + name;
            groups += ", \"gpuledger_interval\"";
        } else {
            given += name;
            groups += ", " + name;
        }
    }
    const std::string day = std::string("CASE WHEN ") + kIsDay + " THEN substr(" + quotedName(*start) + ", 1, 10) ELSE "
        + quotedName(*start) + " END AS \"gpuledger_from\", " + onlyOfOthers(*end) + " AS \"gpuledger_to\""
        + (interval ? ", " + onlyOfOthers(*interval) + " AS \"gpuledger_interval\"" : "");
    return "SELECT " + given + "\nFROM (SELECT *, " + day + "\nFROM (SELECT *, " + isDayExpression(asked) + " AS "
        + kIsDay + "\nFROM (" + rowsOf(settings, asked, month, isPartitioned) + ")))\nGROUP BY " + groups;
}

} // namespace

Result<MonthQuestion> MonthQuestion::of(const AthenaSettings &settings, const AthenaTable &table,
                                        const format::AskedMonthFiles &month)
{
    const auto asked = AskedColumns::of(table);
    if (!asked)
        return base::fail(base::Error(asked.error()).withSource(settings.database + '.' + settings.table));
    const bool isPartitioned =
        std::find(table.partitions.begin(), table.partitions.end(), kPartition) != table.partitions.end();
    MonthQuestion out;
    out.bytes = isPartitioned ? month.bytes : month.allBytes;
    for (const AskedColumn &one : asked->columns)
        out.columns.push_back(one.name);
    out.sql = sqlOf(settings, *asked, month, isPartitioned);
    if (out.sql.size() > kMostText)
        return base::fail(ErrorCode::TooMuch,
                          "the month " + month.period
                              + " has too many files for one query of Athena: " + std::to_string(month.names.size()),
                          base::Remedy::ExportFewerFiles);
    return out;
}

} // namespace gpuledger::aws
