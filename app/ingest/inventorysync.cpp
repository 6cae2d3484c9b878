// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ingest/inventorysync.h"

#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "app/ingest/attempt.h"
#include "app/ingest/batchcheck.h"
#include "app/ingest/machinefacts.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace gpuledger::ingest {

using base::Result;
using base::TimeRange;
using ports::FactBatch;
using ports::ListedMachine;
using SteadyClock = std::chrono::steady_clock;

namespace {

constexpr std::int64_t kMostGpus = 64; // of one machine
constexpr base::Seconds kStartTolerance{300};

void reject(FactBatch &batch, const std::string &reason)
{
    const auto known = std::find_if(batch.rejected.begin(), batch.rejected.end(),
                                    [&](const FactBatch::Rejected &one) { return one.reason == reason; });
    if (known != batch.rejected.end())
        ++known->count;
    else
        batch.rejected.push_back({reason, 1});
}

FactBatch::Series seriesOf(std::uint32_t device, std::uint32_t subject, std::uint32_t node, const TimeRange &run)
{
    FactBatch::Series series;
    series.device = device;
    series.subject = subject;
    series.node = node;
    series.role = model::SeriesRole::Listed;
    const std::int64_t first = base::toUnix(run.start) / base::kBucket.count();
    const std::int64_t last = (base::toUnix(run.end) - 1) / base::kBucket.count();
    for (const std::int64_t bucket : {first, last}) {
        if (series.bucketNumbers.empty() || series.bucketNumbers.back() < bucket) {
            series.bucketNumbers.push_back(bucket);
            series.buckets.emplace_back();
        }
    }
    return series;
}

// Why a machine can't be one; empty: it can.
std::string_view flawOf(const ListedMachine &machine, base::UtcTime now)
{
    if (machine.gpus < 1 || machine.gpus > kMostGpus)
        return "machine without a usable number of GPUs";
    return machine.since && *machine.since > now + kStartTolerance ? "machine that starts in the future" : "";
}

void add(FactBatch &batch, const ListedMachine &machine, const TimeRange &run, const std::string &source,
         const std::string &cloud)
{
    const MachineNumbers numbers = addMachine(batch, machine, source, cloud);
    batch.nodeSpans.push_back({numbers.node, run});
    for (std::int64_t i = 0; i < machine.gpus; ++i)
        batch.series.push_back(seriesOf(addGpu(batch, machine, i, source), numbers.subject, numbers.node, run));
}

// What is told about a list, once it is stored.
void describe(const ports::Inventory &inventory, ReadInventory &list)
{
    InventoryOutcome &outcome = list.outcome;
    for (const ListedMachine &machine : inventory.machines) {
        if (!flawOf(machine, list.at).empty())
            continue;
        if (!machine.isMember)
            list.machines.push_back(machine);
        if (machine.until)
            continue;
        ++outcome.machines;
        outcome.gpus += static_cast<std::uint64_t>(machine.gpus);
    }
    outcome.range = list.batch.covered;
    outcome.stoppedAndBilled = inventory.stoppedAndBilled;
    outcome.warnings = inventory.warnings;
    outcome.partial = inventory.isPartial;
    outcome.accepted = list.batch.nodes.size();
    for (const FactBatch::Rejected &one : list.batch.rejected)
        outcome.rejected += one.count;
    outcome.reasons = std::move(list.batch.rejected);
}

Result<void> prepare(ports::Inventory inventory, const std::string &cloud, const InventoryTimes &times,
                     store::LedgerStore &cache, ReadInventory &list)
{
    auto runs = KeptRuns::read(cache, list.source);
    GPULEDGER_TRY(runs);
    runs->settle(inventory, times.now);
    list.runs = std::move(*runs);
    list.batch = factsOf(inventory, list.source, cloud, times);
    if (!list.batch.covered.empty())
        GPULEDGER_TRY(rejectUnsound(list.batch, times.now));
    describe(inventory, list);
    return {};
}

// All of them or none.
Result<void> storeRead(const std::vector<ReadInventory> &lists, ledger::LedgerWriter &writer)
{
    std::vector<std::pair<std::string, const FactBatch *>> facts;
    for (const ReadInventory &list : lists) {
        if (!list.outcome.error && !list.batch.covered.empty())
            facts.emplace_back(list.state, &list.batch);
    }
    if (!facts.empty())
        GPULEDGER_TRY(writer.commit(facts));
    for (const ReadInventory &list : lists) {
        if (!list.outcome.error)
            GPULEDGER_TRY(list.runs.keep(writer.cache(), list.source));
    }
    return {};
}

double secondsSince(SteadyClock::time_point begin)
{
    return std::chrono::duration<double>(SteadyClock::now() - begin).count();
}

} // namespace

FactBatch factsOf(const ports::Inventory &inventory, const std::string &source, const std::string &cloud,
                  const InventoryTimes &times)
{
    FactBatch batch;
    batch.complete = false; // what it does not say any more did happen
    batch.rejected = inventory.leftOut;
    const base::UtcTime end = base::floorTo(times.end, base::kBucket),
                        earliest = base::floorTo(end - times.back, base::kBucket);
    base::UtcTime first = end;
    for (const ListedMachine &machine : inventory.machines) {
        const base::UtcTime since = machine.since.value_or(end);
        const TimeRange run{std::max(since, earliest), std::min(machine.until.value_or(end), end)};
        if (const std::string_view flaw = flawOf(machine, times.now); !flaw.empty()) {
            reject(batch, std::string(flaw));
        } else if (!run.empty()) { // else it is told next time
            add(batch, machine, run, source, cloud);
            first = std::min(first, run.start);
        }
    }
    batch.covered = {base::floorTo(first, base::kBucket), end};
    return batch;
}

ReadInventory readInventory(ports::InventorySource &source, const std::string &state, store::LedgerStore &cache,
                            const std::map<std::string, ports::KnownMachine> &known, const InventoryTimes &times,
                            const std::stop_token &stop)
{
    const auto begin = SteadyClock::now();
    ReadInventory list;
    list.source = source.name();
    list.state = state;
    list.at = times.now;
    auto read = source.read(known, stop);
    const Result<void> done = read ? prepare(std::move(*read), source.cloud(), times, cache, list)
                                   : Result<void>(tl::unexpected(read.error()));
    if (!done)
        list.outcome.error = done.error();
    list.outcome.seconds = secondsSince(begin);
    return list;
}

std::vector<InventoryOutcome> storeInventories(std::vector<ReadInventory> lists, ledger::LedgerWriter &writer)
{
    const auto begin = SteadyClock::now();
    const auto stored = storeRead(lists, writer);
    const double seconds = secondsSince(begin);
    std::vector<InventoryOutcome> outcomes;
    for (ReadInventory &list : lists) {
        InventoryOutcome &outcome = outcomes.emplace_back(std::move(list.outcome));
        if (!outcome.error && !stored)
            outcome.error = stored.error();
        if (outcome.error) {
            InventoryOutcome failed;
            failed.seconds = outcome.seconds;
            failed.error = base::Error(*outcome.error).withSource(list.source);
            outcome = std::move(failed);
            base::log::warning("sync", list.source + ": " + outcome.error->text);
        }
        outcome.seconds += seconds;
        outcome.error = recorded(writer.cache(), list.state,
                                 {list.at, outcome.accepted, outcome.rejected, 0, 0, std::move(outcome.error)});
    }
    return outcomes;
}

} // namespace gpuledger::ingest
