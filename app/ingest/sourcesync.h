// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ingest/recall.h"
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ports/telemetrysource.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ingest {

// Which range a sync fetches, and what it accepts.
struct SyncPolicy {
    base::Seconds firstSync{90 * 86400}; // how far back the first sync goes
    base::Seconds overlap{2 * 3600}; // fetched again each time, for data that arrived late
    base::Seconds settle{30}; // the newest data are not fetched for this long, because servers provide them late
    bool acceptGone = false; // the user confirms that what the source no longer reports was deleted there
};

// The progress of a sync, for display.
struct Progress {
    base::TimeRange range;
    base::UtcTime doneTo{};
    std::uint64_t bytes = 0, buckets = 0;
    double bucketsPerSecond = 0;
    std::optional<double> secondsLeft; // unknown at the start
};
using ProgressFn = std::function<void(const Progress &)>;

// The result of syncing a telemetry source.
struct Outcome {
    base::TimeRange range;
    std::uint64_t accepted = 0, rejected = 0, gaps = 0, bytes = 0;
    std::vector<ports::FactBatch::Rejected> reasons; // one per reason, with summed counts
    std::vector<std::string> warnings; // without duplicates
    bool partial = false; // the server said that an answer is incomplete
    Gone gone; // what it reported before and no longer reports, after a second fetch; what was stored stays
    bool goneAccepted = false; // then that time is marked as fetched anyway
    double seconds = 0;
    std::optional<base::Error> error; // what was stored before it is kept

    // True if the whole range is reliable and will not be fetched again.
    bool whole() const { return !error && !partial && (gone.empty() || goneAccepted); }
};

// What to fetch next: the full range of a first sync, or from the end of the stored data (minus the overlap) to now.
// Whole buckets; may be empty.
base::TimeRange rangeToFetch(const std::optional<store::SyncState> &state, base::UtcTime now, const SyncPolicy &policy);

// Fetches one source and stores what it reports, chunk by chunk; a chunk is stored completely or not at all, so that a
// sync that ends early, is repeated or overlaps leaves the same facts. Data missing from an answer that an earlier one
// contained are fetched once more; if they are still missing, what was stored stays, and the next sync fetches that
// time again. The end of the attempt is recorded in the cache. Blocks; call from a worker thread; `progress` is called
// on it at most ten times a second. Never throws; failures are in the outcome.
Outcome syncSource(ports::TelemetrySource &source, ledger::LedgerWriter &writer, const SyncPolicy &policy,
                   const base::Clock &clock, std::stop_token stop, const ProgressFn &progress);

} // namespace gpuledger::ingest
