// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/sources/sourceservice.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "app/services/engine/engine.h"
#include "app/services/sources/machinelist.h"
#include "app/services/sources/pricelistsync.h"
#include "app/services/sources/syncreport.h"
#include "app/services/sources/syncrun.h"

#include <algorithm>
#include <set>
#include <type_traits>

namespace gpuledger::services {

using base::Result;

namespace {

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

} // namespace

Result<void> SourceService::syncNow(const std::string &source, const std::stop_token &stop)
{
    const auto reports = sync(source, stop, {});
    GPULEDGER_TRY(reports);
    for (const SyncReport &report : *reports) {
        if (report.error && report.kind != kPriceListKind)
            return tl::unexpected(*report.error);
    }
    return {};
}

Result<std::vector<SyncReport>> SourceService::sync(const std::optional<std::string> &source,
                                                    const std::stop_token &stop, const ProgressFn &progress,
                                                    WhatIsGone gone)
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
    std::vector<SyncReport> reports = SyncRun(m_engine, wanted, stop, progress, gone == WhatIsGone::Accept).run();
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
        if (kind.tellsBills() || status.tellsInventory) {
            const auto paid = ingest::paidCalls(m_engine.cache(), s.name);
            GPULEDGER_TRY(paid);
            status.paid = *paid;
        }
        if (status.isPlatform) {
            // it has no data over time
        } else if (kind.tellsBills()) {
            status.tellsBills = true;
        } else if (kind.tellsAllocations()) {
            status.tellsAllocations = true;
            auto held = heldDays(m_engine, s.name);
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
    const auto held = heldDays(m_engine, source.name);
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
