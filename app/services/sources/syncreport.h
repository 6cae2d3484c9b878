// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/error.h"
#include "app/base/time/time.h"
#include "app/ingest/allocationsync.h"
#include "app/ingest/billsync.h"
#include "app/ingest/recall.h"
#include "app/model/settings.h"
#include "app/ports/factbatch.h"
#include "app/store/ledgerstore.h"
#include "app/store/values/heldday.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::services {

// The progress of a sync, for display.
struct SyncProgress {
    std::string source;
    base::TimeRange range;
    base::UtcTime doneTo{};
    std::uint64_t bytes = 0;
    std::uint64_t buckets = 0;
    double bucketsPerSecond = 0;
    std::optional<double> secondsLeft;
    // For bills, which have no range: bytes read out of how many, and lines.
    std::uint64_t bytesTotal = 0, lines = 0;
    // For allocations: days.
    std::uint64_t days = 0, daysTotal = 0;
};

// The kind in the report of a price list.
inline constexpr const char *kPriceListKind = "price-list";

// What a list of machines has now.
struct MachineCount {
    std::uint64_t machines = 0; // with GPUs, that run
    std::uint64_t gpus = 0; // of these
    std::uint64_t unseen = 0; // machines of these that no telemetry is known of
};

// The result of syncing one source.
struct SyncReport {
    std::string name, kind;
    base::TimeRange range;
    std::uint64_t accepted = 0, rejected = 0, gaps = 0, bytes = 0;
    std::vector<ports::FactBatch::Rejected> reasons;
    std::vector<std::string> warnings;
    double seconds = 0;
    bool partial = false; // an answer was incomplete, as the server or a warning says: what it lacks is asked again
    ingest::Gone gone; // what it reported before and no longer reports; what was stored stays
    bool goneAccepted = false;
    std::optional<base::Error> error;

    // True if no part of the range has to be fetched again, except for the overlap, and no decision is pending.
    bool whole() const { return !error && !partial && (gone.empty() || goneAccepted) && held.empty(); }
    // For a source of bills: each new delivery, and how many had been imported before. In that case accepted and
    // rejected count lines, and the range covers the billing periods.
    bool tellsBills = false;
    std::vector<ingest::BillOutcome> bills;
    std::uint64_t knownBills = 0;
    std::vector<ports::WaitingBill> waitingBills; // not read yet: still being written
    std::optional<ports::PaidCalls> paid; // what the requests of this sync cost; std::nullopt: they are free
    std::optional<std::uint64_t> scanned; // bytes that its queries were charged for; std::nullopt: not charged so
    // For a source of allocations: each requested day, newest first, and how the ledger differs from it. In that case
    // accepted and rejected count records, and gaps counts failed days.
    bool tellsAllocations = false;
    std::vector<ingest::AllocatedOutcome> allocations;
    std::vector<std::pair<base::Day, model::AllocationFinding>> differences;
    // Days for which the source has less than what is stored, whenever that was noticed; ascending.
    std::vector<store::HeldDay> held;
    // For a source that lists machines. Of one that tells nothing else, accepted and rejected count machines.
    std::optional<MachineCount> machines;
};

// A configured source and the state of its data.
struct SourceStatus {
    model::SourceSettings settings;
    store::SyncState state;
    std::optional<base::Seconds> lag; // now - end of the covered range
    // Number seen through it so far: all if it is the only source, else those of its own cluster; std::nullopt if that
    // is unknown.
    std::optional<std::int64_t> devices, nodes;
    bool tellsBills = false; // if so, there is no covered range and no lag
    std::optional<ingest::PaidMonth> paid; // the latest month in which its requests cost something
    bool tellsAllocations = false; // likewise
    std::vector<store::HeldDay> held; // days for which it has less than what is stored; ascending
    bool stops = false; // workloads can be stopped through it, if its permissions allow
    bool isPlatform = false; // a platform, plans or claims: it has no data of its own but the list of its machines
    bool tellsPlans = false, tellsClaims = false; // read when they are asked for
    bool tellsInventory = false; // if so, it lists machines
    std::optional<MachineCount> machines; // of its last list
};

} // namespace gpuledger::services
