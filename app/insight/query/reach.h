// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time.h"
#include "app/insight/query/query.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::insight {

// How far one source of telemetry was fetched.
struct SourceReach {
    std::string source;
    std::string cluster; // the only one that it tells of; empty: a label tells which, or nobody knows
    std::optional<base::UtcTime> to; // nothing: it was never fetched
    base::Seconds age{}; // from there to the end of what was asked; 0 where it goes further
    bool stale = false; // more than staleAfter(), or never fetched
    double fetched = 0; // share of what was asked that was fetched, holes within it counted
};

// How far the data reach, compared with what was asked. An answer from stale data says so: about the time that was not
// fetched yet nothing is known, and nothing that they call idle is stopped.
struct Reach {
    base::TimeRange asked; // no further than now
    bool endsNow = false; // the end of what was asked is now, not a moment that was named
    std::optional<base::UtcTime> from; // nothing was fetched before; nothing: not at all
    std::optional<base::UtcTime> to; // up to here every source was fetched that ever was; nothing: none was
    base::Seconds age{}; // from there to the end of what was asked
    bool stale = false; // any source is, or there is none
    std::vector<SourceReach> sources;

    // Whether what telemetry says of a cluster is stale.
    bool isStale(std::string_view cluster) const;
    // Where the data of a cluster end; null where no source is known.
    std::optional<base::UtcTime> endOf(std::string_view cluster) const;
    // Share of what was asked that was fetched of every source that the filter admits: the least of theirs. Null where
    // no source is known.
    std::optional<double> fetched(const Filter &filter) const;
};

// What is missing at the end of the data between two syncs when all is well: twice the schedule, and the bucket that
// is not over yet. No schedule is shorter than a bucket.
base::Seconds staleAfter(base::Seconds every);

// A stretch of time that was asked for and not fetched yet, with what the devices of the answer are like at the end of
// the data: they are expected to go on.
struct Unsynced {
    base::TimeRange lastCell; // the last whole quarter hour of the data
    base::TimeRange missing; // from the end of the data to the end of what was asked
    Filter filter; // what of the data it is about
    bool stale = false; // more than what is missing between two syncs when all is well
};
// One a stale source; of several sources that a label tells apart, what the freshest of them lacks. With `alsoFresh`
// the others too, whose data end a little before what was asked.
std::vector<Unsynced> unsyncedOf(const Reach &reach, const Filter &filter, bool alsoFresh = false);

} // namespace gpuledger::insight
