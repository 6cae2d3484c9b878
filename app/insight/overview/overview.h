// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/timezone.h"
#include "app/insight/overview/summary.h"
#include "app/insight/spend/costchange.h"

namespace gpuledger::insight {

struct OverviewQuery {
    Query query;
    // The equal period before, to compare with; empty: nothing to compare with. Nothing is compared with it unless both
    // periods were fetched as good as whole.
    base::TimeRange previous;
    base::TimeZone zone;
};

// Why there is a comparison with the period before, or why there is none.
struct Comparison {
    enum class State {
        NotAsked,
        Made,
        NothingBefore, // nothing of the period before was fetched
        PartBefore, // only some of it was
        PartNow // only some of the range itself was
    };
    State state = State::NotAsked;
    double fetched = 1; // share that was fetched: of the period before, or of the range for PartNow
};

struct OverviewDay {
    std::int32_t localDay = 0; // since 1970-01-01 in the zone
    SummaryRow sums; // key: "YYYY-MM-DD"
    bool whole = true; // false: the range begins or ends within it
    bool isKnown() const { return sums.time.paid().ticks > 0 || sums.notSynced.ticks == 0; }
};

struct OverviewTeam {
    SummaryRow now;
    std::optional<SummaryRow> before; // null: it had nothing, or there is nothing to compare with
    std::optional<CostChange> change; // groups as in Overview::change; null without a comparison
    // Total cost, nanos, in the order of Overview::days; null: unpriced, or not fetched as a whole.
    std::vector<std::optional<std::int64_t>> daily;
};

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
    // Teams whose cost moved most, by absolute change; null parts as in `teams`.
    std::vector<std::size_t> movers; // indices into teams, at most five
    Reach reach; // of the data, in the range
};

// Everything the first page tells, from one pass over each period. `reach` is that of the range, `before` that of the
// period before; where they know of no source, both periods count as fetched. Blocking; worker threads. Fails with
// Storage… codes, or Overflow.
[[nodiscard]] base::Result<Overview> overview(store::CubeReader &cube, store::AttributionReader &facts,
                                              const OverviewQuery &query, base::Currency currency,
                                              const Reach &reach = {}, const Reach &before = {});

} // namespace gpuledger::insight
