// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/insight/query/query.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::insight {

// How far one telemetry source was fetched.
struct SourceReach {
    std::string source;
    std::string cluster; // the only one it reports on; empty: given by a label, or unknown
    std::optional<base::UtcTime> to; // std::nullopt: never fetched
    base::Seconds age{}; // from there to the end of the requested range; 0 if it reaches further
    bool stale = false; // older than staleAfter(), or never fetched
    double fetched = 0; // fetched share of the requested range, accounting for gaps
};

// How far the data reach, compared with the requested range. An answer from stale data says so: nothing is known about
// the time that was not fetched yet, and nothing that stale data show as idle is stopped.
struct Reach {
    base::TimeRange asked; // no later than now
    bool endsNow = false; // the requested range ends now, not at an explicit time
    std::optional<base::UtcTime> from; // nothing was fetched before this; std::nullopt: nothing at all
    std::optional<base::UtcTime> to; // every source that was ever fetched was fetched up to here; std::nullopt: none
                                     // was
    base::Seconds age{}; // from there to the end of the requested range
    bool stale = false; // any source is stale, or there is none
    std::vector<SourceReach> sources;

    // True if the telemetry of a cluster is stale.
    bool isStale(std::string_view cluster) const;
    // End of the data of a cluster; null if no source is known.
    std::optional<base::UtcTime> endOf(std::string_view cluster) const;
    // Fetched share of the requested range, the minimum over all sources that the filter admits. Null if no source is
    // known.
    std::optional<double> fetched(const Filter &filter) const;
};

// What is normally missing at the end of the data between two syncs: twice the schedule, plus the bucket that is still
// open. No schedule is shorter than a bucket.
base::Seconds staleAfter(base::Seconds every);

// A stretch of time that was requested but not fetched yet. The devices at the end of the data are expected to stay as
// they were.
struct Unsynced {
    base::TimeRange lastCell; // the last complete quarter hour of the data
    base::TimeRange missing; // from the end of the data to the end of the requested range
    Filter filter; // the part of the data that it applies to
    bool stale = false; // longer than the normal delay between two syncs
};
// One entry per stale source; for several sources that a label distinguishes, what the freshest of them is missing.
// With `alsoFresh` also the others, whose data end shortly before the end of the requested range.
std::vector<Unsynced> unsyncedOf(const Reach &reach, const Filter &filter, bool alsoFresh = false);

} // namespace gpuledger::insight
