// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/proof/figure.h"

#include <array>
#include <utility>

namespace gpuledger::insight {

namespace {

constexpr std::array<std::string_view, 11> kKinds{"summary",  "heatmap",   "idle",   "ledger",
                                                  "showback", "reconcile", "change", "spend-change",
                                                  "replay",   "action",    "savings"};

const std::array<std::vector<std::string_view>, 11> kMeasures{{
    {"gpu-hours.paid", "gpu-hours.active", "gpu-hours.idle", "gpu-hours.unallocated", "gpu-hours.unobserved",
     "gpu-hours.held", "gpu-hours.unpriced", "utilization", "allocation", "coverage", "cost.total", "cost.active",
     "cost.idle", "cost.unallocated", "cost.unobserved"},
    {"utilization", "sm-active", "tensor-active", "memory", "power", "allocation", "effective", "idle-cost", "cost",
     "coverage", "held-hours"},
    {"rate-per-hour", "wasted", "per-month", "idle-hours"},
    {"cost", "total", "gpu-hours", "allocated", "priced", "price-book", "unpriced-gpu-hours", "bill", "ledger",
     "unexplained"},
    {"cost",
     "estimated",
     "unowned",
     "bill",
     "difference",
     "unexplained",
     "team.total",
     "team.cost",
     "team.estimated",
     "team.idle",
     "team.gpu-hours",
     "team.idle-gpu-hours",
     "team.moved",
     "team.charged",
     "team.change.price",
     "team.change.hours",
     "team.change.efficiency",
     "team.change.mix",
     "team.change.other",
     "team.change.policy",
     "team.change.late",
     "line.cost",
     "line.estimated",
     "line.gpu-hours",
     "line.unpriced-gpu-hours"},
    {"bill", "ledger", "difference", "unexplained", "line.cost", "line.price-book", "line.gpu-hours"},
    {"price", "hours", "mix", "efficiency", "difference"},
    {"price", "hours", "mix", "efficiency", "other", "difference"},
    {"stops", "false-stops", "resumed", "undecided", "back-gpu-hours", "back-gpu-hours-of-false-stops",
     "unobserved-gpu-hours", "lost-gpu-hours", "unpriced-gpu-hours", "money-back", "stop.back-gpu-hours",
     "stop.unobserved-gpu-hours", "stop.lost-gpu-hours", "stop.money-back"},
    {"per-month"},
    {"p10", "p50", "p90", "avoidable", "sum.p10", "sum.p50", "sum.p90", "realized.p10", "realized.p50", "realized.p90",
     "realized-sum.p10", "realized-sum.p50", "realized-sum.p90"},
}};

Figure figureOf(FigureKind kind, std::string_view measure)
{
    Figure figure;
    figure.kind = kind;
    figure.measure = measure;
    return figure;
}

} // namespace

std::string_view toString(FigureKind kind)
{
    return kKinds[static_cast<std::size_t>(kind)];
}

std::string_view toString(MoneyView view)
{
    return view == MoneyView::Billed ? "billed" : "effective";
}

const std::vector<std::string_view> &figureMeasures(FigureKind kind)
{
    return kMeasures[static_cast<std::size_t>(kind)];
}

Figure summaryFigure(const Query &query, const Dimension &by, const std::optional<std::string> &key,
                     std::string_view measure)
{
    Figure figure = figureOf(FigureKind::Summary, measure);
    figure.range = query.range;
    figure.filter = query.filter;
    if (key)
        figure.filter.include[by] = {*key};
    return figure;
}

Figure heatmapFigure(const HeatmapQuery &query, base::TimeRange used, const std::string &key,
                     const std::optional<std::string> &bin)
{
    Figure figure = figureOf(FigureKind::Heatmap, toString(query.metric));
    figure.range = used;
    figure.filter = query.query.filter;
    figure.filter.include[query.by] = {key};
    figure.bins = query.bins;
    figure.zone = query.zone.name();
    figure.bin = bin;
    return figure;
}

Figure idleFigure(base::UtcTime at, const std::string &item, std::string_view measure)
{
    Figure figure = figureOf(FigureKind::Idle, measure);
    figure.at = at;
    figure.item = item;
    return figure;
}

Figure replayFigure(const IdleReplay &replay, const ReplayQuery &query, std::string_view measure)
{
    Figure figure = figureOf(FigureKind::Replay, measure);
    figure.range = replay.range;
    figure.filter = query.filter;
    figure.rule = {query.rule.threshold, query.rule.observed, query.rule.grace, query.resumeWithin, query.cost};
    return figure;
}

Figure actionFigure(std::int64_t action, const std::string &item, std::string_view measure)
{
    Figure figure = figureOf(FigureKind::Action, measure);
    figure.action = action;
    figure.item = item;
    return figure;
}

Figure ledgerFigure(const LedgerQuery &query, base::TimeRange days, const LedgerRow &row, MoneyView view,
                    std::string_view measure)
{
    Figure figure = figureOf(FigureKind::Ledger, measure);
    figure.range = days;
    figure.include = query.include;
    figure.split = query.split;
    for (std::size_t i = 0; i < query.by.size() && i < row.keys.size(); ++i)
        figure.include[query.by[i]] = {row.keys[i]};
    figure.view = view;
    figure.currency = row.currency;
    return figure;
}

Figure monthFigure(FigureKind kind, const Month &month, MoneyView view, base::Currency currency,
                   std::string_view measure)
{
    Figure figure = figureOf(kind, measure);
    figure.month = month;
    figure.view = view;
    figure.currency = currency;
    return figure;
}

} // namespace gpuledger::insight
