// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/sources/sourceservice.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "app/ingest/sourcesync.h"
#include "app/ingest/synclock.h"
#include "app/services/engine/engine.h"
#include "app/services/sources/machinelist.h"
#include "app/services/sources/pricelistsync.h"
#include "app/services/sources/syncorder.h"
#include "app/services/sources/syncreport.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <type_traits>

namespace gpuledger::services {

using base::Result;

namespace {

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

// For all past days, those of one source.
Result<std::vector<store::HeldDay>> heldOf(store::LedgerStore &cache, const std::string &source, base::UtcTime now)
{
    auto held = cache.heldAllocations(base::Day{0}, base::dayOf(now));
    GPULEDGER_TRY(held);
    std::erase_if(*held, [&](const store::HeldDay &one) { return one.source != source; });
    return held;
}

// What a source has: its own cluster, or everything if no other source tells of devices, but nothing that only a list
// of machines tells.
store::ClusterSize sizeOf(const std::vector<store::ClusterSize> &clusters, const model::SourceSettings &source,
                          bool hasAll, const std::set<std::string> &listed)
{
    store::ClusterSize sum;
    for (const store::ClusterSize &one : clusters) {
        if (listed.contains(one.cluster))
            continue;
        if (!hasAll && one.cluster != (source.cluster.empty() ? source.name : source.cluster))
            continue;
        sum.devices += one.devices;
        sum.nodes += one.nodes;
    }
    return sum;
}

Result<bool> hasNoTelemetry(store::LedgerStore &cache)
{
    auto facts = cache.facts();
    GPULEDGER_TRY(facts);
    const auto covered = (*facts)->coveredRange();
    GPULEDGER_TRY(covered);
    return covered->empty();
}

using Findings = std::vector<ports::Finding>;

template <typename Connector>
Result<Findings> findingsOf(Result<std::unique_ptr<Connector>> connector, const std::stop_token &stop)
{
    GPULEDGER_TRY(connector);
    auto found = (*connector)->probe(stop);
    GPULEDGER_TRY(found);
    if constexpr (std::is_same_v<decltype(found), Result<Findings>>)
        return std::move(*found);
    else
        return std::move(found->findings);
}

// Of a part of a source: that it fails does not make the source unusable.
void addFindings(ports::ProbeReport &report, Result<Findings> found, ports::FindingText failed)
{
    if (!found)
        found = Findings{{ports::Finding::Level::Problem, failed, {base::printable(found.error().text, 400)}, {}, {}}};
    for (ports::Finding &finding : *found)
        report.findings.push_back(std::move(finding));
}

// The machines of the sources with these numbers, beside the bill of the same source, whose failure is told first.
void syncLists(Engine &engine, const Setup &setup, const std::vector<std::size_t> &numbers,
               const std::vector<const model::SourceSettings *> &sources, std::vector<SyncReport> &reports,
               const std::stop_token &stop)
{
    std::vector<const model::SourceSettings *> listing;
    for (const std::size_t number : numbers)
        listing.push_back(sources[number]);
    auto lists = syncMachines(engine, setup, listing, stop);
    for (std::size_t i = 0; i < lists.size(); ++i) {
        SyncReport &report = reports[numbers[i]];
        SyncReport &list = lists[i];
        if (engine.kindOf(*listing[i]).isPlatform()) {
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

} // namespace

SyncReport SourceService::syncTelemetry(const model::SourceSettings &s, const Setup &setup, std::stop_token stop,
                                        const ProgressFn &progress, WhatIsGone gone)
{
    auto connector = m_engine.source(s);
    if (!connector) {
        SyncReport report;
        report.error = std::move(connector).error().withSource(s.name);
        return report;
    }
    const auto passOn = [&](const ingest::Progress &p) {
        progress({s.name, p.range, p.doneTo, p.bytes, p.buckets, p.bucketsPerSecond, p.secondsLeft});
    };
    ingest::SyncPolicy policy = policyFor(s, m_engine.clock());
    policy.acceptGone = gone == WhatIsGone::Accept;
    ledger::LedgerWriter writer(m_engine.cache(), setup.ledger->rollup());
    return reportOf(ingest::syncSource(**connector, writer, policy, m_engine.clock(), std::move(stop), passOn));
}

SyncReport SourceService::syncBills(const model::SourceSettings &s, const Setup &setup, const std::stop_token &stop,
                                    const ProgressFn &progress)
{
    SyncReport report;
    report.tellsBills = true;
    auto connector = m_engine.catalog().createCost(s, m_engine.secrets(), m_engine.clock());
    if (!connector) {
        report.error = std::move(connector).error().withSource(s.name);
        return report;
    }
    const auto passOn = [&](const ports::BillProgress &p) {
        SyncProgress told;
        told.source = s.name;
        told.bytes = p.bytesRead;
        told.bytesTotal = p.bytesTotal;
        told.lines = p.lines;
        progress(told);
    };
    ledger::LedgerWriter writer(m_engine.cache(), setup.ledger->rollup());
    auto outcome = ingest::syncBills(**connector, writer, m_engine.clock(), stop, passOn);
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

SyncReport SourceService::syncAllocations(const model::SourceSettings &s, const Setup &setup,
                                          const std::stop_token &stop, const ProgressFn &progress, WhatIsGone gone)
{
    SyncReport report;
    report.tellsAllocations = true;
    auto connector = m_engine.catalog().createAllocation(s, m_engine.secrets(), m_engine.clock());
    if (!connector) {
        report.error = std::move(connector).error().withSource(s.name);
        return report;
    }
    const auto passOn = [&](const ingest::AllocationProgress &p) {
        SyncProgress told;
        told.source = s.name;
        told.bytes = p.bytes;
        told.days = p.done;
        told.daysTotal = p.all;
        progress(told);
    };
    const ingest::AllocationPolicy policy{.back = s.firstSync, .acceptLess = gone == WhatIsGone::Accept};
    ledger::LedgerWriter writer(m_engine.cache(), setup.ledger->rollup());
    auto outcome = ingest::syncAllocations(**connector, writer, policy, m_engine.clock(), stop, passOn);
    report.range = outcome.range;
    report.accepted = outcome.accepted;
    report.rejected = outcome.rejected;
    report.gaps = outcome.missing.size();
    report.bytes = outcome.bytes;
    report.seconds = outcome.seconds;
    report.error = std::move(outcome.error);
    report.allocations = std::move(outcome.days);
    if (auto held = heldOf(m_engine.cache(), s.name, m_engine.clock().now()))
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

// The state is read after the lock is taken, so that it includes what was stored while waiting for it.
SyncReport SourceService::syncOne(const model::SourceSettings &s, const Setup &setup, const std::stop_token &stop,
                                  const ProgressFn &progress, WhatIsGone gone)
{
    const ports::SourceKind kind = m_engine.kindOf(s);
    auto lock = ingest::SyncLock::take(m_engine.options().dataFolder, s.name, ingest::SyncLock::kLongestWait, stop);
    if (!lock) {
        SyncReport report;
        report.tellsBills = kind.tellsBills();
        report.tellsAllocations = kind.tellsAllocations();
        report.error = std::move(lock).error().withSource(s.name);
        return report;
    }
    return kind.tellsBills()      ? syncBills(s, setup, stop, progress)
        : kind.tellsAllocations() ? syncAllocations(s, setup, stop, progress, gone)
                                  : syncTelemetry(s, setup, stop, progress, gone);
}

Result<void> SourceService::syncNow(const std::string &source, std::stop_token stop)
{
    const auto reports = sync(source, std::move(stop), {});
    GPULEDGER_TRY(reports);
    for (const SyncReport &report : *reports) {
        if (report.error && report.kind != kPriceListKind)
            return tl::unexpected(*report.error);
    }
    return {};
}

Result<std::vector<SyncReport>> SourceService::sync(const std::optional<std::string> &source, std::stop_token stop,
                                                    const ProgressFn &progress, WhatIsGone gone)
{
    GPULEDGER_TRY(m_engine.refuseInReport());
    const std::lock_guard lock(m_engine.syncMutex());
    const Setup &setup = m_engine.setup();
    std::vector<const model::SourceSettings *> wanted;
    for (const model::SourceSettings &s : setup.settings.sources) {
        if ((!source || s.name == *source) && s.mayRead
            && (!m_engine.kindOf(s).isPlatform() || listsMachines(m_engine, s)))
            wanted.push_back(&s);
    }
    const auto &all = setup.settings.sources;
    const bool hasNothing = source && std::any_of(all.begin(), all.end(), [&](const model::SourceSettings &s) {
                                return s.name == *source && m_engine.kindOf(s).isPlatform();
                            });
    if (wanted.empty() && source && !hasNothing)
        return base::fail(base::ErrorCode::NotFound, "no source named \"" + *source + '"', base::Remedy::SeeSources);
    std::vector<SyncReport> reports(wanted.size());
    std::mutex progressMutex;
    const auto syncAt = [&](std::size_t i) {
        const model::SourceSettings &s = *wanted[i];
        const auto passOn = [&](const SyncProgress &p) {
            const std::lock_guard inner(progressMutex);
            if (progress)
                progress(p);
        };
        reports[i] = syncOne(s, setup, stop, passOn, gone);
        reports[i].name = s.name;
        reports[i].kind = s.kind;
    };
    // Lists of machines go as far as telemetry does, and therefore come last.
    std::vector<std::size_t> others, lists;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (!m_engine.kindOf(*wanted[i]).isPlatform())
            others.push_back(i);
        if (listsMachines(m_engine, *wanted[i]))
            lists.push_back(i);
    }
    const auto tellsBills = [&](std::size_t i) { return m_engine.kindOf(*wanted[i]).tellsBills(); };
    const auto bills = hasNoTelemetry(m_engine.cache()).value_or(false)
        ? std::stable_partition(others.begin(), others.end(), tellsBills)
        : others.begin();
    BillsFirst order(static_cast<std::size_t>(bills - others.begin()));
    inParallel(others, [&](std::size_t i) {
        if (!tellsBills(i))
            order.wait(stop);
        syncAt(i);
        if (tellsBills(i))
            order.oneIsDone();
    });
    syncLists(m_engine, setup, lists, wanted, reports, stop);
    for (SyncReport &report : syncPriceLists(m_engine, source, m_priceListPause, stop))
        reports.push_back(std::move(report));
    if (stop.stop_requested())
        return base::fail(base::ErrorCode::Cancelled, "cancelled");
    return reports;
}

Result<std::vector<SourceStatus>> SourceService::statuses()
{
    auto states = m_engine.cache().syncStates();
    GPULEDGER_TRY(states);
    std::vector<SourceStatus> out;
    auto facts = m_engine.cache().facts();
    GPULEDGER_TRY(facts);
    const auto clusters = (*facts)->clusterSizes();
    GPULEDGER_TRY(clusters);
    const std::vector<model::SourceSettings> &all = m_engine.setup().settings.sources;
    const auto telemetry = std::count_if(
        all.begin(), all.end(), [&](const model::SourceSettings &s) { return m_engine.kindOf(s).tellsTelemetry(); });
    std::set<std::string> listed; // clusters of lists of machines
    for (const model::SourceSettings &s : all) {
        if (m_engine.kindOf(s).tellsInventory())
            listed.insert(s.name);
    }
    for (const model::SourceSettings &s : all) {
        SourceStatus status;
        status.settings = s;
        status.state.source = s.name;
        for (const store::SyncState &state : *states) {
            if (state.source == s.name)
                status.state = state;
        }
        if (!status.state.covered.empty())
            status.lag = std::max(base::Seconds{0}, base::Seconds{m_engine.clock().now() - status.state.covered.end});
        const ports::SourceKind kind = m_engine.kindOf(s);
        status.stops = kind.stops();
        status.isPlatform = kind.isPlatform();
        status.tellsPlans = kind.tellsPlans();
        status.tellsClaims = kind.tellsClaims();
        status.tellsInventory = s.mayRead && listsMachines(m_engine, s);
        if (status.tellsInventory) {
            addListFailure(*states, status);
            const auto machines = listedMachines(m_engine, s.name);
            GPULEDGER_TRY(machines);
            status.machines = *machines;
        }
        if (status.isPlatform) {
            // it has no data over time
        } else if (kind.tellsBills()) {
            status.tellsBills = true;
            const auto paid = ingest::paidCalls(m_engine.cache(), s.name);
            GPULEDGER_TRY(paid);
            status.paid = *paid;
        } else if (kind.tellsAllocations()) {
            status.tellsAllocations = true;
            auto held = heldOf(m_engine.cache(), s.name, m_engine.clock().now());
            GPULEDGER_TRY(held);
            status.held = std::move(*held);
        } else if (const store::ClusterSize size = sizeOf(*clusters, s, telemetry == 1, listed);
                   telemetry == 1 || size.devices > 0) {
            status.devices = size.devices;
            status.nodes = size.nodes;
        }
        out.push_back(std::move(status));
    }
    return out;
}

Result<ports::ProbeReport> SourceService::test(const std::string &name, std::stop_token stop)
{
    for (const model::SourceSettings &s : m_engine.setup().settings.sources) {
        if (s.name == name)
            return test(s, std::move(stop));
    }
    return base::fail(base::ErrorCode::NotFound, "no source named \"" + name + '"', base::Remedy::SeeSources);
}

Result<ports::ProbeReport> SourceService::test(const model::SourceSettings &source, std::stop_token stop)
{
    const auto probe = [&](auto connector) -> Result<ports::ProbeReport> {
        GPULEDGER_TRY(connector);
        return (*connector)->probe(stop);
    };
    const ports::SourceKind kind = m_engine.kindOf(source);
    auto report = kind.tellsPlans()
        ? probe(m_engine.catalog().createPlans(source, m_engine.secrets(), m_engine.clock()))
        : kind.tellsClaims() ? probe(m_engine.catalog().createClaims(source, m_engine.secrets(), m_engine.clock()))
        : kind.isPlatform()  ? probe(m_engine.catalog().createTarget(source, m_engine.secrets(), m_engine.clock()))
        : kind.tellsBills()  ? probe(m_engine.catalog().createCost(source, m_engine.secrets(), m_engine.clock()))
        : kind.tellsAllocations()
        ? probe(m_engine.catalog().createAllocation(source, m_engine.secrets(), m_engine.clock()))
        : probe(m_engine.source(source));
    if (!report)
        return base::fail(std::move(report).error().withSource(source.name));
    if (kind.tellsPrices())
        addFindings(*report,
                    findingsOf(m_engine.catalog().createPrices(source, m_engine.secrets(), m_engine.clock()), stop),
                    ports::FindingText::PricesUnread);
    if (listsMachines(m_engine, source))
        addFindings(*report,
                    findingsOf(m_engine.catalog().createInventory(source, m_engine.secrets(), m_engine.clock()), stop),
                    ports::FindingText::MachinesUnread);
    if (kind.tellsBills() && kind.stops() && source.mayStop)
        addFindings(*report,
                    findingsOf(m_engine.catalog().createTarget(source, m_engine.secrets(), m_engine.clock()), stop),
                    ports::FindingText::StopsUnready);
    else if (kind.tellsBills() && kind.stops())
        report->findings.push_back(
            {ports::Finding::Level::Missing, ports::FindingText::ReadsOnly, {}, ports::FindingRemedy::AllowStop, {}});
    if (!kind.tellsAllocations())
        return report;
    const auto held = heldOf(m_engine.cache(), source.name, m_engine.clock().now());
    GPULEDGER_TRY(held);
    if (!held->empty())
        report->findings.push_back({ports::Finding::Level::Problem,
                                    ports::FindingText::AllocatorHasLess,
                                    {static_cast<std::uint64_t>(held->size())},
                                    ports::FindingRemedy::AcceptGone,
                                    {base::printable(source.name, 100)}});
    return report;
}

ports::SourceKinds SourceService::kinds() const
{
    return m_engine.catalog().kinds();
}

} // namespace gpuledger::services
