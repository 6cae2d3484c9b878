// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ingest/usagesync.h"

#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "app/ingest/batchcheck.h"
#include "app/ingest/machinefacts.h"
#include "app/ingest/paidmonth.h"
#include "app/ledger/fleet/fleetindex.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace gpuledger::ingest {

using base::Result;
using base::TimeRange;
using ports::FactBatch;
using ports::ListedMachine;

namespace {

constexpr base::Seconds kUsageOverlap{2 * 3600};
constexpr base::Seconds kUsageSettle{240}; // agents send the samples of a minute together, minutes later
constexpr std::size_t kMostUsageWarnings = 20;

std::string markName(const std::string &source)
{
    return source + "\nusage"; // seconds since 1970, to which its usage was fetched
}

// From the end of what was fetched, or as far back as it goes.
Result<TimeRange> rangeToAsk(const ports::UsageSource &source, const UsageQuestion &question, store::LedgerStore &cache)
{
    const auto text = cache.memoryOf(markName(question.source));
    GPULEDGER_TRY(text);
    const base::UtcTime earliest = question.now - std::min(question.back, source.kept());
    const auto mark = base::parseInt(*text);
    const base::UtcTime start = mark ? std::max(earliest, base::fromUnix(*mark) - kUsageOverlap) : earliest;
    const TimeRange wanted{base::ceilTo(start, base::kBucket), endOfUsage(question.now)};
    const TimeRange range = wanted.intersect(question.listed);
    return range.empty() ? TimeRange{wanted.end, wanted.end} : range;
}

// Those that run in the range, without those that telemetry knows: the readings of a cloud may cost money, and
// telemetry comes first.
std::vector<ListedMachine> machinesToAsk(const UsageQuestion &question, const ledger::FleetIndex &fleet,
                                         const TimeRange &range)
{
    const std::set<std::string> known = fleet.seenMachines(question.source, range);
    std::vector<ListedMachine> out;
    std::copy_if(question.machines.begin(), question.machines.end(), std::back_inserter(out),
                 [&](const ListedMachine &machine) {
                     return machine.since.value_or(range.start) < range.end
                         && machine.until.value_or(range.end) > range.start && !known.contains(machine.id);
                 });
    return out;
}

Result<ledger::FleetIndex> fleetIn(store::LedgerStore &cache, const TimeRange &range)
{
    const auto facts = cache.facts();
    GPULEDGER_TRY(facts);
    return ledger::FleetIndex::load(**facts, range);
}

void addReason(UsageOutcome &outcome, const FactBatch::Rejected &one)
{
    outcome.rejected += one.count;
    const auto known = std::find_if(outcome.reasons.begin(), outcome.reasons.end(),
                                    [&](const FactBatch::Rejected &other) { return other.reason == one.reason; });
    if (known == outcome.reasons.end())
        outcome.reasons.push_back(one);
    else
        known->count += one.count;
}

void addWarning(UsageOutcome &outcome, const std::string &text)
{
    const std::string warning = base::printable(text);
    auto &all = outcome.warnings;
    if (all.size() < kMostUsageWarnings && std::find(all.begin(), all.end(), warning) == all.end())
        all.push_back(warning);
}

// The readings as series of the devices that the list told. A GPU that the list doesn't have is left out.
FactBatch batchOf(ports::MeasuredUsage usage, const std::vector<ListedMachine> &machines, const UsageQuestion &question,
                  const TimeRange &range)
{
    FactBatch batch;
    batch.covered = range;
    batch.complete = false; // what was told before did happen
    batch.rejected = std::move(usage.rejected);
    std::map<std::size_t, MachineNumbers> known;
    std::map<std::pair<std::size_t, std::int64_t>, std::uint32_t> gpus;
    std::uint64_t strangers = 0;
    for (ports::MeasuredGpu &gpu : usage.gpus) {
        const auto [number, index] = gpu.which;
        const bool isListed = number < machines.size() && index >= 0 && index < machines[number].gpus;
        if (!isListed || gpus.contains({number, index})) {
            ++strangers;
            continue;
        }
        if (!known.contains(number))
            known[number] = addMachine(batch, machines[number], question.source, question.cloud);
        const std::uint32_t device = addGpu(batch, machines[number], index, question.source);
        gpus[{number, index}] = device;
        FactBatch::Series &series = batch.series.emplace_back();
        series.device = device;
        series.subject = known[number].subject;
        series.node = known[number].node;
        series.bucketNumbers = std::move(gpu.bucketNumbers);
        series.buckets = std::move(gpu.buckets);
    }
    if (strangers > 0)
        batch.rejected.push_back({"usage of a GPU that the list of machines does not have", strangers});
    return batch;
}

void count(const FactBatch &batch, UsageOutcome &outcome)
{
    for (const FactBatch::Series &series : batch.series) {
        outcome.accepted += series.buckets.size();
        outcome.gaps += static_cast<std::uint64_t>(
            std::count_if(series.buckets.begin(), series.buckets.end(),
                          [](const model::UsageBucket &b) { return b.observed < base::kBucket.count(); }));
    }
    for (const FactBatch::Rejected &one : batch.rejected)
        addReason(outcome, one);
}

Result<void> syncDay(ports::UsageSource &source, const UsageQuestion &question, const ledger::FleetIndex &fleet,
                     const TimeRange &day, ledger::LedgerWriter &writer, UsageOutcome &outcome,
                     const std::stop_token &stop)
{
    const std::vector<ListedMachine> machines = machinesToAsk(question, fleet, day);
    if (machines.empty())
        return {};
    auto usage = source.usage(machines, day, stop);
    GPULEDGER_TRY(usage);
    outcome.bytes += usage->bytes;
    outcome.partial = outcome.partial || !usage->complete;
    for (const std::string &warning : usage->warnings)
        addWarning(outcome, warning);
    FactBatch batch = batchOf(std::move(*usage), machines, question, day);
    GPULEDGER_TRY(rejectUnsound(batch, question.now));
    count(batch, outcome);
    return batch.series.empty() ? Result<void>() : writer.commit(question.state, batch);
}

Result<void> syncDays(ports::UsageSource &source, const UsageQuestion &question, ledger::LedgerWriter &writer,
                      UsageOutcome &outcome, const std::stop_token &stop)
{
    const auto range = rangeToAsk(source, question, writer.cache());
    GPULEDGER_TRY(range);
    outcome.range = *range;
    const auto fleet = fleetIn(writer.cache(), *range);
    GPULEDGER_TRY(fleet);
    for (base::UtcTime at = range->start; at < range->end;) {
        const base::UtcTime end = std::min(base::floorTo(at, base::kDay) + base::kDay, range->end);
        GPULEDGER_TRY(syncDay(source, question, *fleet, {at, end}, writer, outcome, stop));
        if (!outcome.partial)
            GPULEDGER_TRY(writer.cache().putMemory(markName(question.source), std::to_string(base::toUnix(end))));
        at = end;
    }
    return {};
}

} // namespace

base::UtcTime endOfUsage(base::UtcTime now)
{
    return base::floorTo(now - kUsageSettle, base::kBucket);
}

UsageOutcome syncUsage(ports::UsageSource &source, const UsageQuestion &question, ledger::LedgerWriter &writer,
                       const std::stop_token &stop)
{
    const auto begin = std::chrono::steady_clock::now();
    UsageOutcome outcome;
    Result<void> done = syncDays(source, question, writer, outcome, stop);
    outcome.paid = source.paid();
    if (outcome.paid && outcome.paid->requests > 0) {
        auto kept = addPaid(writer.cache(), question.source, *outcome.paid, question.now);
        if (done)
            done = std::move(kept);
    }
    if (!done) {
        outcome.error = std::move(done).error().withSource(question.source);
        base::log::warning("sync", question.source + ": " + outcome.error->text);
    }
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return outcome;
}

Result<ports::ActivityAnswer> activityOfListed(ports::UsageSource &source, const std::string &name,
                                               const std::vector<ListedMachine> &machines,
                                               const ports::ActivityQuestion &question, const std::stop_token &stop)
{
    auto measured = source.activity(machines, question, stop);
    GPULEDGER_TRY(measured);
    ports::ActivityAnswer answer;
    answer.now = measured->now;
    for (ports::MeasuredActivity::Reading &one : measured->readings) {
        if (one.which.machine >= machines.size())
            continue;
        const ListedMachine &machine = machines[one.which.machine];
        ports::ActivityReading reading = std::move(one.activity);
        reading.cluster = name;
        reading.uuid = uuidOf(machine, one.which.gpu);
        reading.nodes = {machine.id};
        if (!machine.hostName.empty())
            reading.nodes.push_back(machine.hostName);
        reading.holders = {{model::SubjectKind::Machine, {}, machine.id}};
        answer.readings.push_back(std::move(reading));
    }
    return answer;
}

} // namespace gpuledger::ingest
