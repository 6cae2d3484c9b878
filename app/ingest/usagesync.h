// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ports/usagesource.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ingest {

// What a cloud's monitoring is asked about.
struct UsageQuestion {
    std::string source, cloud; // as those of the list
    std::string state; // under which the cache records the list
    std::vector<ports::ListedMachine> machines; // that hold their GPUs themselves
    base::TimeRange listed; // the time that the list is stored for: nothing is told beyond it
    base::UtcTime now{};
    base::Seconds back{}; // how far back the first sync goes
};

// The result of reading it.
struct UsageOutcome {
    base::TimeRange range; // empty: nothing was asked
    std::uint64_t accepted = 0, rejected = 0, gaps = 0, bytes = 0; // buckets; gaps: those observed in part
    std::vector<ports::FactBatch::Rejected> reasons; // one per reason
    std::vector<std::string> warnings;
    bool partial = false; // the service said that something may be missing: that time is asked again
    std::optional<ports::PaidCalls> paid;
    double seconds = 0;
    std::optional<base::Error> error; // what was stored before it is kept
};

// To which readings are fetched at `now`: what agents measured later may still be on its way.
base::UtcTime endOfUsage(base::UtcTime now);

// Fetches what the GPUs of listed machines did since the last sync, a day at a time, and stores it with their records:
// each day completely or not at all. The last two hours are fetched again, for values that arrived late. Call after the
// list was stored. Blocks; call from a worker thread. Never throws; failures are in the outcome.
UsageOutcome syncUsage(ports::UsageSource &source, const UsageQuestion &question, ledger::LedgerWriter &writer,
                       const std::stop_token &stop);

// The readings of this moment under the names that facts have. Fails like UsageSource::activity().
[[nodiscard]] base::Result<ports::ActivityAnswer> activityOfListed(ports::UsageSource &source, const std::string &name,
                                                                   const std::vector<ports::ListedMachine> &machines,
                                                                   const ports::ActivityQuestion &question,
                                                                   const std::stop_token &stop);

} // namespace gpuledger::ingest
