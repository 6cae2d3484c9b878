// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/ingest/keptruns.h"
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
    bool partial = false; // as ports::Inventory::isPartial
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

// A list that was read but is not stored yet.
struct ReadInventory {
    std::string source, state; // `state`: under which the cache records the attempt
    base::UtcTime at{};
    ports::FactBatch batch;
    KeptRuns runs;
    InventoryOutcome outcome;
    std::vector<ports::ListedMachine> machines{}; // that hold their GPUs themselves, also those whose run has ended
};

// Reads the list; nothing is stored. Blocks; call from a worker thread. Never throws; failures are in the outcome.
ReadInventory readInventory(ports::InventorySource &source, const std::string &state, store::LedgerStore &cache,
                            const std::map<std::string, ports::KnownMachine> &known, const InventoryTimes &times,
                            const std::stop_token &stop);
// Stores the lists that were read in one transaction, because each of them touches every day of the fleet, and records
// the ends of all attempts. Blocks. Returns their outcomes; if nothing could be stored, all have the error.
std::vector<InventoryOutcome> storeInventories(std::vector<ReadInventory> lists, ledger::LedgerWriter &writer);

} // namespace gpuledger::ingest
