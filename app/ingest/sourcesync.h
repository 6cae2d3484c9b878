// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/clock.h"
#include "app/ingest/recall.h"
#include "app/ports/telemetrysource.h"
#include "app/store/ledgerstore.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ingest {

struct SyncPolicy {
    base::Seconds firstSync{90 * 86400}; // how far back the first sync goes
    base::Seconds overlap{2 * 3600}; // asked again each time, for data that came late
    base::Seconds settle{30}; // the newest data are left alone for so long, because servers show them late
    bool acceptGone = false; // what the source told before and tells no more was deleted there, somebody says
};

struct Progress {
    base::TimeRange range;
    base::UtcTime doneTo{};
    std::uint64_t bytes = 0, buckets = 0;
    double bucketsPerSecond = 0;
    std::optional<double> secondsLeft; // unknown at the start
};
using ProgressFn = std::function<void(const Progress &)>;

struct Outcome {
    base::TimeRange range;
    std::uint64_t accepted = 0, rejected = 0, gaps = 0, bytes = 0;
    std::vector<ports::FactBatch::Rejected> reasons; // one a reason, counts summed
    std::vector<std::string> warnings; // without repetition
    bool partial = false; // the server said that an answer is a part of what it has
    Gone gone; // what it told before and tells no more, asked twice; what was stored stays
    bool goneAccepted = false; // then that time is marked as fetched all the same
    double seconds = 0;
    std::optional<base::Error> error; // what was stored before it stays

    // Whether all of the range may be believed, and is not asked for again.
    bool whole() const { return !error && !partial && (gone.empty() || goneAccepted); }
};

// What to fetch next: all of the first sync's time, or from the end of what is there (less the overlap) to now. Whole
// buckets; may be empty.
base::TimeRange rangeToFetch(const std::optional<store::SyncState> &state, base::UtcTime now, const SyncPolicy &policy);

// Fetches one source and stores what it tells, chunk by chunk; a chunk is stored whole or not at all, so that a sync
// that ends early, is repeated or overlaps leaves the same facts. What an answer lacks although an earlier one had it
// is asked for once more; if it still is not there, what was stored stays and the time is asked for again by the next
// sync. The attempt's end is recorded in the cache. Blocks; a worker thread; `progress` is called on it at most ten
// times a second. Never throws; failures are in the outcome.
Outcome syncSource(ports::TelemetrySource &source, store::LedgerStore &cache, store::RollupBuilder &rollup,
                   const SyncPolicy &policy, const base::Clock &clock, std::stop_token stop,
                   const ProgressFn &progress);

} // namespace gpuledger::ingest
