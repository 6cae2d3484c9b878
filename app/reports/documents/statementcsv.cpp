// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/text/csvtext.h"
#include "app/base/text/text.h"
#include "app/reports/documents/documents.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace gpuledger::reports {

namespace {

constexpr std::size_t kLongestCsvName = 200; // bytes

// Nine decimals, independent of the locale.
std::string csvHours(base::GpuTime time)
{
    std::array<char, 64> text{};
    const auto [end, ec] =
        std::to_chars(text.data(), text.data() + text.size(), time.hours(), std::chars_format::fixed, 9);
    return {text.data(), end};
}

constexpr std::array kBudgetColumns{"budget",      "budget_carried", "budget_available", "budget_spent",
                                    "budget_left", "forecast",       "forecast_low",     "forecast_high"};

void addCsvLine(std::string &out, std::vector<std::string> cells, std::size_t columns)
{
    cells.resize(std::max(columns, cells.size()));
    for (std::size_t i = 0; i < cells.size(); ++i)
        out += (i > 0 ? "," : "") + base::csvCell(cells[i]);
    out += "\r\n";
}

void addBudgetLines(std::string &out, const Statement &statement, const std::string &view, std::size_t columns)
{
    const auto decimal = [](const std::optional<base::Money> &amount) { return amount ? amount->toDecimal() : ""; };
    for (const StatementBudget &one : statement.budgets) {
        const base::Currency currency = one.amount.currency();
        const std::string none = base::Money(0, currency).toDecimal();
        addCsvLine(out,
                   {insight::toString(statement.month),
                    base::printable(one.team, kLongestCsvName),
                    "budget",
                    "",
                    "",
                    "true",
                    none,
                    none,
                    std::string(currency.code()),
                    view,
                    "",
                    std::string(toString(statement.status.state)),
                    decimal(one.amount),
                    decimal(one.carried),
                    decimal(one.available),
                    decimal(one.spent),
                    decimal(one.left),
                    decimal(one.expected),
                    decimal(one.low),
                    decimal(one.high)},
                   columns);
    }
}

} // namespace

std::string categoryName(std::string_view category)
{
    if (category == "gpu")
        return "GPU time";
    if (category == "ai")
        return "AI services";
    std::string name(category);
    for (char &c : name)
        c = c == '-' ? ' ' : c;
    return name;
}

std::string teamName(std::string_view team)
{
    return team.empty() ? "(no team)" : base::printable(team, kLongestCsvName);
}

std::string cutText(const Statement &statement)
{
    return "GPU time was fetched only from " + base::toRfc3339(statement.observed.start) + " to "
        + base::toRfc3339(statement.observed.end) + ": what was used before and after is missing.";
}

std::string statusText(const MonthStatus &status)
{
    constexpr std::size_t kLongestText = 8000; // bytes
    const auto signedOff = [](base::UtcTime at, const std::string &by) {
        return ' ' + base::toRfc3339(at) + (by.empty() ? "" : " by " + base::printable(by, kLongestCsvName));
    };
    if (status.outdated)
        return "draft; its figures changed since it was reviewed" + signedOff(status.outdated->at, status.outdated->by);
    std::string text(toString(status.state));
    if (status.at)
        text += signedOff(*status.at, status.by);
    return text + (status.reason.empty() ? "" : "; reason: " + base::printable(status.reason, kLongestText));
}

std::string viewName(CostView view)
{
    return view == CostView::Billed ? "billed cost" : "effective cost";
}

std::vector<std::pair<std::string, base::Money>> changeParts(const StatementChange &change)
{
    std::vector<std::pair<std::string, base::Money>> parts{{"price", change.price},
                                                           {"work", change.hours},
                                                           {"efficiency", change.efficiency},
                                                           {"mix of GPUs", change.mix},
                                                           {"other", change.other}};
    if (change.state != StatementChange::Before::Closed)
        return parts;
    if (change.policy && change.late) {
        parts.emplace_back("other rules", *change.policy);
        parts.emplace_back("late data", *change.late);
    } else {
        parts.emplace_back("other rules or late data", change.restated);
    }
    return parts;
}

std::string restatedText(const StatementChange &change)
{
    if (change.state != StatementChange::Before::Closed)
        return {};
    return change.policy && change.late
        ? "The month before is closed: late data is what became known since; other rules is the effect of the current "
          "settings."
        : "The month before is closed, and this program does not know the rules it was closed with: other rules can't "
          "be "
          "told apart from late data.";
}

std::string toCsv(const Statement &statement)
{
    std::string out;
    std::vector<std::string> titles{"month", "team",      "category", "state", "gpu_hours",     "gpu_hours_complete",
                                    "cost",  "estimated", "currency", "view",  "adjustment_of", "status"};
    if (!statement.budgets.empty())
        titles.insert(titles.end(), kBudgetColumns.begin(), kBudgetColumns.end());
    const std::size_t columns = titles.size();
    addCsvLine(out, titles, columns);
    const std::string status(toString(statement.status.state));
    const std::string month = insight::toString(statement.month);
    const std::string view = statement.view == CostView::Billed ? "billed" : "effective";
    for (const CurrencyStatement &currency : statement.currencies) {
        for (const TeamStatement &team : currency.teams) {
            for (const StatementLine &line : team.lines)
                addCsvLine(out,
                           {month, base::printable(team.team, kLongestCsvName), line.category, line.state,
                            line.gpuTime ? csvHours(*line.gpuTime) : "", line.gpuTimeComplete ? "true" : "false",
                            line.cost.toDecimal(), line.estimated.toDecimal(), std::string(currency.currency.code()),
                            view, "", status},
                           columns);
            if (!team.moved.isZero()) // who pays: adds up to zero over all teams, or to minus what no team pays
                addCsvLine(out,
                           {month, base::printable(team.team, kLongestCsvName), "shared-out", "", "", "true",
                            team.moved.toDecimal(), base::Money(0, currency.currency).toDecimal(),
                            std::string(currency.currency.code()), view, "", status},
                           columns);
        }
        for (const StatementAdjustment &one : currency.adjustments)
            addCsvLine(out,
                       {month, base::printable(one.team, kLongestCsvName), one.category, one.state, "", "true",
                        one.cost.toDecimal(), one.estimated.toDecimal(), std::string(currency.currency.code()), view,
                        referenceOf(one.of, one.closedAt), status},
                       columns);
    }
    addBudgetLines(out, statement, view, columns);
    return out;
}

} // namespace gpuledger::reports
