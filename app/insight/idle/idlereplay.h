// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/gputime.h"
#include "app/base/money.h"
#include "app/base/result.h"
#include "app/insight/query/query.h"
#include "app/model/settings.h"
#include "app/store/facts/attributionreader.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::insight {

// A rule for idle things, replayed over the past. Buckets are base buckets of 5 min.
//
// Stop: at the first end `t` of a bucket in [from, to) at which the idle list of `t` has the holder and it is not
// protected: it holds something in the bucket before `t`, began at `t` - grace or earlier, no unit that it holds was
// active in (t - grace, t], and each was observed for at least `observed` of that time. So time that nobody observed
// never counts as idle.
// Resumed: the start of the first bucket after `t` in which it was active on any unit. From there on the replay takes
// it for started anew, and may stop it again. False stop: resumed - t < resumeWithin.
// Ended: the end of its last bucket before `to`; one that is not seen for more than a day and the longest grace window
// (or resumeWithin) has ended.
// Back: its observed idle GPU-time (of buckets that end after `t`) up to resumed, ended or `to`, and what it cost. Its
// unobserved time in there is told beside it and is in no sum: it may have worked.
// Lost, of a false stop: its active GPU-time from resumed up to its next stop, its end or `to`: the work that the stop
// would have broken, at most. Undecided: it still held its devices less than resumeWithin before the end of the range.
struct ReplayQuery {
    base::TimeRange range;
    Filter filter; // takes a holder when one of its units passes in the bucket before the stop
    model::IdleSettings rule; // the threshold must be the one of `facts`
    base::Seconds resumeWithin{3600};
};

struct ReplayStop {
    std::string id; // as in the idle list
    std::string name, owner, cluster, nameSpace;
    model::WorkloadKind kind = model::WorkloadKind::Unknown;
    base::UtcTime at{};
    base::UtcTime until{}; // of what came back: resumed, ended or the end of the range
    std::optional<base::UtcTime> resumed;
    bool falseStop = false, undecided = false;
    base::GpuTime back, unobserved, lost;
    std::optional<base::Money> money; // null: part of it has no price
};

struct ReplaySum {
    std::int64_t stops = 0, falseStops = 0, resumed = 0, undecided = 0;
    base::GpuTime back, unobserved, lost;
    base::GpuTime falseBack; // the part of `back` that is of false stops
    base::GpuTime unpriced; // the part of `back` without a price
    std::int64_t money = 0; // nano-units, of what has a price
};

struct IdleReplay {
    base::TimeRange range; // whole buckets
    double threshold = 0;
    base::Seconds resumeWithin{};
    base::Currency currency = base::Currency::usd();
    ReplaySum total;
    std::map<std::pair<model::WorkloadKind, std::string>, ReplaySum> parts; // by kind and team; they add up to total
    base::GpuTime idle; // all observed idle time of the range that passes the filter bucket by bucket
    std::vector<ReplayStop> stops; // ascending by (at, id); false ones first where there are too many
    std::size_t leftOut = 0; // of the list, not of the sums
};

inline constexpr std::size_t kMostReplayStops = 10'000;

// Reads the facts once, a day at a time; memory grows with the fleet and its grace windows, not with the range.
// Blocking; worker threads. Fails with Cancelled, Overflow or Storage… codes.
[[nodiscard]] base::Result<IdleReplay> replayIdle(store::AttributionReader &facts, const ReplayQuery &query,
                                                  base::Currency currency, const std::stop_token &stop = {});

} // namespace gpuledger::insight
