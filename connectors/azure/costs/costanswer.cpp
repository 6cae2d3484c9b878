// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/costs/costanswer.h"

#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/format/numbertext.h"

#include <optional>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestCell = 1024; // bytes of a resource id, a meter or a tag

tl::unexpected<base::Error> unreadable(const std::string &what)
{
    return base::fail(ErrorCode::Parse, "Cost Management's answer can't be read: " + what);
}

std::string cellText(const Json &row, std::size_t column)
{
    return row[column].is_string() ? row[column].get<std::string>() : std::string();
}

// 20261121, a number.
std::optional<base::Day> usageDay(const std::string &text)
{
    const auto number = base::Decimal::parse(text);
    const std::string digits = number ? number->toText() : std::string();
    constexpr std::size_t kDigits = 8, kYear = 4, kMonth = 6;
    if (digits.size() != kDigits)
        return std::nullopt;
    const auto time =
        base::parseTime(digits.substr(0, kYear) + '-' + digits.substr(kYear, 2) + '-' + digits.substr(kMonth));
    return time ? std::optional(base::dayOf(*time)) : std::nullopt;
}

} // namespace

// Positions by name: Azure moves its columns.
struct CostAnswer::Columns {
    std::size_t count = 0;
    std::optional<std::size_t> cost, day, currency, first, second;

    static Columns of(const Json &columns, const GroupNames &names)
    {
        Columns out;
        out.count = columns.size();
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const std::string name = lowerCase(format::textOf(columns[i], "name"));
            if (name == "cost" || (name == "pretaxcost" && !out.cost))
                out.cost = i;
            else if (name == "usagedate")
                out.day = i;
            else if (name == "currency")
                out.currency = i;
            else if (!names.first.empty() && name == lowerCase(names.first))
                out.first = i;
            else if (!names.second.empty() && name == lowerCase(names.second))
                out.second = i;
        }
        return out;
    }
};

CostAnswer::CostAnswer(CostQuestion question, const CostSettings &settings)
    : m_question(question)
    , m_names(groupNamesOf(question, settings))
    , m_server(settings.manager.address)
{
}

Result<std::string> CostAnswer::add(const std::string &body)
{
    const auto page = format::parseWithNumbersAsText(body);
    if (!page)
        return unreadable(page.error().text);
    const Json &properties = format::memberOf(*page, "properties");
    const Json &columns = format::memberOf(properties, "columns"), &rows = format::memberOf(properties, "rows");
    if (!columns.is_array() || !rows.is_array())
        return unreadable("it has no rows");
    const Columns at = Columns::of(columns, m_names);
    // An empty page in the middle may leave out its columns.
    const bool hasAll = at.cost && at.day && at.currency && (m_names.first.empty() || (at.first && at.second));
    if (!hasAll && !rows.empty())
        return unreadable("a column is missing");
    for (const Json &row : rows)
        GPULEDGER_TRY(addRow(row, at));
    auto next = nextPage(format::textOf(properties, "nextLink"), m_server);
    if (!next)
        return unreadable(next.error().text);
    return next;
}

Result<void> CostAnswer::addRow(const Json &row, const Columns &columns)
{
    if (!row.is_array() || row.size() != columns.count)
        return unreadable("a row has another number of cells than there are columns");
    const auto day = usageDay(cellText(row, *columns.day));
    if (!day || !m_question.days.contains(day->start()))
        return unreadable("it has a day that was not asked");
    const auto amount = base::Decimal::parse(cellText(row, *columns.cost));
    if (!amount)
        return amount.error().code == ErrorCode::Overflow ? base::fail(amount.error())
                                                          : unreadable("a row has no amount");
    const std::string currency = cellText(row, *columns.currency);
    if (!base::Currency::parse(currency))
        return unreadable("an amount has no currency");
    if (++m_rows > kMostRows)
        return base::fail(ErrorCode::TooMuch,
                          "one answer of Cost Management has more than 1,000,000 rows; a narrower scope has fewer");
    CostCell cell{*day, currency, {}, {}};
    if (columns.first && columns.second) {
        cell.first = base::printable(cellText(row, *columns.first), kLongestCell);
        cell.second = base::printable(cellText(row, *columns.second), kLongestCell);
        if (m_names.first == "ResourceId" || m_names.first == "SubscriptionId")
            cell.first = lowerCase(std::move(cell.first));
    }
    base::Decimal &sum = m_cells[std::move(cell)];
    const auto more = sum.plus(*amount); // the same group may come twice: ids change their case
    GPULEDGER_TRY(more);
    sum = *more;
    return {};
}

} // namespace gpuledger::azure
