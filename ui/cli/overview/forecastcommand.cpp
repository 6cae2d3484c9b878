// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/overview/forecastcommand.h"

#include "app/base/text/text.h"
#include "app/services/alerts/alertservice.h"
#include "app/services/alerts/forecastanswer.h"
#include "ui/cli/overview/suggestprint.h"
#include "ui/cli/program/costoption.h"
#include "ui/cli/program/reachprint.h"
#include "ui/format/phrases/figures.h"

#include <CLI/CLI.hpp>

namespace gpuledger::cli {

namespace {

using alerts::Budget;
using alerts::BudgetState;
using alerts::ForecastMethod;
using alerts::PeriodForecast;
using services::ForecastAnswer;
using services::ScopeForecast;

constexpr std::string_view kProject = "project";

std::vector<std::string> forecastRows()
{
    std::vector<std::string> names = rowNames();
    names.emplace_back(kProject);
    return names;
}

// Unknown if nothing is known of any day that has passed.
std::optional<base::Money> knownSpent(const PeriodForecast &forecast)
{
    const bool isUnknown =
        forecast.method == ForecastMethod::None && forecast.unknownDays > 0 && forecast.spent.isZero();
    return isUnknown ? std::nullopt : std::optional(forecast.spent);
}

Json forecastJson(const PeriodForecast &forecast)
{
    return {{"period", forecast.period.name()},
            {"spent", cli::toJson(knownSpent(forecast))},
            {"expected", cli::toJson(forecast.expected)},
            {"low", cli::toJson(forecast.low)},
            {"high", cli::toJson(forecast.high)},
            {"method", std::string(alerts::toString(forecast.method))},
            {"error_last_3_months", cli::toJson(forecast.error)},
            {"months_judged", forecast.errorMonths},
            {"unknown_days", forecast.unknownDays},
            {"completed_days", forecast.completedDays},
            {"open_days", forecast.openDays},
            {"days_left", forecast.daysLeft}};
}

Json budgetJson(const Budget &budget, const BudgetState &state)
{
    return {{"period", state.forecast.period.name()},
            {"amount", cli::toJson(std::optional(budget.amount))},
            {"carried", cli::toJson(state.carried)},
            {"available", cli::toJson(std::optional(state.available))},
            {"spent", cli::toJson(std::optional(state.forecast.spent))},
            {"expected", cli::toJson(state.forecast.expected)},
            {"low", cli::toJson(state.forecast.low)},
            {"high", cli::toJson(state.forecast.high)},
            {"share", cli::toJson(state.share)},
            {"forecast_share", cli::toJson(state.forecastShare)},
            {"crossed", cli::toJson(state.crossed)},
            {"crossed_by_forecast", cli::toJson(state.crossedByForecast)},
            {"suggested", cli::toJson(state.suggested)}};
}

Json scopeJson(const ScopeForecast &scope)
{
    Json json{{"key", scope.key}};
    if (!scope.name.empty())
        json["name"] = scope.name;
    json.update(forecastJson(scope.forecast));
    json["budgets"] = Json::array();
    for (const auto &[budget, state] : scope.budgets)
        json["budgets"].push_back(budgetJson(budget, state));
    return json;
}

Json answerJson(const ForecastAnswer &answer, const std::string &by, model::CostView view)
{
    const base::TimeRange range = answer.period.range();
    Json json{{"from", cli::toJson(range.start)},
              {"to", cli::toJson(range.end)},
              {"by", by},
              {"cost", std::string(model::toString(view))},
              {"data", cli::toJson(answer.reach)},
              {"total", scopeJson(answer.total)},
              {"rows", Json::array()}};
    for (const ScopeForecast &row : answer.rows)
        json["rows"].push_back(scopeJson(row));
    return json;
}

// One line for each scope, or for each of its budgets.
std::string forecastCsv(const ForecastAnswer &answer, const std::string &by)
{
    ui::TextTable table({{by},
                         {"period"},
                         {"spent"},
                         {"expected"},
                         {"low"},
                         {"high"},
                         {"currency"},
                         {"method"},
                         {"error_last_3_months"},
                         {"unknown_days"},
                         {"budget"},
                         {"available"},
                         {"share"},
                         {"forecast_share"}});
    const auto money = [](const std::optional<base::Money> &m) { return m ? m->toDecimal() : std::string(); };
    const auto number = [](std::optional<double> v) { return v ? ui::fixed(*v, 9) : std::string(); };
    const auto add = [&](const std::string &key, const PeriodForecast &f, const Budget *budget,
                         const BudgetState *state) {
        table.add({key, f.period.name(), money(knownSpent(f)), money(f.expected), money(f.low), money(f.high),
                   std::string(answer.currency.code()), std::string(alerts::toString(f.method)), number(f.error),
                   std::to_string(f.unknownDays), budget ? budget->amount.toDecimal() : "",
                   state ? state->available.toDecimal() : "", state ? number(state->share) : "",
                   state ? number(state->forecastShare) : ""});
    };
    for (const ScopeForecast &row : answer.rows) {
        for (const auto &[budget, state] : row.budgets)
            add(row.key, state.forecast, &budget, &state);
        if (row.budgets.empty())
            add(row.key, row.forecast, nullptr, nullptr);
    }
    return table.toCsv();
}

std::string amountOrDash(const std::optional<base::Money> &amount)
{
    return amount ? ui::amountText(amount->nanos()) : "-";
}

std::string budgetText(const ScopeForecast &scope, const std::string &code)
{
    std::string text;
    for (const auto &[budget, state] : scope.budgets) {
        text += base::printable(scope.key, 64) + ", " + state.forecast.period.name() + ": "
            + ui::amountText(state.forecast.spent.nanos()) + " of " + ui::amountText(state.available.nanos()) + ' '
            + code + " spent (" + ui::percentText(state.share) + "), forecast " + amountOrDash(state.forecast.expected)
            + " (" + ui::percentText(state.forecastShare) + ')';
        if (state.crossed)
            text += "; spend has reached the warning at " + ui::percentText(state.crossed);
        if (state.crossedByForecast)
            text += "; the forecast reaches the warning at " + ui::percentText(state.crossedByForecast);
        text += '\n';
    }
    return text;
}

// What the figures leave open.
std::string forecastRemarks(const ForecastAnswer &answer)
{
    std::string text;
    const PeriodForecast &total = answer.total.forecast;
    if (total.method == ForecastMethod::RunRate)
        text += "fewer than 14 days are known: a straight run rate, without a range\n";
    if (total.unknownDays > 0)
        text += std::to_string(total.unknownDays)
            + " days of the period are unknown; the forecast has an estimate for them, \"spent\" only what is known\n";
    if (total.completedDays > 0)
        text += std::to_string(total.completedDays)
            + " days with unfinished bills: the forecast completes them by what days of their age used to gain\n";
    if (total.openDays > 0)
        text += std::to_string(total.openDays) + " days with bills that may still grow count as they are\n";
    return text;
}

std::string forecastTable(const ForecastAnswer &answer, const std::string &by, model::CostView view, bool bold)
{
    using Align = ui::TextTable::Align;
    const std::string code(answer.currency.code());
    ui::TextTable table({{by},
                         {"spent " + code, Align::Right},
                         {"forecast", Align::Right},
                         {"low", Align::Right},
                         {"high", Align::Right},
                         {"error before", Align::Right},
                         {"method"}});
    const auto add = [&](const std::string &key, const PeriodForecast &f) {
        table.add({key, amountOrDash(knownSpent(f)), amountOrDash(f.expected), amountOrDash(f.low),
                   amountOrDash(f.high), ui::percentText(f.error), std::string(alerts::toString(f.method))});
    };
    std::string budgets;
    for (const ScopeForecast &row : answer.rows) {
        add(row.key.empty() ? "(none)" : row.name.empty() ? row.key : row.key + " (" + row.name + ')', row.forecast);
        budgets += budgetText(row, code);
    }
    add("total", answer.total.forecast);
    return "Forecast for " + answer.period.name() + " (UTC days; low to high: 80 %)" + viewText(view) + '\n'
        + table.toText(bold) + forecastRemarks(answer) + (budgets.empty() ? "" : "Budgets\n" + budgets);
}

} // namespace

void ForecastCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "forecast", "What each team will have cost at the end of the month, beside its budget",
                     "gpuledger-cli forecast --by team --json");
    m_verb->add_option("--by", m_by, "One row for each: " + joinedNames(forecastRows()));
    m_verb->add_option("--period", m_period, "month (default), quarter or year: the one that contains now")
        ->check(CLI::IsMember({"month", "quarter", "year"}));
    m_verb->add_flag("--suggest", m_suggest,
                     "Budgets from the last three whole periods instead, to paste into the configuration");
    addCostOption(*m_verb, m_cost);
}

base::Result<int> ForecastCommand::printSuggested(const ForecastAnswer &answer, const std::string &by,
                                                  Session &session) const
{
    Output &out = session.out();
    if (out.json())
        GPULEDGER_TRY(out.print(suggestedJson(answer, m_by)));
    else
        GPULEDGER_TRY(out.print(out.csv() ? suggestedCsv(answer, m_by) : suggestedYaml(answer, by)));
    return kDone;
}

base::Result<int> ForecastCommand::run(Session &session)
{
    services::ForecastQuery query;
    query.byProject = m_by == kProject;
    // As in the configuration of budgets.
    const auto by = query.byProject ? std::optional(insight::Dimension())
                                    : insight::dimensionFromString(m_by == "model" ? "gpu-model" : m_by);
    if (!by)
        return base::fail(base::ErrorCode::InvalidArgument, "--by can't be \"" + base::printable(m_by, 64) + '"',
                          "it is one of " + joinedNames(forecastRows()));
    const std::string scope = query.byProject ? m_by : insight::toString(*by);
    if (m_suggest && !budgetScope(scope))
        return base::fail(base::ErrorCode::InvalidArgument,
                          "there are no budgets for each " + base::printable(m_by, 64),
                          "--by is team, cluster, model, project or a label");
    query.by = *by;
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    GPULEDGER_TRY(session.checkFilter(**workspace));
    query.filter = session.filter();
    query.cost = costViewOf(m_cost);
    query.period = alerts::periodKindFromString(m_period).value_or(alerts::PeriodKind::Month);
    const auto answer = (*workspace)->alerts().forecast(query);
    GPULEDGER_TRY(answer);
    if (m_suggest)
        return printSuggested(*answer, scope, session);
    Output &out = session.out();
    const std::string stale = staleLines(out, answer->reach, (*workspace)->timeZone());
    if (answer->total.forecast.method == ForecastMethod::None)
        out.note("nothing is known to forecast from; fetch data with: gpuledger-cli sync");
    if (out.json())
        GPULEDGER_TRY(out.print(answerJson(*answer, m_by, query.cost)));
    else
        GPULEDGER_TRY(out.print(out.csv() ? forecastCsv(*answer, m_by)
                                          : forecastTable(*answer, m_by, query.cost, out.bold()) + stale));
    return kDone;
}

} // namespace gpuledger::cli
