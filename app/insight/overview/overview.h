// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/insight/overview/summary.h"
#include "app/insight/spend/costchange.h"

namespace gpuledger::insight {

// Selects the range of the overview and the period to compare it with.
struct OverviewQuery {
    Query query;
    // The preceding period of equal length to compare with; empty: no comparison. A comparison is only made if both
    // periods were fetched almost completely.
    base::TimeRange previous;
    base::TimeZone zone;
};

// Whether there is a comparison with the preceding period, and if not, why.
struct Comparison {
    enum class State {
        NotAsked,
        Made,
        NothingBefore, // nothing of the preceding period was fetched
        PartBefore, // only part of the preceding period was fetched
        PartNow // only part of the range itself was fetched
    };
    State state = State::NotAsked;
    double fetched = 1; // share that was fetched: of the preceding period, or of the range for PartNow
};

// The sums of one local day.
struct OverviewDay {
    std::int32_t localDay = 0; // since 1970-01-01 in the zone
    SummaryRow sums; // key: "YYYY-MM-DD"
    bool whole = true; // false: the range starts or ends within it
    bool isKnown() const { return sums.time.paid().ticks > 0 || sums.notSynced.ticks == 0; }
};

// One team's sums, with their change from the preceding period.
struct OverviewTeam {
    SummaryRow now;
    std::optional<SummaryRow> before; // null: it had nothing, or there is no comparison
    std::optional<CostChange> change; // groups as in Overview::change; null without a comparison
    // Total cost in nanos, in the order of Overview::days; null: no price, or not fetched completely.
    std::vector<std::optional<std::int64_t>> daily;
};

// The figures of the overview page.
struct Overview {
    base::TimeRange range, previous; // whole quarter hours; previous may be empty
    base::Currency currency;
    SummaryRow total;
    std::optional<SummaryRow> before;
    Comparison comparison;
    std::vector<OverviewDay> days; // every local day of the range, ascending
    std::vector<OverviewTeam> teams; // of either period; descending by cost, ties by key
    // Groups: cluster, cloud, region and GPU model. Null without a comparison.
    std::optional<CostChange> change;
    // Teams whose cost changed most, by absolute change; null parts as in `teams`.
    std::vector<std::size_t> movers; // indices into teams, at most five
    Reach reach; // of the data, in the range
};

// Everything that the first page shows, from one pass over each period. `reach` is that of the range, `before` that of
// the preceding period; if they know no source, both periods count as fetched. Blocking; call from a worker thread.
// Fails with Storage… codes, or Overflow.
[[nodiscard]] base::Result<Overview> overview(store::CubeReader &cube, store::AttributionReader &facts,
                                              const OverviewQuery &query, base::Currency currency,
                                              const Reach &reach = {}, const Reach &before = {});

} // namespace gpuledger::insight
