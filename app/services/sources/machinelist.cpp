// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/sources/machinelist.h"

#include "app/base/text/text.h"
#include "app/ingest/inventorysync.h"
#include "app/ingest/synclock.h"
#include "app/ingest/usagesync.h"
#include "app/ledger/fleet/fleetindex.h"
#include "app/services/engine/engine.h"
#include "app/services/sources/accesserror.h"
#include "app/services/sources/namedinventory.h"
#include "app/services/sources/syncorder.h"
#include "app/services/sources/syncreport.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

namespace gpuledger::services {

using base::Result;

namespace {

constexpr std::size_t kListsAtOnce = 4;

// As far as telemetry goes, if there is any: what it has not told yet would look unobserved. The same goes for what the
// cloud itself measures.
Result<base::UtcTime> endOfData(Engine &engine, const Setup &setup)
{
    const auto states = engine.cache().syncStates();
    GPULEDGER_TRY(states);
    base::UtcTime end{};
    for (const store::SyncState &state : *states) {
        const auto &all = setup.settings.sources;
        const bool isTelemetry = std::any_of(all.begin(), all.end(), [&](const model::SourceSettings &one) {
            return one.name == state.source && one.mayRead && engine.kindOf(one).tellsTelemetry();
        });
        if (isTelemetry && !state.covered.empty())
            end = std::max(end, state.covered.end);
    }
    const base::UtcTime now = engine.clock().now();
    return end == base::UtcTime{} ? now : std::min(end, now);
}

// A list of machines on its way into the cache.
struct MachineList {
    const model::SourceSettings *source = nullptr;
    std::unique_ptr<ingest::SyncLock> lock; // until it is stored
    std::unique_ptr<ports::InventorySource> inventory;
    std::optional<ingest::ReadInventory> read;
    std::optional<ingest::UsageQuestion> question; // of one whose cloud measures its machines
    std::optional<ingest::InventoryOutcome> stored;
    SyncReport report;
};

// In the order of their names, so that two processes never wait for each other.
void takeLocks(Engine &engine, std::vector<MachineList> &lists, const std::stop_token &stop)
{
    std::vector<MachineList *> sorted;
    for (MachineList &list : lists)
        sorted.push_back(&list);
    std::sort(sorted.begin(), sorted.end(),
              [](const MachineList *a, const MachineList *b) { return a->source->name < b->source->name; });
    for (MachineList *list : sorted) {
        auto lock = ingest::SyncLock::take(engine.options().dataFolder, list->source->name,
                                           ingest::SyncLock::kLongestWait, stop);
        if (lock)
            list->lock = std::move(*lock);
        else
            list->report.error = std::move(lock).error().withSource(list->source->name);
    }
}

Result<ingest::ReadInventory> readMachines(Engine &engine, const Setup &setup, const model::SourceSettings &source,
                                           ports::InventorySource &inventory, const std::stop_token &stop)
{
    const auto told = endOfData(engine, setup);
    GPULEDGER_TRY(told);
    const base::UtcTime now = engine.clock().now();
    const base::UtcTime end = inventory.usage() ? std::min(*told, ingest::endOfUsage(now)) : *told;
    const std::string state = engine.kindOf(source).isPlatform() ? source.name : ingest::stateOfMachines(source.name);
    return ingest::readInventory(inventory, state, engine.cache(), {}, {now, end, source.firstSync}, stop);
}

// Machines of the source that run at the end of `range` and have no telemetry then.
Result<std::uint64_t> unseenMachines(Engine &engine, const std::string &source, const base::TimeRange &range)
{
    if (range.empty())
        return std::uint64_t{0};
    const auto facts = engine.cache().facts();
    GPULEDGER_TRY(facts);
    const base::TimeRange now{range.end - base::kBucket, range.end};
    const auto index = ledger::FleetIndex::load(**facts, now);
    GPULEDGER_TRY(index);
    const std::set<std::string> machines = index->unseenMachines(source, now);
    return static_cast<std::uint64_t>(machines.size());
}

// Under which the cache keeps the counts of a source, as "machines gpus unseen".
std::string memoryName(const std::string &source)
{
    return source + "\nmachines";
}

// "2 machines are stopped but not deallocated, …: rg/a, rg/b"
std::string stoppedWarning(const std::vector<std::string> &machines)
{
    constexpr std::size_t kNamed = 5;
    std::string names;
    for (std::size_t i = 0; i < std::min(machines.size(), kNamed); ++i)
        names += (i == 0 ? "" : ", ") + base::printable(machines[i], 100);
    if (machines.size() > kNamed)
        names += " and " + std::to_string(machines.size() - kNamed) + " more";
    return (machines.size() == 1 ? "1 machine is" : std::to_string(machines.size()) + " machines are")
        + " stopped but not deallocated, and billed as if running: " + names;
}

// What became of a list of `source`.
SyncReport reportOf(Engine &engine, const model::SourceSettings &source, ingest::InventoryOutcome outcome)
{
    SyncReport report;
    report.range = outcome.range;
    report.accepted = outcome.accepted;
    report.rejected = outcome.rejected;
    report.reasons = std::move(outcome.reasons);
    report.seconds = outcome.seconds;
    if (outcome.error && isOfAccess(*outcome.error)) {
        report.warnings.push_back("its machines are left out: " + outcome.error->text);
        return report;
    }
    report.error = std::move(outcome.error);
    if (report.error)
        return report;
    const auto unseen = unseenMachines(engine, source.name, outcome.range);
    if (!unseen) {
        report.error = unseen.error();
        return report;
    }
    report.warnings = std::move(outcome.warnings);
    report.partial = outcome.partial;
    if (!outcome.stoppedAndBilled.empty())
        report.warnings.push_back(stoppedWarning(outcome.stoppedAndBilled));
    report.machines = MachineCount{outcome.machines, outcome.gpus, *unseen};
    const auto kept = engine.cache().putMemory(memoryName(source.name),
                                               std::to_string(outcome.machines) + ' ' + std::to_string(outcome.gpus)
                                                   + ' ' + std::to_string(*unseen));
    if (!kept)
        report.error = kept.error();
    return report;
}

void storeMachines(Engine &engine, const Setup &setup, std::vector<MachineList> &lists)
{
    std::vector<MachineList *> stored;
    std::vector<ingest::ReadInventory> read;
    for (MachineList &list : lists) {
        if (!list.read)
            continue;
        if (list.inventory->usage())
            list.question = ingest::UsageQuestion{
                list.source->name,    list.inventory->cloud(), list.read->state, std::move(list.read->machines), {},
                engine.clock().now(), list.source->firstSync};
        stored.push_back(&list);
        read.push_back(std::move(*list.read));
    }
    ledger::LedgerWriter writer(engine.cache(), setup.ledger->rollup());
    auto outcomes = ingest::storeInventories(std::move(read), writer);
    for (std::size_t i = 0; i < stored.size(); ++i)
        stored[i]->stored = std::move(outcomes[i]);
}

// That the account may not read it is no failure.
void addUsage(ingest::UsageOutcome outcome, SyncReport &report)
{
    report.gaps += outcome.gaps;
    report.bytes += outcome.bytes;
    report.rejected += outcome.rejected;
    report.seconds += outcome.seconds;
    report.partial = report.partial || outcome.partial;
    report.paid = outcome.paid;
    std::move(outcome.reasons.begin(), outcome.reasons.end(), std::back_inserter(report.reasons));
    std::move(outcome.warnings.begin(), outcome.warnings.end(), std::back_inserter(report.warnings));
    if (outcome.error && isOfAccess(*outcome.error))
        report.warnings.push_back("what its machines do is not known: " + outcome.error->text);
    else if (!report.error)
        report.error = std::move(outcome.error);
}

// Of a list that was stored, what its cloud measured of the machines; then what became of both.
void finishList(Engine &engine, const Setup &setup, MachineList &list, const std::stop_token &stop)
{
    std::optional<ingest::UsageOutcome> usage;
    if (list.question && !list.stored->error) {
        list.question->listed = list.stored->range;
        ledger::LedgerWriter writer(engine.cache(), setup.ledger->rollup());
        usage = ingest::syncUsage(*list.inventory->usage(), *list.question, writer, stop);
    }
    list.report = reportOf(engine, *list.source, std::move(*list.stored));
    if (usage)
        addUsage(std::move(*usage), list.report);
}

} // namespace

Result<std::optional<MachineCount>> listedMachines(Engine &engine, const std::string &source)
{
    const auto text = engine.cache().memoryOf(memoryName(source));
    GPULEDGER_TRY(text);
    std::istringstream in(*text);
    MachineCount count;
    if (!(in >> count.machines >> count.gpus >> count.unseen))
        return std::optional<MachineCount>();
    return std::optional(count);
}

void addListFailure(const std::vector<store::SyncState> &states, SourceStatus &status)
{
    const std::string name = ingest::stateOfMachines(status.settings.name);
    const auto list =
        std::find_if(states.begin(), states.end(), [&](const store::SyncState &one) { return one.source == name; });
    const auto isCode = [&](base::ErrorCode code) { return list->lastErrorCode == base::toString(code); };
    if (list == states.end() || !status.state.lastErrorCode.empty() || isCode(base::ErrorCode::Forbidden)
        || isCode(base::ErrorCode::Unauthorized))
        return;
    status.state.lastErrorCode = list->lastErrorCode;
    status.state.lastError = list->lastError;
}

bool listsMachines(const Engine &engine, const model::SourceSettings &source)
{
    return engine.kindOf(source).tellsInventory() && ports::wantsMachines(source).value_or(true);
}

std::vector<SyncReport> syncMachines(Engine &engine, const Setup &setup,
                                     const std::vector<const model::SourceSettings *> &sources,
                                     const std::stop_token &stop)
{
    std::vector<MachineList> lists(sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i)
        lists[i].source = sources[i];
    takeLocks(engine, lists, stop);
    std::vector<std::size_t> open; // whose lock was taken
    for (std::size_t i = 0; i < lists.size(); ++i) {
        if (lists[i].lock)
            open.push_back(i);
    }
    inParallel(open, kListsAtOnce, [&](std::size_t i) {
        MachineList &list = lists[i];
        auto inventory = namedInventory(engine.catalog(), engine.secrets(), engine.clock(), *list.source);
        auto read = inventory ? readMachines(engine, setup, *list.source, **inventory, stop)
                              : Result<ingest::ReadInventory>(tl::unexpected(inventory.error()));
        if (read) {
            list.read = std::move(*read);
            list.inventory = std::move(*inventory);
        } else {
            list.report.error = std::move(read).error().withSource(list.source->name);
        }
    });
    storeMachines(engine, setup, lists);
    std::erase_if(open, [&](std::size_t i) { return !lists[i].stored; });
    inParallel(open, kListsAtOnce, [&](std::size_t i) { finishList(engine, setup, lists[i], stop); });
    std::vector<SyncReport> reports;
    for (MachineList &list : lists)
        reports.push_back(std::move(list.report));
    return reports;
}

} // namespace gpuledger::services
