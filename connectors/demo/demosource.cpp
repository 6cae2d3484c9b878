// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/demosource.h"

#include "connectors/demo/activity/liveactivity.h"
#include "connectors/demo/activity/queueplan.h"
#include "connectors/demo/fleet/demooptions.h"

#include <algorithm>
#include <set>

namespace gpuledger::demo {

namespace {

using base::ErrorCode;

constexpr std::int64_t kDeviceDaysPerChunk = 1600; // about a tenth of a second in the store, 16 MB of memory

} // namespace

base::Result<std::unique_ptr<ports::TelemetrySource>> DemoSource::create(const model::SourceSettings &settings,
                                                                         const base::Clock &clock)
{
    const auto options = optionsOf(settings);
    GPULEDGER_TRY(options);
    return std::make_unique<DemoSource>(settings.name, *options, clock, settings.path);
}

DemoSource::DemoSource(std::string name, const Options &options, const base::Clock &clock, std::filesystem::path deeds)
    : m_name(std::move(name))
    , m_options(options)
    , m_deeds(std::move(deeds))
    , m_clock(clock)
    , m_simulation(options)
{
}

base::Result<ports::ProbeReport> DemoSource::probe(std::stop_token stop)
{
    using Level = ports::Finding::Level;
    if (stop.stop_requested())
        return base::fail(ErrorCode::Cancelled, "stopped");
    const FleetPlan &plan = m_simulation.plan();
    const base::UtcTime now = m_clock.now();
    std::set<std::string> clusters;
    std::uint64_t nodes = 0, devices = 0, unprofiled = 0;
    for (const PlannedNode &node : plan.nodes) {
        if (!node.existsAt(now))
            continue;
        clusters.insert(node.node.cluster);
        ++nodes;
        devices += static_cast<std::uint64_t>(node.gpus);
        unprofiled += node.gpu->profiling ? 0 : 1;
    }
    ports::ProbeReport report;
    report.product = "GPU Ledger demo";
    report.usable = true;
    report.findings.push_back({Level::Good,
                               ports::FindingText::DemoFleet,
                               {devices, nodes, clusters.size(), static_cast<std::uint64_t>(m_options.days)},
                               ports::FindingRemedy::None,
                               {}});
    report.findings.push_back(
        {Level::Missing, ports::FindingText::DemoWithoutProfiling, {unprofiled}, ports::FindingRemedy::None, {}});
    report.ownerLabelCandidates = {"team"};
    return report;
}

base::Result<void> DemoSource::fetch(base::TimeRange range, ports::FactSink &sink, std::stop_token stop)
{
    if (base::floorTo(range.start, base::kBucket) != range.start
        || base::floorTo(range.end, base::kBucket) != range.end)
        return base::fail(ErrorCode::InvalidArgument, "the range does not start and end at bucket boundaries");
    const base::UtcTime now = m_clock.now();
    const base::TimeRange window{base::floorTo(now - m_options.days * base::kDay, base::kDay),
                                 base::floorTo(now, base::kBucket)};
    // For every chunk the store reads its index once, so a chunk has as many whole days as a short commit allows.
    const std::int64_t days =
        std::max<std::int64_t>(1, kDeviceDaysPerChunk / static_cast<std::int64_t>(m_simulation.plan().devices.size()));
    const auto deeds = readDeeds(m_deeds);
    GPULEDGER_TRY(deeds);
    ports::FetchProgress progress;
    progress.total = range;
    for (base::UtcTime at = range.start; at < range.end;) {
        const base::UtcTime end = std::min(base::floorTo(at, base::kDay) + days * base::kDay, range.end);
        const base::TimeRange chunk{at, end};
        auto batch = m_simulation.facts(chunk.intersect(window), stop, *deeds);
        if (!batch)
            return base::fail(batch.error());
        batch->covered = chunk;
        batch->keptFrom = window.start;
        addPastWaits(m_options, *batch);
        progress.buckets += batch->acceptedSamples;
        progress.doneTo = end;
        GPULEDGER_TRY(sink.accept(std::move(*batch)));
        sink.progress(progress);
        at = end;
    }
    return {};
}

base::Result<ports::ActivityAnswer> DemoSource::newestActivity(const ports::ActivityQuestion &question,
                                                               std::stop_token stop)
{
    const base::UtcTime now = question.at.value_or(m_clock.now());
    const auto deeds = readDeeds(m_deeds);
    GPULEDGER_TRY(deeds);
    const auto facts = m_simulation.facts(liveRange(question, now), std::move(stop), *deeds);
    GPULEDGER_TRY(facts);
    return liveActivity(*facts, question, now);
}

base::Result<model::WaitingFacts> DemoSource::waitingAt(base::UtcTime at, std::stop_token stop)
{
    const auto deeds = readDeeds(m_deeds);
    GPULEDGER_TRY(deeds);
    const base::UtcTime end = base::floorTo(std::min(at, m_clock.now()), base::kBucket);
    const auto batch = m_simulation.facts({end - base::kBucket, end}, std::move(stop), *deeds);
    GPULEDGER_TRY(batch);
    return queueAt(m_simulation.plan(), m_options, *batch, end);
}

} // namespace gpuledger::demo
