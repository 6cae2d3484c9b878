// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/showback/showbackjson.h"

#include "app/reports/documents/billsteps.h"
#include "app/reports/statement/certainty.h"
#include "ui/cli/proof/figureids.h"
#include "ui/cli/showback/budgetsprint.h"
#include "ui/cli/showback/monthsignoff.h"

#include <array>

namespace gpuledger::cli {

namespace {

using base::Money;
using reports::CurrencyStatement;
using reports::Statement;
using reports::StatementAdjustment;
using reports::StatementChange;
using reports::StatementLine;
using reports::StatementWorkload;
using reports::TeamStatement;

Json money(const Money &amount)
{
    return toJson(std::optional(amount));
}

Json hours(const std::optional<base::GpuTime> &time)
{
    return time ? toJson(std::optional(time->hours())) : Json(nullptr);
}

Json statementJson(const StatementLine &line)
{
    return {{"category", line.category},
            {"state", textOrNull(line.state)},
            {"cost", money(line.cost)},
            {"estimated", money(line.estimated)},
            {"gpu_hours", hours(line.gpuTime)},
            {"gpu_hours_complete", line.gpuTimeComplete},
            {"unpriced_gpu_hours", hours(line.unpriced)}};
}

Json statementJson(const StatementWorkload &one)
{
    return {{"namespace", textOrNull(one.nameSpace)},
            {"workload", one.name},
            {"cost", money(one.cost)},
            {"idle", money(one.idle)},
            {"gpu_hours", hours(one.gpuTime)}};
}

Json statementJson(const std::optional<StatementChange> &change)
{
    if (!change)
        return nullptr;
    const bool isKnown = change->state != StatementChange::Before::Unknown;
    return {{"before", money(change->before)},
            {"price", money(change->price)},
            {"hours", money(change->hours)},
            {"mix", money(change->mix)},
            {"efficiency", money(change->efficiency)},
            {"other", money(change->other)},
            {"policy", cli::toJson(change->policy)},
            {"late", cli::toJson(change->late)},
            {"restated", isKnown ? money(change->restated) : Json(nullptr)},
            {"month_before",
             !isKnown                                               ? Json(nullptr)
                 : change->state == StatementChange::Before::Closed ? Json("closed")
                                                                    : Json("open")}};
}

Json statementJson(const StatementAdjustment &one)
{
    return {{"month", insight::toString(one.of)}, {"closed_at", cli::toJson(one.closedAt)},
            {"team", textOrNull(one.team)},       {"category", one.category},
            {"state", textOrNull(one.state)},     {"cost", money(one.cost)},
            {"estimated", money(one.estimated)}};
}

Json statementJson(const reports::Uncertainty &doubt)
{
    using Kind = reports::Uncertainty::Kind;
    constexpr std::array kNames{"unowned", "unobserved", "estimated",      "unpriced",  "not-fetched",
                                "running", "not-final",  "shared-equally", "old-prices"};
    const bool hasAmount =
        doubt.kind != Kind::Unpriced && doubt.kind != Kind::NotFetched && doubt.kind != Kind::Running;
    return {{"reason", kNames[static_cast<std::size_t>(doubt.kind)]},
            {"amount", hasAmount ? money(doubt.amount) : Json(nullptr)},
            {"gpu_hours", doubt.kind == Kind::Unpriced ? hours(doubt.time) : Json(nullptr)},
            {"prices_of", doubt.date.empty() ? Json(nullptr) : Json(doubt.date)}};
}

Json statementJson(const reports::BillStep &step)
{
    using Kind = reports::BillStep::Kind;
    Json json{{"reason",
               step.kind == Kind::OtherTeams      ? "other-teams"
                   : step.kind == Kind::NotBilled ? "estimated"
                                                  : "difference"},
              {"amount", money(step.amount)}};
    if (step.kind != Kind::OtherTeams) // the figure that is subtracted
        json["less"] = money(Money(-step.amount.nanos(), step.amount.currency()));
    return json;
}

template <typename Items> Json list(const Items &items)
{
    Json out = Json::array();
    for (const auto &item : items)
        out.push_back(statementJson(item));
    return out;
}

Json statementJson(const reports::Range &range)
{
    return {
        {"low", money(range.low)}, {"high", money(range.high)}, {"open", range.isOpen}, {"doubts", list(range.doubts)}};
}

Json statementJson(const TeamStatement &team)
{
    return {{"team", textOrNull(team.team)},
            {"total", money(team.total())},
            {"cost", money(team.cost)},
            {"estimated", money(team.estimated)},
            {"idle", money(team.idle)},
            {"gpu_hours", hours(team.gpuTime)},
            {"idle_gpu_hours", hours(team.idleTime)},
            {"change", statementJson(team.change)},
            {"lines", list(team.lines)},
            {"workloads", list(team.workloads)},
            {"adjusted", money(team.adjusted)},
            {"shared_out", money(team.moved)},
            {"charged", money(team.charged())},
            {"total_with_adjustments", money(team.totalWithAdjustments())}};
}

Json statementJson(const std::optional<reports::Sharing> &sharing)
{
    if (!sharing)
        return nullptr;
    return {{"idle_rule", std::string(reports::toString(sharing->rules.idle))},
            {"shared_rule", std::string(reports::toString(sharing->rules.shared))},
            {"shared", money(sharing->shared)},
            {"idle", money(sharing->idle)},
            {"own_line", money(sharing->ownLine)}};
}

Json stepsJson(const CurrencyStatement &currency)
{
    return currency.hasBill ? list(reports::exactStepsToBill(currency)) : Json(nullptr);
}

Json statementJson(const Statement &statement, const CurrencyStatement &currency)
{
    Json teams = Json::array();
    for (const TeamStatement &team : currency.teams) {
        Json one = statementJson(team);
        one["status"] = cli::toJson(reports::ofTeam(statement.status, team.team));
        one["total_range"] = statementJson(reports::rangeOfTotal(statement, currency, &team));
        one["idle_range"] = statementJson(reports::rangeOfIdle(statement, currency, &team));
        teams.push_back(std::move(one));
    }
    return {{"currency", std::string(currency.currency.code())},
            {"bill", currency.hasBill ? money(currency.bill) : Json(nullptr)},
            {"cost", money(currency.cost)},
            {"difference", currency.hasBill ? money(currency.difference()) : Json(nullptr)},
            {"unexplained", currency.hasBill ? money(currency.unexplained) : Json(nullptr)},
            {"estimated", money(currency.estimated)},
            {"unowned", money(currency.unowned)},
            {"teams", std::move(teams)},
            {"steps_to_bill", stepsJson(currency)},
            {"sharing", statementJson(currency.sharing)},
            {"adjustments", list(currency.adjustments)},
            {"adjusted", {{"cost", money(currency.adjustedCost)}, {"estimated", money(currency.adjustedEstimate)}}}};
}

Json savingsOf(const reports::StatementSavings &savings, reports::StatementSaving::Part part)
{
    using Part = reports::StatementSaving::Part;
    Json out = Json::array();
    for (const reports::StatementSaving &row : savings.rows) {
        if (row.part != part)
            continue;
        Json one = Json::object();
        if (part == Part::Found || part == Part::Realized) {
            one["proposals"] = row.count;
            if (part == Part::Realized)
                one["stops"] = row.stops;
        } else {
            one["kind"] = row.kind;
            one["target"] = row.target;
            one["team"] = textOrNull(row.team);
        }
        if (part == Part::Accepted) {
            one["owner"] = row.owner;
            one["due"] = row.due ? Json(insight::dayText(*row.due)) : Json(nullptr);
        }
        one["currency"] = textOrNull(row.currency);
        one["per_month"] = row.perMonth ? Json{{"p10", money(row.perMonth->p10)},
                                               {"p50", money(row.perMonth->p50)},
                                               {"p90", money(row.perMonth->p90)}}
                                        : Json(nullptr);
        out.push_back(std::move(one));
    }
    return out;
}

Json statementJson(const reports::StatementSavings &savings)
{
    using Part = reports::StatementSaving::Part;
    const base::TimeRange &past = savings.past;
    return {
        {"as_of", cli::toJson(savings.asOf)},
        {"past", past.empty() ? Json(nullptr) : Json{{"from", cli::toJson(past.start)}, {"to", cli::toJson(past.end)}}},
        {"team", textOrNull(savings.team)},
        {"found", savingsOf(savings, Part::Found)},
        {"realized", savingsOf(savings, Part::Realized)},
        {"accepted", savingsOf(savings, Part::Accepted)},
        {"proposals", savings.team.empty() ? Json(nullptr) : savingsOf(savings, Part::Proposal)}};
}

} // namespace

Json toJson(const Statement &statement)
{
    Json currencies = Json::array();
    for (const CurrencyStatement &currency : statement.currencies)
        currencies.push_back(statementJson(statement, currency));
    Json json = {{"month", insight::toString(statement.month)},
                 {"view", statement.view == reports::CostView::Billed ? "billed" : "effective"},
                 {"status", cli::toJson(statement.status)},
                 {"made", cli::toJson(statement.made)},
                 {"over", statement.isOver},
                 {"observed",
                  statement.observed.empty() ? Json(nullptr)
                                             : Json{{"from", cli::toJson(statement.observed.start)},
                                                    {"to", cli::toJson(statement.observed.end)}}},
                 {"reconciles", statement.hasBill() ? Json(statement.reconciles()) : Json(nullptr)},
                 {"currencies", std::move(currencies)}};
    if (statement.savings)
        json["savings"] = statementJson(*statement.savings);
    if (!statement.budgets.empty())
        json["budgets"] = budgetsJson(statement.budgets);
    addFigures(json, statement);
    return json;
}

} // namespace gpuledger::cli
