// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/insight/heatmap/heatmap.h"
#include "app/insight/idle/idle.h"
#include "app/insight/idle/idlereplay.h"
#include "app/insight/query/query.h"
#include "app/insight/spend/ledgerquery.h"
#include "app/insight/spend/reconcile.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Identifies a figure: a stable text, for scripts and for people, that is sufficient to recompute the figure. Pure
// values; any thread.
namespace gpuledger::insight {

// Where a figure is shown. It determines which of the other members of Figure are used.
enum class FigureKind {
    Summary, // range, filter
    Heatmap, // range, filter, bins, zone, bin; the measure is the metric, or held-hours
    Idle, // at, item
    Ledger, // range (whole UTC days), view, currency, include, split
    Showback, // month, view, currency, team, category, state
    Reconcile, // month, view, currency, line
    Change, // a part of the explanation of a change in list-price cost: range, before, filter
    SpendChange, // the same by the bills, effective cost: range, before (whole UTC days), currency
    Replay, // of a replay's sums: range, filter, rule, row; of one of its stops: also at, item
    Action, // what a stop frees, as decided: action, and item for one of its workloads
    Savings, // what could be saved per month: range, basis, currency; of one proposal or of what was really saved: item
};
inline constexpr FigureKind kLastFigureKind = FigureKind::Savings;
std::string_view toString(FigureKind kind); // "summary", "heatmap", …

enum class MoneyView { Billed, Effective };
std::string_view toString(MoneyView view); // "billed", "effective"

// What a replay was asked besides its range and filter (ReplayQuery).
struct ReplayedRule {
    double threshold = 0, observed = 0; // 0..1
    std::map<model::WorkloadKind, base::Seconds> grace;
    base::Seconds resumeWithin{};
    model::CostView cost = model::CostView::Effective;
    bool operator==(const ReplayedRule &) const = default;
};
// What a list of savings was asked besides its range. Names and values as the command line writes them.
struct SavingsBasis {
    model::CostView cost = model::CostView::Effective;
    std::optional<std::string> kind; // of a sum: only this kind of savings
    std::map<std::string, std::string> assumed; // what differs from the defaults
    bool operator==(const SavingsBasis &) const = default;
};
// A row of its sums.
using ReplayedRow = std::pair<model::WorkloadKind, std::string>; // kind and team

// The identity of a figure; see FigureKind for the members that each kind uses.
struct Figure {
    FigureKind kind = FigureKind::Summary;
    std::string measure; // one of figureMeasures(kind)
    base::TimeRange range;
    base::TimeRange before; // the period that it is compared with
    Filter filter;
    Bins bins = Bins::Day; // never five minutes, whose cells contain only their value
    std::string zone; // IANA name
    std::optional<std::string> bin; // its label; std::nullopt: the whole row
    base::UtcTime at{};
    // IdleItem::id, or Proposal::id; of what was really saved: "choice:" or "action:" and its number in that log; of an
    // action: empty for all of its workloads
    std::string item;
    MoneyView view = MoneyView::Billed;
    base::Currency currency; // of the amount; for a figure that is not an amount: of its row
    std::map<LedgerDimension, std::vector<std::string>> include;
    std::optional<model::SplitPolicy> split; // LedgerQuery::split
    Month month;
    std::optional<std::string> team, category, state; // std::nullopt: all; a line has the last two
    std::optional<std::string> line, detail; // ReconcileKind by name, and ReconcileLine::detail
    ReplayedRule rule;
    std::optional<ReplayedRow> row; // std::nullopt: the total
    std::int64_t action = 0; // ActionRecord::id
    SavingsBasis basis;

    bool operator==(const Figure &) const = default;
};

// The figures that a page shows: "gpu-hours.idle", "cost.total", "utilization", …
const std::vector<std::string_view> &figureMeasures(FigureKind kind);

// "summary/gpu-hours.idle?from=2026-10-01&to=2026-11-01&team=vision": the kind, the measure, and the parameters, with
// everything but letters, digits and a few signs percent-encoded. Each figure has exactly one text.
std::string toString(const Figure &figure);
// Parses such a text, with its keys in any order. Fails with InvalidArgument: an unknown kind, measure or key, a key
// that is missing or given twice, or an invalid value.
[[nodiscard]] base::Result<Figure> figureFromString(std::string_view text);

inline constexpr std::string_view kGraceKey = "grace-"; // prefix of a grace window, before its kind of workload
inline constexpr std::string_view kStopMeasure = "stop."; // prefix of the measures of one stop of a replay
inline constexpr std::string_view kAssumeKey = "assume-"; // prefix of an assumption, before its name
inline constexpr std::string_view kSavingsSum = "sum."; // prefix of the measures of a sum of savings
inline constexpr std::string_view kRealizedSavings = "realized."; // prefix of those of what was really saved
inline constexpr std::string_view kRealizedSum = "realized-sum."; // prefix of those of its sum
inline constexpr std::size_t kLongestFigure = 16 * 1024; // bytes of its text
inline constexpr std::string_view kExcluded = "not-"; // prefix of an excluded dimension in it

// Ids of the figures on the pages. Each identifies the same row by narrowing the query to it.
Figure summaryFigure(const Query &query, const Dimension &by, const std::optional<std::string> &key,
                     std::string_view measure);
Figure heatmapFigure(const HeatmapQuery &query, base::TimeRange used, const std::string &key,
                     const std::optional<std::string> &bin);
Figure idleFigure(base::UtcTime at, const std::string &item, std::string_view measure);
// Of the total; the caller adds a row, or a stop's instant and id.
Figure replayFigure(const IdleReplay &replay, const ReplayQuery &query, std::string_view measure);
Figure actionFigure(std::int64_t action, const std::string &item, std::string_view measure);
Figure ledgerFigure(const LedgerQuery &query, base::TimeRange days, const LedgerRow &row, MoneyView view,
                    std::string_view measure);
// For a statement or a reconciliation; the caller adds team, line and so on.
Figure monthFigure(FigureKind kind, const Month &month, MoneyView view, base::Currency currency,
                   std::string_view measure);

} // namespace gpuledger::insight
