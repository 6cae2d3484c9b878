// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ports/inventorysource.h"

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ingest {

// The result of reading a list of machines.
struct InventoryOutcome {
    base::TimeRange range; // from the first run in it to now
    std::uint64_t machines = 0, gpus = 0; // that run now
    std::uint64_t accepted = 0, rejected = 0; // machines, also those whose run has ended
    std::vector<ports::FactBatch::Rejected> reasons;
    std::vector<std::string> stoppedAndBilled, warnings; // as ports::Inventory
    double seconds = 0;
    std::optional<base::Error> error; // nothing was stored
};

// The times that a list is read for.
struct InventoryTimes {
    base::UtcTime now{}; // no run begins later
    base::UtcTime end{}; // to which the facts go; rounded down to a bucket
    base::Seconds back{}; // before the end, from which they go on
};

// Facts of machines that exist: each has a node in a cluster named like the source, devices without readings, and, if
// it is no member of a cluster or group, itself as their holder. Runs are cut to `times`, and left out if their begin
// is not told. What was stored about earlier runs stays. Pure.
ports::FactBatch factsOf(const ports::Inventory &inventory, const std::string &source, const std::string &cloud,
                         const InventoryTimes &times);

// Under which the cache keeps what a list told, if the source tells bills, too: those have a state of their own.
inline std::string stateOfMachines(const std::string &source)
{
    return source + "\nlist";
}

// Reads the list and stores all of it or nothing; records the end of the attempt in the cache under `state`. Blocks;
// call from a worker thread. Never throws; failures are in the outcome.
InventoryOutcome syncInventory(ports::InventorySource &source, const std::string &state, ledger::LedgerWriter &writer,
                               const std::map<std::string, ports::KnownMachine> &known, const InventoryTimes &times,
                               const std::stop_token &stop);

} // namespace gpuledger::ingest
