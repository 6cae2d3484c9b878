// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/clock.h"
#include "app/model/allocatedsize.h"
#include "app/ports/allocationsource.h"
#include "app/store/ledgerstore.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ingest {

// A day's answer that has less in it than the one before: a server that lost data looks like that.
struct AllocatedLess {
    model::AllocatedSize before, now;
};

// What was done with one day that was asked for.
struct AllocatedOutcome {
    base::Day day;
    model::AllocationProduct product{};
    std::uint64_t nodes = 0, withGpus = 0;
    std::uint64_t accepted = 0, rejected = 0; // records; with neither, nothing was said of the day
    bool toldGpuUse = false;
    bool changed = false; // it says something else than before
    bool kept = false; // nothing, or less, was said of it than before: what the cache has stays
    std::optional<AllocatedLess> less; // what is missing of it; unset: nothing is
    bool final = false; // it is not asked for again
    std::string warning; // the server's
};

struct AllocationsOutcome {
    std::vector<AllocatedOutcome> days; // newest first
    std::vector<base::Day> missing; // asked for, and not stored: the first that failed
    std::uint64_t accepted = 0, rejected = 0, bytes = 0;
    base::TimeRange range; // hull of the days
    double seconds = 0;
    std::optional<base::Error> error; // what was stored before it stays
};

struct AllocationProgress {
    std::size_t done = 0, all = 0; // days
    std::uint64_t bytes = 0;
};
using AllocationProgressFn = std::function<void(const AllocationProgress &)>;

struct AllocationPolicy {
    base::Seconds back{90 * 86400}; // days older than that are not asked for
    bool askAll = false; // also what changes no more: it was said at another address
    // Asks for every day, and takes over what has less in it than before: somebody decided so. An answer without a
    // price replaces nothing all the same.
    bool acceptLess = false;
};

// Days before `now` that are worth asking for, newest first: those of the last `back` that are over, without those that
// change no more. A day of which nothing was said, or less than before, is never done with: the address may have been
// wrong, or the server without its data. It is asked for at each sync for a week, and once a day from then on; one of
// which less was said also when it is older than `back`, until somebody decides.
std::vector<base::Day> daysToAsk(base::UtcTime now, const AllocationPolicy &policy,
                                 const std::vector<store::AllocatedState> &known);
// A day is final when the servers' own reconciliation with the cloud is over; one without machines never is.
bool isFinal(base::Day day, bool empty, base::UtcTime now);
// What `now` lacks of `before`; nullopt: nothing. A reconciliation with the cloud makes a day cheaper by its
// adjustment, which is left out here; machines, the time that they and their GPUs ran and their price by the hour stay.
std::optional<AllocatedLess> lessThan(const model::AllocationDay &before, const model::AllocationDay &now);

// Asks a source for its days, one at a time, and stores each as a whole; a day with less in it than before is kept as
// it was. Where a source that never said anything begins to, every day is asked for again. Ends at the first day that
// fails. The attempt's end is recorded in the cache. Blocks; a worker thread. Never throws; failures are in the
// outcome.
AllocationsOutcome syncAllocations(ports::AllocationSource &source, store::LedgerStore &cache,
                                   store::RollupBuilder &rollup, const AllocationPolicy &policy,
                                   const base::Clock &clock, const std::stop_token &stop,
                                   const AllocationProgressFn &progress);

} // namespace gpuledger::ingest
