// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/sources/syncrun.h"

#include "app/ingest/sourcesync.h"
#include "app/ingest/synclock.h"
#include "app/services/engine/engine.h"
#include "app/services/sources/commitmentsync.h"
#include "app/services/sources/machinelist.h"
#include "app/services/sources/syncorder.h"

#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

namespace gpuledger::services {

using base::Result;

namespace {

constexpr std::size_t kBillsAtOnce = 8; // they mostly wait for answers, and are stored one after the other
constexpr std::size_t kOthersAtOnce = 4;

// A clock that is set to a time in the past sees complete data: nothing has to settle.
ingest::SyncPolicy policyFor(const model::SourceSettings &source, const base::Clock &clock)
{
    ingest::SyncPolicy policy;
    policy.firstSync = source.firstSync;
    const base::Seconds behind = base::SystemClock().now() - clock.now();
    if (behind > 2 * policy.settle)
        policy.settle = base::Seconds{0};
    return policy;
}

SyncReport reportOf(ingest::Outcome outcome)
{
    SyncReport report;
    report.range = outcome.range;
    report.accepted = outcome.accepted;
    report.rejected = outcome.rejected;
    report.gaps = outcome.gaps;
    report.bytes = outcome.bytes;
    report.reasons = std::move(outcome.reasons);
    report.warnings = std::move(outcome.warnings);
    report.seconds = outcome.seconds;
    report.partial = outcome.partial;
    report.gone = outcome.gone;
    report.goneAccepted = outcome.goneAccepted;
    report.error = std::move(outcome.error);
    return report;
}

SyncReport reportOf(ingest::BillsOutcome outcome)
{
    SyncReport report;
    report.range = outcome.range;
    report.accepted = outcome.accepted;
    report.rejected = outcome.rejected;
    report.bytes = outcome.bytes;
    report.seconds = outcome.seconds;
    report.error = std::move(outcome.error);
    report.bills = std::move(outcome.deliveries);
    report.knownBills = outcome.known;
    report.waitingBills = std::move(outcome.waiting);
    report.paid = outcome.paid;
    report.scanned = outcome.scanned;
    return report;
}

SyncReport reportOf(ingest::AllocationsOutcome outcome)
{
    SyncReport report;
    report.range = outcome.range;
    report.accepted = outcome.accepted;
    report.rejected = outcome.rejected;
    report.gaps = outcome.missing.size();
    report.bytes = outcome.bytes;
    report.seconds = outcome.seconds;
    report.error = std::move(outcome.error);
    report.allocations = std::move(outcome.days);
    return report;
}

SyncReport failed(const base::Error &error, const model::SourceSettings &source)
{
    SyncReport report;
    report.error = base::Error(error).withSource(source.name);
    return report;
}

Result<bool> hasNoTelemetry(store::LedgerStore &cache)
{
    auto facts = cache.facts();
    GPULEDGER_TRY(facts);
    const auto covered = (*facts)->coveredRange();
    GPULEDGER_TRY(covered);
    return covered->empty();
}

} // namespace

Result<std::vector<store::HeldDay>> heldDays(Engine &engine, const std::string &source)
{
    auto held = engine.cache().heldAllocations(base::Day{0}, base::dayOf(engine.clock().now()));
    GPULEDGER_TRY(held);
    std::erase_if(*held, [&](const store::HeldDay &one) { return one.source != source; });
    return held;
}

SyncRun::SyncRun(Engine &engine, const std::vector<const model::SourceSettings *> &sources, const std::stop_token &stop,
                 const ProgressFn &progress, bool acceptsGone)
    : m_engine(engine)
    , m_setup(engine.setup())
    , m_sources(sources)
    , m_stop(stop)
    , m_progress(progress)
    , m_acceptsGone(acceptsGone)
    , m_reports(sources.size())
{
}

std::vector<SyncReport> SyncRun::run()
{
    const auto tellsBills = [&](const model::SourceSettings &s) { return m_engine.kindOf(s).tellsBills(); };
    const auto tellsOthers = [&](const model::SourceSettings &s) {
        return !tellsBills(s) && !m_engine.kindOf(s).isPlatform();
    };
    syncAll(numbersOf(tellsBills), numbersOf(tellsOthers));
    // Lists of machines go as far as telemetry does, and therefore come last.
    syncLists(numbersOf([&](const model::SourceSettings &s) { return listsMachines(m_engine, s); }));
    return std::move(m_reports);
}

std::vector<std::size_t> SyncRun::numbersOf(const std::function<bool(const model::SourceSettings &)> &isWanted) const
{
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < m_sources.size(); ++i) {
        if (isWanted(*m_sources[i]))
            numbers.push_back(i);
    }
    return numbers;
}

void SyncRun::syncAll(const std::vector<std::size_t> &bills, const std::vector<std::size_t> &others)
{
    ledger::LedgerWriter writer(m_engine.cache(), m_setup.ledger->rollup());
    ingest::BillQueue queue(writer, bills.size(), kBillsAtOnce);
    BillsFirst order(hasNoTelemetry(m_engine.cache()).value_or(false) ? bills.size() : 0);
    const std::jthread beside([&] {
        inParallel(others, kOthersAtOnce, [&](std::size_t number) {
            order.wait(m_stop);
            syncOne(number, queue);
        });
    });
    inParallel(bills, kBillsAtOnce, [&](std::size_t number) {
        syncOne(number, queue);
        queue.oneIsDone();
        order.oneIsDone();
    });
}

// The machines of a source, beside the bill of the same source, whose failure is told first.
void SyncRun::syncLists(const std::vector<std::size_t> &numbers)
{
    std::vector<const model::SourceSettings *> listing;
    for (const std::size_t number : numbers)
        listing.push_back(m_sources[number]);
    auto lists = syncMachines(m_engine, m_setup, listing, m_stop);
    for (std::size_t i = 0; i < lists.size(); ++i) {
        SyncReport &report = m_reports[numbers[i]];
        SyncReport &list = lists[i];
        if (m_engine.kindOf(*listing[i]).isPlatform()) {
            report = std::move(list);
            report.name = listing[i]->name;
            report.kind = listing[i]->kind;
            continue;
        }
        report.machines = list.machines;
        report.seconds += list.seconds;
        std::move(list.reasons.begin(), list.reasons.end(), std::back_inserter(report.reasons));
        std::move(list.warnings.begin(), list.warnings.end(), std::back_inserter(report.warnings));
        if (!report.error)
            report.error = std::move(list.error);
    }
}

// The state is read after the lock is taken, so that it includes what was stored while waiting for it.
void SyncRun::syncOne(std::size_t number, ingest::BillQueue &queue)
{
    const model::SourceSettings &s = *m_sources[number];
    const ports::SourceKind kind = m_engine.kindOf(s);
    const auto lock =
        ingest::SyncLock::take(m_engine.options().dataFolder, s.name, ingest::SyncLock::kLongestWait, m_stop);
    SyncReport &report = m_reports[number];
    report = !lock                ? failed(lock.error(), s)
        : kind.tellsBills()       ? syncBills(s, queue)
        : kind.tellsAllocations() ? syncAllocations(s)
                                  : syncTelemetry(s);
    report.name = s.name;
    report.kind = s.kind;
    report.tellsBills = kind.tellsBills();
    report.tellsAllocations = kind.tellsAllocations();
}

SyncReport SyncRun::syncTelemetry(const model::SourceSettings &s)
{
    const auto connector = m_engine.source(s);
    if (!connector)
        return failed(connector.error(), s);
    const auto passOn = [&](const ingest::Progress &p) {
        tell({s.name, p.range, p.doneTo, p.bytes, p.buckets, p.bucketsPerSecond, p.secondsLeft});
    };
    ingest::SyncPolicy policy = policyFor(s, m_engine.clock());
    policy.acceptGone = m_acceptsGone;
    ledger::LedgerWriter writer(m_engine.cache(), m_setup.ledger->rollup());
    return reportOf(ingest::syncSource(**connector, writer, policy, m_engine.clock(), m_stop, passOn));
}

SyncReport SyncRun::syncBills(const model::SourceSettings &s, ingest::BillQueue &queue)
{
    const auto connector = m_engine.catalog().createCost(s, m_engine.secrets(), m_engine.clock());
    if (!connector)
        return failed(connector.error(), s);
    const auto passOn = [&](const ports::BillProgress &p) {
        SyncProgress told;
        told.source = s.name;
        told.bytes = p.bytesRead;
        told.bytesTotal = p.bytesTotal;
        told.lines = p.lines;
        tell(told);
    };
    SyncReport report = reportOf(ingest::syncBills(**connector, queue, m_engine.clock(), m_stop, passOn));
    if (!report.error && m_engine.kindOf(s).tellsCommitments())
        syncCommitments(m_engine, s, m_stop, report);
    return report;
}

SyncReport SyncRun::syncAllocations(const model::SourceSettings &s)
{
    const auto connector = m_engine.catalog().createAllocation(s, m_engine.secrets(), m_engine.clock());
    if (!connector)
        return failed(connector.error(), s);
    const auto passOn = [&](const ingest::AllocationProgress &p) {
        SyncProgress told;
        told.source = s.name;
        told.bytes = p.bytes;
        told.days = p.done;
        told.daysTotal = p.all;
        tell(told);
    };
    const ingest::AllocationPolicy policy{.back = s.firstSync, .acceptLess = m_acceptsGone};
    ledger::LedgerWriter writer(m_engine.cache(), m_setup.ledger->rollup());
    SyncReport report =
        reportOf(ingest::syncAllocations(**connector, writer, policy, m_engine.clock(), m_stop, passOn));
    if (auto held = heldDays(m_engine, s.name))
        report.held = std::move(*held);
    else if (!report.error)
        report.error = held.error();
    if (report.range.empty())
        return report;
    const auto read = m_engine.cache().allocationFindings(
        base::dayOf(report.range.start), base::dayOf(report.range.end - base::Seconds{1}),
        [&](base::Day day, const model::AllocationFinding &finding) -> Result<void> {
            if (finding.source == s.name)
                report.differences.emplace_back(day, finding);
            return {};
        });
    if (!read && !report.error)
        report.error = read.error();
    return report;
}

void SyncRun::tell(const SyncProgress &progress)
{
    const std::lock_guard lock(m_progressMutex);
    if (m_progress)
        m_progress(progress);
}

} // namespace gpuledger::services
