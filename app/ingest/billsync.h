// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ingest/billqueue.h"
#include "app/ingest/paidmonth.h"
#include "app/ports/costsource.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ingest {

// One delivery: what the import read, or why it failed.
struct BillOutcome {
    std::vector<std::string> files;
    std::optional<ports::ImportReport> report;
    store::BillFindings findings;
    std::vector<std::string> copyOf; // these files, imported before, have the same bytes
    std::optional<base::Error> error; // nothing of it was stored
};

// The result of syncing a source of bills.
struct BillsOutcome {
    std::vector<BillOutcome> deliveries; // new ones, copies and failed ones; not those that were already known
    std::vector<ports::WaitingBill> waiting; // not read yet
    std::uint64_t known = 0; // deliveries that had been imported before
    std::uint64_t accepted = 0, rejected = 0, bytes = 0;
    base::TimeRange range; // the months of the billing periods that were imported
    std::optional<ports::PaidCalls> paid; // what its requests cost; std::nullopt: they are free
    std::optional<std::uint64_t> scanned; // bytes that its queries were charged for; std::nullopt: not charged so
    double seconds = 0;
    std::optional<base::Error> error; // the first error; what was stored before and after it is kept
};

// Called on the importing thread, at most ten times a second.
using BillProgressFn = std::function<void(const ports::BillProgress &)>;

// Imports every new delivery of a source, each of them completely or not at all; one that fails does not hold up the
// others, nor those that other sources put into the queue. The caller tells the queue when it is done. The end of the
// attempt is recorded in the cache. Blocks; call from a worker thread. Never throws; failures are in the outcome.
BillsOutcome syncBills(ports::CostSource &source, BillQueue &queue, const base::Clock &clock,
                       const std::stop_token &stop, const BillProgressFn &progress);

} // namespace gpuledger::ingest
