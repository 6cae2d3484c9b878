// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/gputime.h"
#include "app/insight/query/query.h"
#include "app/model/money/costview.h"
#include "app/model/settings.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/values/idlekept.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::insight {

// Backtests an idle rule: replays it over the past. Buckets are base buckets of 5 min.
//
// Stop: at the first bucket end `t` in [from, to) at which the idle list of `t` contains the holder and it is not
// protected: it holds something in the bucket before `t`, started at `t` - grace or earlier, no unit that it holds was
// active in (t - grace, t], and each was observed for at least `observed` of that time. So unobserved time never counts
// as idle. An inference server that served requests within kRequestWindow before `t` is not in that list.
// Resumed: the start of the first bucket after `t` in which it was active on any unit, or, of an inference server, that
// lies in an hour in which it served requests: they may have come later in that hour, or, in the hour of `t`, before
// `t`. From then on (after requests, from the end of that hour on) the replay treats it as restarted, and may stop it
// again. False stop: resumed - t < resumeWithin.
// Ended: the end of its last bucket before `to`; a holder that is not seen for longer than a day plus the longest grace
// window (or resumeWithin) has ended.
// Back: its observed idle GPU-time (of buckets that end after `t`) up to resumed, ended or `to`, and its cost.
// Unobserved time in that span is reported separately and is not included in any sum: it may have been working.
// Lost, for a false stop: its active GPU-time from resumed up to its next stop, its end or `to`: an upper bound for the
// work that the stop would have interrupted. Undecided: at the end of the range it had been stopped for less than
// resumeWithin and still held its devices.
struct ReplayQuery {
    base::TimeRange range;
    Filter filter; // accepts a holder if one of its units passes in the bucket before the stop
    model::IdleSettings rule; // its threshold must be that of `facts`
    base::Seconds resumeWithin{3600};
    model::CostView cost = model::CostView::Effective; // what its amounts of money stand for; that of `facts`
};

// One stop that the replayed rule would have made, and its consequences.
struct ReplayStop {
    std::string id; // as in the idle list
    std::string name, owner, cluster, nameSpace;
    model::WorkloadKind kind = model::WorkloadKind::Unknown;
    base::UtcTime at{};
    base::UtcTime until{}; // end of the recovered time: resumed, ended or the end of the range
    std::optional<base::UtcTime> resumed;
    bool falseStop = false, undecided = false;
    base::GpuTime back, unobserved, lost;
    std::optional<base::Money> money; // null: part of it has no price
    store::IdleHolderKey key; // of the holder
};

// Totals over the stops of a backtest.
struct ReplaySum {
    std::int64_t stops = 0, falseStops = 0, resumed = 0, undecided = 0;
    base::GpuTime back, unobserved, lost;
    base::GpuTime falseBack; // the part of `back` that belongs to false stops
    base::GpuTime unpriced; // the part of `back` without a price
    std::int64_t money = 0; // nano-units, of the part with a price
};

// The result of a backtest.
struct IdleReplay {
    base::TimeRange range; // whole buckets
    double threshold = 0;
    base::Seconds resumeWithin{};
    base::Currency currency = base::Currency::usd();
    ReplaySum total;
    std::map<std::pair<model::WorkloadKind, std::string>, ReplaySum> parts; // by kind and team; they add up to total
    base::GpuTime idle; // all observed idle time of the range that passes the filter bucket by bucket
    std::vector<ReplayStop> stops; // ascending by (at, id); if there are too many, false stops take precedence
    std::size_t leftOut = 0; // from the list, not from the sums
};

inline constexpr std::size_t kMostReplayStops = 10'000;

// Reads the facts once, a day at a time; memory grows with the fleet and its grace windows, not with the range.
// Blocking; call from a worker thread. Fails with Cancelled, Overflow or Storage… codes.
[[nodiscard]] base::Result<IdleReplay> replayIdle(store::AttributionReader &facts, const ReplayQuery &query,
                                                  base::Currency currency, const std::stop_token &stop = {});

// The same for several rules in one pass; only sums, no stops. All must have the threshold of `facts`; query.rule is
// not replayed itself.
[[nodiscard]] base::Result<std::vector<IdleReplay>> replayIdleRules(store::AttributionReader &facts,
                                                                    const ReplayQuery &query,
                                                                    const std::vector<model::IdleSettings> &rules,
                                                                    base::Currency currency,
                                                                    const std::stop_token &stop = {});

} // namespace gpuledger::insight
