// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/proof/figureids.h"

#include "app/insight/proof/figure.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuledger::cli {

namespace {

using insight::Figure;
using insight::FigureKind;
using insight::MoneyView;
using insight::ReconcileKind;

constexpr char kKey[] = "figures";

// "gpu-hours.idle" is found under "gpu_hours" and "idle".
std::string jsonName(std::string_view measure)
{
    std::string name(measure);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

Json summaryIds(const insight::Query &query, const insight::Dimension &by, const insight::SummaryRow &row,
                const std::optional<std::string> &key)
{
    Json ids = Json::object();
    if (row.time.paid().ticks == 0 && row.notSynced.ticks > 0)
        return ids; // there are no facts to prove anything
    for (const std::string_view measure : insight::figureMeasures(FigureKind::Summary)) {
        if (measure == "coverage" && row.notSynced.ticks > 0)
            continue; // time that was not fetched cannot be proved
        ids[jsonName(measure)] = toString(insight::summaryFigure(query, by, key, measure));
    }
    return ids;
}

void putIds(Json &ids, Figure figure, std::initializer_list<std::pair<const char *, const char *>> list)
{
    for (const auto &[name, measure] : list) {
        figure.measure = measure;
        ids[name] = toString(figure);
    }
}

Json ledgerIds(const insight::LedgerRow &row, const insight::LedgerQuery &query, base::TimeRange days, bool effective)
{
    Json ids = Json::object();
    const auto put = [&](const char *name, const char *measure, MoneyView view) {
        ids[name] = toString(insight::ledgerFigure(query, days, row, view, measure));
    };
    const MoneyView view = effective ? MoneyView::Effective : MoneyView::Billed;
    if (row.hasGpuTime)
        put("gpu_hours", "gpu-hours", view);
    put("cost", "cost", view);
    put("billed", "cost", MoneyView::Billed);
    put("effective", "cost", MoneyView::Effective);
    if (row.allocated)
        put("allocated", "allocated", view);
    if (!row.priced.isZero())
        put("priced", "priced", view);
    if (row.replaced)
        put("price_book", "price-book", view);
    put("unpriced_gpu_hours", "unpriced-gpu-hours", view);
    return ids;
}

// Time without a bill, at an allocator's prices: these are rows of the ledger.
Json allocatedIds(const insight::ReconcileLine &line, const insight::Month &month)
{
    Figure of;
    of.kind = FigureKind::Ledger;
    of.range = month.range();
    of.currency = line.allocated->currency();
    of.include = {{insight::LedgerDimension::Origin, {"allocated"}}, {insight::LedgerDimension::Source, {line.detail}}};
    Json ids = Json::object();
    putIds(ids, of, {{"allocated", "allocated"}});
    if (line.gpuTime)
        putIds(ids, of, {{"gpu_hours", "gpu-hours"}});
    return ids;
}

bool isExplained(const insight::ReconcileLine &line)
{
    return line.kind == ReconcileKind::Matched || line.kind == ReconcileKind::Unobserved
        || line.kind == ReconcileKind::UnknownType || line.kind == ReconcileKind::NotGpu
        || line.kind == ReconcileKind::Unexplained || line.kind == ReconcileKind::NotBilled
        || line.kind == ReconcileKind::Priced;
}

Json lineIds(const insight::ReconcileLine &line, Figure figure)
{
    Json ids = Json::object();
    figure.line = std::string(insight::toString(line.kind));
    figure.detail = line.detail;
    if (line.billed)
        putIds(ids, figure, {{"billed", "line.cost"}});
    if (line.priced)
        putIds(ids, figure, {{"price_book", "line.price-book"}});
    if (line.gpuTime)
        putIds(ids, figure, {{"gpu_hours", "line.gpu-hours"}});
    figure.view = MoneyView::Effective;
    if (line.effective)
        putIds(ids, figure, {{"effective", "line.cost"}});
    return ids;
}

Json teamIds(const reports::TeamStatement &team, const Figure &figure)
{
    Json ids = Json::object();
    putIds(ids, figure,
           {{"total", "team.total"}, {"cost", "team.cost"}, {"estimated", "team.estimated"}, {"idle", "team.idle"}});
    if (team.gpuTime)
        putIds(ids, figure, {{"gpu_hours", "team.gpu-hours"}});
    if (team.idleTime)
        putIds(ids, figure, {{"idle_gpu_hours", "team.idle-gpu-hours"}});
    putIds(ids, figure, {{"shared_out", "team.moved"}, {"charged", "team.charged"}});
    if (!team.change)
        return ids;
    putIds(ids, figure,
           {{"change.price", "team.change.price"},
            {"change.hours", "team.change.hours"},
            {"change.mix", "team.change.mix"},
            {"change.efficiency", "team.change.efficiency"},
            {"change.other", "team.change.other"}});
    if (team.change->policy && team.change->late)
        putIds(ids, figure, {{"change.policy", "team.change.policy"}, {"change.late", "team.change.late"}});
    return ids;
}

Json lineIds(const reports::StatementLine &line, Figure figure)
{
    Json ids = Json::object();
    figure.category = line.category;
    figure.state = line.state;
    putIds(ids, figure,
           {{"cost", "line.cost"}, {"estimated", "line.estimated"}, {"unpriced_gpu_hours", "line.unpriced-gpu-hours"}});
    if (line.gpuTime)
        putIds(ids, figure, {{"gpu_hours", "line.gpu-hours"}});
    return ids;
}

// The ledger does not keep workload names: for a closed month the figures cannot be recomputed.
Json workloadIds(const reports::StatementWorkload &one, const Figure &figure)
{
    using insight::LedgerDimension;
    Figure of;
    of.kind = FigureKind::Ledger;
    of.range = figure.month.range();
    of.view = figure.view;
    of.currency = figure.currency;
    of.include = {{LedgerDimension::Team, {*figure.team}},
                  {LedgerDimension::NameSpace, {one.nameSpace}},
                  {LedgerDimension::Workload, {one.name}}};
    Json ids = Json::object();
    putIds(ids, of, {{"cost", "total"}});
    if (one.gpuTime)
        putIds(ids, of, {{"gpu_hours", "gpu-hours"}});
    of.include[LedgerDimension::State] = {"idle"};
    if (!one.idle.isZero())
        putIds(ids, of, {{"idle", "total"}});
    return ids;
}

// A row of the lens, and the parts of machines that it adds up.
struct LensRow {
    const char *name;
    const reports::BySplitPolicy &amounts;
    std::vector<std::string> parts;
};

void putLens(Json &ids, Figure figure, const LensRow &row)
{
    figure.include[insight::LedgerDimension::Part] = row.parts;
    for (std::size_t i = 0; i < reports::kSplitPolicies.size(); ++i) {
        figure.split = reports::kSplitPolicies[i];
        if (!row.amounts[i].isZero())
            ids[row.name + ('.' + std::string(model::toString(*figure.split)))] = toString(figure);
    }
}

// The idle workload whose units are all in that part, with a price; null: none.
const insight::IdleItem *wholeOf(const insight::IdlePart &part, const insight::WaitingList &waiting,
                                 const insight::IdleList &idle)
{
    const auto it = std::find_if(idle.items.begin(), idle.items.end(),
                                 [&](const insight::IdleItem &item) { return item.id == part.idle; });
    const bool isWhole =
        waiting.at == idle.at && it != idle.items.end() && part.perHour && part.perHour == it->ratePerHour;
    return isWhole ? &*it : nullptr;
}

Json replayIds(const insight::ReplaySum &sum, Figure figure)
{
    Json ids = Json::object();
    putIds(ids, figure,
           {{"stops", "stops"},
            {"false_stops", "false-stops"},
            {"resumed", "resumed"},
            {"undecided", "undecided"},
            {"back_gpu_hours", "back-gpu-hours"},
            {"back_gpu_hours_of_false_stops", "back-gpu-hours-of-false-stops"},
            {"unobserved_gpu_hours", "unobserved-gpu-hours"},
            {"lost_gpu_hours", "lost-gpu-hours"},
            {"unpriced_gpu_hours", "unpriced-gpu-hours"}});
    if (sum.back.ticks == 0 || sum.unpriced != sum.back)
        putIds(ids, std::move(figure), {{"money_back", "money-back"}});
    return ids;
}

void addReplayIds(Json &json, const insight::IdleReplay &replay, const insight::ReplayQuery &query)
{
    Figure figure = insight::replayFigure(replay, query, {});
    json["total"][kKey] = replayIds(replay.total, figure);
    std::size_t i = 0;
    for (const auto &[row, sum] : replay.parts) {
        figure.row = row;
        json["rows"][i++][kKey] = replayIds(sum, figure);
    }
    figure.row.reset();
    std::map<std::pair<base::UtcTime, std::string>, int> same; // holders of one name may stop at one instant
    for (const insight::ReplayStop &stop : replay.stops)
        ++same[{stop.at, stop.id}];
    for (i = 0; i < replay.stops.size(); ++i) {
        const insight::ReplayStop &stop = replay.stops[i];
        Json &ids = json["stops"][i][kKey] = Json::object();
        if (same[{stop.at, stop.id}] > 1)
            continue;
        figure.at = stop.at;
        figure.item = stop.id;
        putIds(ids, figure,
               {{"back_gpu_hours", "stop.back-gpu-hours"},
                {"unobserved_gpu_hours", "stop.unobserved-gpu-hours"},
                {"lost_gpu_hours", "stop.lost-gpu-hours"}});
        if (stop.money)
            putIds(ids, figure, {{"money_back", "stop.money-back"}});
    }
}

void addCurrency(Json &json, const reports::CurrencyStatement &currency, const Figure &figure, bool isClosed)
{
    Json &ids = json[kKey] = Json::object();
    putIds(ids, figure, {{"cost", "cost"}, {"estimated", "estimated"}, {"unowned", "unowned"}});
    if (currency.hasBill)
        putIds(ids, figure, {{"bill", "bill"}, {"difference", "difference"}, {"unexplained", "unexplained"}});
    for (Json &step : json["steps_to_bill"]) { // steps that subtract a figure are named after it
        if (step.contains("less"))
            putIds(step[kKey] = Json::object(), figure, {{"less", step["reason"].get<std::string>().c_str()}});
    }
    for (std::size_t t = 0; t < currency.teams.size(); ++t) {
        const reports::TeamStatement &team = currency.teams[t];
        Json &row = json["teams"][t];
        if (team.lines.empty()) // it only has adjustments of other months
            continue;
        Figure of = figure;
        of.team = team.team;
        row[kKey] = teamIds(team, of);
        for (std::size_t i = 0; i < team.lines.size(); ++i)
            row["lines"][i][kKey] = lineIds(team.lines[i], of);
        for (std::size_t i = 0; !isClosed && i < team.workloads.size(); ++i)
            row["workloads"][i][kKey] = workloadIds(team.workloads[i], of);
    }
}

} // namespace

void addFigures(Json &json, const insight::Summary &summary, const insight::Filter &filter,
                const insight::Dimension &by)
{
    const insight::Query query{summary.range, filter};
    // Without rows there are no facts to prove anything.
    json["total"][kKey] = summary.rows.empty() ? Json::object() : summaryIds(query, by, summary.total, std::nullopt);
    for (std::size_t i = 0; i < summary.rows.size(); ++i)
        json["rows"][i][kKey] = summaryIds(query, by, summary.rows[i], summary.rows[i].key);
}

void addFigures(Json &json, const insight::IdleList &list)
{
    const auto add = [&](Json &row, const insight::IdleItem &item) {
        Json &ids = row[kKey] = Json::object();
        const auto put = [&](const char *measure) {
            ids[jsonName(measure)] = toString(insight::idleFigure(list.at, item.id, measure));
        };
        put("idle-hours");
        if (item.ratePerHour)
            put("rate-per-hour");
        if (item.wasted)
            put("wasted");
        if (item.perMonth)
            put("per-month");
    };
    for (std::size_t i = 0; i < list.items.size(); ++i)
        add(json["items"][i], list.items[i]);
    for (std::size_t i = 0; i < list.partly.size(); ++i)
        add(json["partly"][i], list.partly[i]);
}

void addFigures(Json &json, const insight::WaitingList &waiting, const insight::IdleList &idle)
{
    const auto idOf = [&](const insight::IdleItem &item, const char *measure) {
        return toString(insight::idleFigure(idle.at, item.id, measure));
    };
    for (std::size_t i = 0; i < waiting.items.size(); ++i) {
        const insight::WaitingItem &job = waiting.items[i];
        Json &one = json["waiting"][i];
        one[kKey] = Json::object();
        for (std::size_t p = 0; p < job.parts.size(); ++p) {
            Json &ids = one["idle"][p][kKey] = Json::object();
            const insight::IdleItem *item = wholeOf(job.parts[p], waiting, idle);
            if (!item)
                continue;
            ids["rate_per_hour"] = idOf(*item, "rate-per-hour");
            if (job.parts.size() == 1 && job.perHour == item->ratePerHour)
                one[kKey]["rate_per_hour"] = idOf(*item, "rate-per-hour");
            if (job.parts.size() == 1 && item->perMonth && job.perMonth == item->perMonth)
                one[kKey]["per_month"] = idOf(*item, "per-month");
        }
    }
}

void addFigures(Json &json, const insight::IdleReplay &replay, const insight::ReplayQuery &query, double threshold)
{
    Json &ids = json[kKey] = Json::object();
    if (!replay.range.empty() && replay.leftOut == 0) {
        addReplayIds(json, replay, query);
    } else { // no figure of it can be proved
        json["total"][kKey] = Json::object();
        for (const char *list : {"rows", "stops"})
            for (Json &one : json[list])
                one[kKey] = Json::object();
    }
    // A summary, which the id proves, counts whole cells at the threshold of the configuration.
    const auto isOnCell = [](base::UtcTime t) { return base::floorTo(t, base::kCell) == t; };
    if (replay.range.empty() || replay.threshold != threshold || !isOnCell(replay.range.start)
        || !isOnCell(replay.range.end))
        return;
    ids["idle_gpu_hours"] = toString(
        insight::summaryFigure({replay.range, query.filter}, insight::Dimension::Team, std::nullopt, "gpu-hours.idle"));
}

void addFigures(Json &json, const insight::LedgerAnswer &answer, const insight::LedgerQuery &query, bool effective)
{
    if (query.showIn)
        return;
    for (std::size_t i = 0; i < answer.rows.size(); ++i)
        json["rows"][i][kKey] = ledgerIds(answer.rows[i], query, answer.range, effective);
    Figure figure;
    figure.kind = FigureKind::Ledger;
    figure.range = answer.range;
    figure.view = effective ? MoneyView::Effective : MoneyView::Billed;
    for (std::size_t i = 0; i < answer.totals.size(); ++i) {
        figure.currency = answer.totals[i].currency;
        Json &ids = json["currencies"][i][kKey] = Json::object();
        putIds(ids, figure, {{"bill", "bill"}, {"ledger", "ledger"}, {"unexplained", "unexplained"}});
    }
    Json &ids = json[kKey] = Json::object();
    if (answer.totals.size() == 1)
        putIds(ids, figure, {{"bill", "bill"}, {"unexplained", "unexplained"}});
    if (answer.priced.isZero())
        return;
    figure.currency = answer.priced.currency();
    figure.include = query.include;
    putIds(ids, figure, {{"priced", "priced"}});
}

void addFigures(Json &json, const reports::SplitLens &lens)
{
    Figure figure;
    figure.kind = FigureKind::Ledger;
    figure.measure = "total";
    figure.range = lens.month.range();
    figure.view = lens.view == reports::CostView::Billed ? MoneyView::Billed : MoneyView::Effective;
    for (std::size_t c = 0; c < lens.currencies.size(); ++c) {
        const reports::CurrencyLens &currency = lens.currencies[c];
        Json &one = json["currencies"][c];
        figure.currency = currency.currency;
        figure.split = reports::kSplitPolicies.front(); // the total is the same under each
        figure.include = {{insight::LedgerDimension::Part, {"gpu", "cpu", "memory", "unsplit"}}};
        one[kKey] = Json::object();
        if (!currency.total.isZero())
            one[kKey]["total"] = toString(figure);
        putLens(one[kKey], figure, {"cpu", currency.cpu, {"cpu"}});
        putLens(one[kKey], figure, {"memory", currency.memory, {"memory"}});
        putLens(one[kKey], figure, {"unsplit", currency.unsplit, {"unsplit"}});
        for (std::size_t t = 0; t < currency.teams.size(); ++t) {
            const reports::LensTeam &team = currency.teams[t];
            Json &ids = one["teams"][t][kKey] = Json::object();
            figure.include[insight::LedgerDimension::Team] = {team.team};
            putLens(ids, figure, {"cost", team.cost, {"gpu", "unsplit"}});
            putLens(ids, figure, {"unsplit", team.unsplit, {"unsplit"}});
        }
    }
}

void addFigures(Json &json, const insight::Reconciliation &answer, base::Currency report)
{
    std::size_t line = 0;
    for (std::size_t i = 0; i < answer.totals.size(); ++i) {
        const insight::ReconcileTotal &total = answer.totals[i];
        Figure figure =
            insight::monthFigure(FigureKind::Reconcile, answer.month, MoneyView::Billed, total.currency, {});
        Json ids = Json::object();
        putIds(ids, figure,
               {{"bill", "bill"}, {"ledger", "ledger"}, {"difference", "difference"}, {"unexplained", "unexplained"}});
        if (answer.totals.size() == 1)
            json[kKey] = ids;
        const Figure billed = figure;
        figure.view = MoneyView::Effective;
        putIds(ids, figure,
               {{"effective.bill", "bill"},
                {"effective.ledger", "ledger"},
                {"effective.difference", "difference"},
                {"effective.unexplained", "unexplained"}});
        json["currencies"][i][kKey] = std::move(ids);
        for (const insight::ReconcileLine &one : total.lines) {
            if (isExplained(one))
                json["lines"][line][kKey] = lineIds(one, billed);
            ++line;
        }
    }
    const Figure telemetry = insight::monthFigure(FigureKind::Reconcile, answer.month, MoneyView::Billed, report, {});
    for (const insight::ReconcileLine &one : answer.telemetry) {
        if (isExplained(one))
            json["lines"][line][kKey] = lineIds(one, telemetry);
        else if (one.kind == ReconcileKind::Allocated)
            json["lines"][line][kKey] = allocatedIds(one, answer.month);
        ++line;
    }
}

void addFigures(Json &json, const reports::Statement &statement)
{
    const bool isClosed = statement.status.state == reports::MonthState::Closed;
    const MoneyView view = statement.view == reports::CostView::Billed ? MoneyView::Billed : MoneyView::Effective;
    for (std::size_t i = 0; i < statement.currencies.size(); ++i) {
        const reports::CurrencyStatement &currency = statement.currencies[i];
        addCurrency(json["currencies"][i], currency,
                    insight::monthFigure(FigureKind::Showback, statement.month, view, currency.currency, {}), isClosed);
    }
}

} // namespace gpuledger::cli
