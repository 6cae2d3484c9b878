// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/clock.h"
#include "app/ports/allocationsource.h"
#include "app/store/ledgerstore.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ingest {

// What was done with one day that was asked for.
struct AllocatedOutcome {
    base::Day day;
    model::AllocationProduct product{};
    std::uint64_t nodes = 0, withGpus = 0;
    bool toldGpuUse = false;
    bool changed = false; // it says something else than before
    bool kept = false; // nothing was told of it any more: what the cache has stays
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

// Days before `now` that are worth asking for, newest first: those of the last `back` that are over, without those that
// change no more.
std::vector<base::Day> daysToAsk(base::UtcTime now, base::Seconds back,
                                 const std::vector<store::AllocatedState> &known);
// A day is final when the servers' own reconciliation with the cloud is over; one of which nothing is told later,
// because the server may have been without its data for a while.
bool isFinal(base::Day day, bool empty, base::UtcTime now);

// Asks a source for its days, one at a time, and stores each as a whole. Ends at the first day that fails. The
// attempt's end is recorded in the cache. Blocks; a worker thread. Never throws; failures are in the outcome.
AllocationsOutcome syncAllocations(ports::AllocationSource &source, store::LedgerStore &cache,
                                   store::RollupBuilder &rollup, base::Seconds back, const base::Clock &clock,
                                   const std::stop_token &stop, const AllocationProgressFn &progress);

} // namespace gpuledger::ingest
