// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ledger/commit/ledgerwriter.h"
#include "app/model/money/allocatedsize.h"
#include "app/ports/allocationsource.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ingest {

// A day's answer that contains less than the previous one, as from a server that lost data.
struct AllocatedLess {
    model::AllocatedSize before, now;
};

// The result of syncing one requested day.
struct AllocatedOutcome {
    base::Day day;
    model::AllocationProduct product{};
    std::uint64_t nodes = 0, withGpus = 0;
    std::uint64_t accepted = 0, rejected = 0; // records; if both are 0, the server had no data for the day
    bool toldGpuUse = false;
    bool changed = false; // it differs from what was reported before
    bool kept = false; // no data, or less than before, were reported: the cached data stay
    std::optional<AllocatedLess> less; // what is missing from it; std::nullopt: nothing
    bool final = false; // it is not requested again
    std::string warning; // from the server
};

// The result of syncing a source of allocations.
struct AllocationsOutcome {
    std::vector<AllocatedOutcome> days; // newest first
    std::vector<base::Day> missing; // requested but not stored: the first one that failed
    std::uint64_t accepted = 0, rejected = 0, bytes = 0;
    base::TimeRange range; // hull of the days
    double seconds = 0;
    std::optional<base::Error> error; // what was stored before it is kept
};

// The progress of such a sync, for display.
struct AllocationProgress {
    std::size_t done = 0, all = 0; // days
    std::uint64_t bytes = 0;
};
using AllocationProgressFn = std::function<void(const AllocationProgress &)>;

// Which days a sync requests, and what it accepts.
struct AllocationPolicy {
    base::Seconds back{90 * 86400}; // older days are not requested
    bool askAll = false; // also final days: they were reported at another address
    // Requests every day, and accepts days with less data than before, because the user decided so. Even then, an
    // answer without a price replaces nothing.
    bool acceptLess = false;
};

// Days before `now` that are worth requesting, newest first: past days within the last `back`, except final ones. A day
// without data, or with less than before, never becomes final: the address may have been wrong, or the server without
// its data. It is requested at each sync for a week, and once a day from then on; a day with less than before is
// requested even if it is older than `back`, until the user decides.
std::vector<base::Day> daysToAsk(base::UtcTime now, const AllocationPolicy &policy,
                                 const std::vector<store::AllocatedState> &known);
// A day is final once the servers' own reconciliation with the cloud is over; a day without machines never is.
bool isFinal(base::Day day, bool empty, base::UtcTime now);
// What `now` lacks compared with `before`; std::nullopt: nothing. A reconciliation with the cloud makes a day cheaper
// by its adjustment, which is not considered here; machines, the run time of machines and GPUs, and the hourly price
// stay.
std::optional<AllocatedLess> lessThan(const model::AllocationDay &before, const model::AllocationDay &now);

// Queries a source for its days, one at a time, and stores each completely; a day with less data than before is kept as
// it was. If a source that never reported anything starts to, every day is requested again. Ends at the first day that
// fails. The end of the attempt is recorded in the cache. Blocks; call from a worker thread. Never throws; failures are
// in the outcome.
AllocationsOutcome syncAllocations(ports::AllocationSource &source, ledger::LedgerWriter &writer,
                                   const AllocationPolicy &policy, const base::Clock &clock,
                                   const std::stop_token &stop, const AllocationProgressFn &progress);

} // namespace gpuledger::ingest
