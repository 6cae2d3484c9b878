// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/activity/simulation.h"

#include "connectors/demo/activity/hoursignals.h"
#include "connectors/demo/activity/signalmodel.h"
#include "connectors/demo/fleet/demorandom.h"

#include <algorithm>
#include <optional>

namespace gpuledger::demo {

namespace {

constexpr std::int64_t kBucketSeconds = base::kBucket.count();
constexpr double kBusy = 0.8; // for work that a user has marked as running again

std::int64_t bucketOf(base::UtcTime t)
{
    return floorDiv(base::toUnix(t), kBucketSeconds);
}

std::int64_t secondsIn(const base::TimeRange &range, std::int64_t bucket)
{
    const base::UtcTime start = base::fromUnix(bucket * kBucketSeconds);
    return range.intersect({start, start + base::kBucket}).length().count();
}

// When the machine of a node was away, within the range.
std::vector<base::TimeRange> awayTimes(const PlannedNode &planned, base::TimeRange range)
{
    std::vector<base::TimeRange> out;
    if (planned.isReclaimed()) {
        for (const base::TimeRange &away : reclaimedTimes(planned.key, range))
            out.push_back(away.intersect(range));
    }
    return out;
}

// And when it was there.
std::vector<base::TimeRange> presentTimes(const PlannedNode &planned, base::TimeRange range)
{
    std::vector<base::TimeRange> out;
    for (const base::TimeRange &away : awayTimes(planned, range)) {
        if (range.start < away.start)
            out.push_back({range.start, away.start});
        range.start = away.end;
    }
    if (!range.empty())
        out.push_back(range);
    return out;
}

} // namespace

// Collects the facts of one node into a batch.
class Simulation::NodeFacts {
public:
    NodeFacts(const Simulation &simulation, std::size_t node, base::TimeRange range, const SimulatedActions &deeds,
              ports::FactBatch &batch)
        : m_simulation(simulation)
        , m_deeds(deeds)
        , m_node(node)
        , m_planned(simulation.m_plan.nodes[node])
        , m_range(range)
        , m_first(bucketOf(range.start))
        , m_count(static_cast<std::size_t>(bucketOf(range.end) - m_first))
        , m_batch(batch)
    {
        for (std::size_t i = 0; i < m_count; ++i)
            m_observed.push_back(observedSeconds(m_planned, m_first + static_cast<std::int64_t>(i)));
        for (int d = 0; d < m_planned.gpus; ++d) {
            const std::size_t device = m_planned.firstDevice + static_cast<std::size_t>(d);
            const auto slices = static_cast<int>(simulation.m_plan.devices[device].slices.size());
            for (int s = slices > 0 ? 0 : -1; s < slices; ++s)
                m_tracks.push_back({{device, s}, m_observed, {}});
        }
    }

    void add()
    {
        for (const Place &place : m_simulation.m_placesByNode[m_node]) {
            const Lane &lane = m_simulation.m_lanes[place.lane];
            for (const Run &run : runsIn(lane, m_range)) {
                const SimulatedAction *deed = deedOf(m_deeds, lane, run);
                m_busySince = deed ? deed->busySince : std::nullopt;
                for (const Run &piece : piecesOf(run, deed)) {
                    if (!piece.range.intersect(m_range).empty())
                        addRun(lane, place.member, piece);
                }
            }
        }
        for (Track &track : m_tracks) {
            if (!track.sharers.empty())
                addShared(track);
            addFree(track);
        }
        std::int64_t gaps =
            std::count_if(m_observed.begin(), m_observed.end(), [](int s) { return s < kBucketSeconds; });
        for (const base::TimeRange &away : awayTimes(m_planned, m_range)) // there is nothing to observe
            gaps -= away.length() / base::kBucket;
        m_batch.gapBuckets += static_cast<std::uint64_t>(gaps) * static_cast<std::uint64_t>(m_planned.gpus);
    }

private:
    struct Sharer {
        const Lane *lane;
        Run run;
        std::uint32_t subject;
    };
    struct Track {
        Slot slot;
        std::vector<int> free; // observed seconds without a holder
        std::vector<Sharer> sharers;
    };

    ports::FactBatch::Series seriesOf(const Slot &slot, std::uint32_t subject, model::SeriesRole role) const
    {
        ports::FactBatch::Series series;
        series.device = static_cast<std::uint32_t>(slot.device);
        series.node = static_cast<std::uint32_t>(m_node);
        series.subject = subject;
        series.role = role;
        if (slot.slice >= 0)
            series.gpuInstance =
                m_simulation.m_plan.devices[slot.device].slices[static_cast<std::size_t>(slot.slice)].gpuInstance;
        return series;
    }

    std::int64_t memoryOf(const Slot &slot) const
    {
        const model::Device &device = m_simulation.m_plan.devices[slot.device];
        if (slot.slice < 0)
            return device.memoryMib;
        // Memory is split into eighths: one for 1g, two for 2g, four for 3g.
        const std::int64_t part = device.slices[static_cast<std::size_t>(slot.slice)].fraction.part;
        return device.memoryMib / 8 * (part == 3 ? 4 : part);
    }

    void push(ports::FactBatch::Series &series, std::int64_t bucket, model::UsageBucket reading, std::int64_t seconds)
    {
        reading.observed = static_cast<std::uint16_t>(seconds);
        series.bucketNumbers.push_back(bucket);
        series.buckets.push_back(reading);
    }

    void keep(ports::FactBatch::Series series)
    {
        if (series.buckets.empty())
            return;
        m_batch.acceptedSamples += series.buckets.size();
        m_batch.series.push_back(std::move(series));
    }

    std::uint32_t addHolder(const Lane &lane, std::size_t member, const Run &run)
    {
        model::Holder holder = holderOf(lane, member, run, m_simulation.m_plan);
        const base::TimeRange span = run.range.intersect(m_range);
        holder.seen = span;
        if (run.range.end <= m_range.end && run.isCut)
            holder.endReason = model::EndReason::NodeShutdown;
        else if (run.range.end <= m_range.end)
            holder.completedAt = run.range.end;
        m_batch.holderSpans.push_back({static_cast<std::uint32_t>(m_batch.holders.size()), span});
        for (std::size_t i = 0; i < m_subjects.size(); ++i) { // a notebook's pod that came back under the same name
            const model::Subject &known = m_batch.subjects[m_subjects[i]];
            if (known.name == holder.name && known.nameSpace == holder.nameSpace) {
                m_batch.holders.push_back(std::move(holder));
                return m_subjects[i];
            }
        }
        model::Subject subject;
        subject.cluster = holder.cluster;
        subject.nameSpace = holder.nameSpace;
        subject.name = holder.name;
        m_subjects.push_back(static_cast<std::uint32_t>(m_batch.subjects.size()));
        m_batch.subjects.push_back(std::move(subject));
        m_batch.holders.push_back(std::move(holder));
        return m_subjects.back();
    }

    void addRun(const Lane &lane, std::size_t member, const Run &run)
    {
        const std::uint32_t subject = addHolder(lane, member, run);
        const auto &slots = lane.members[member].slots;
        for (std::size_t p = 0; p < slots.size(); ++p) {
            const auto track = std::find_if(m_tracks.begin(), m_tracks.end(), [&](const Track &t) {
                return t.slot.device == slots[p].device && t.slot.slice == slots[p].slice;
            });
            if (lane.shared)
                track->sharers.push_back({&lane, run, subject});
            else
                addExclusive(*track, lane, run, subject, positionOf(member, p));
        }
        const auto activity = [&](std::size_t slot, std::int64_t bucket) -> std::optional<double> {
            if (secondsIn(run.range, bucket) * observedSeconds(m_planned, bucket) / kBucketSeconds == 0)
                return std::nullopt;
            const auto reading = exclusiveReading(slots[slot], lane, run, positionOf(member, slot), bucket);
            return reading.activity == model::kNoShare ? std::nullopt
                                                       : std::optional(model::shareToDouble(reading.activity));
        };
        const bool isWholeNode = slots.size() == m_tracks.size();
        const Holding holding{lane, lane.members[member], run, subject, isWholeNode, activity};
        addHourSignals(m_batch, holding, m_range);
        addWriteBursts(m_batch, holding, m_range);
    }

    static int positionOf(std::size_t member, std::size_t slot) { return static_cast<int>(member * 16 + slot); }

    // What the exporter reports for a device of its own.
    model::UsageBucket exclusiveReading(const Slot &slot, const Lane &lane, const Run &run, int position,
                                        std::int64_t bucket) const
    {
        model::UsageBucket reading =
            readingOf(lane, run, position, *m_planned.gpu, slot.slice >= 0, memoryOf(slot), bucket);
        if (m_busySince && base::fromUnix((bucket + 1) * kBucketSeconds) > *m_busySince)
            reading.activity = model::toShare(kBusy);
        return reading;
    }

    void addExclusive(Track &track, const Lane &lane, const Run &run, std::uint32_t subject, int position)
    {
        ports::FactBatch::Series series = seriesOf(track.slot, subject, model::SeriesRole::Slice);
        const std::int64_t last = std::min(m_first + static_cast<std::int64_t>(m_count), bucketOf(run.range.end) + 1);
        for (std::int64_t b = std::max(m_first, bucketOf(run.range.start)); b < last; ++b) {
            const auto at = static_cast<std::size_t>(b - m_first);
            const std::int64_t held = secondsIn(run.range, b) * m_observed[at] / kBucketSeconds;
            if (held == 0)
                continue;
            track.free[at] -= static_cast<int>(held);
            push(series, b, exclusiveReading(track.slot, lane, run, position, b), held);
        }
        keep(std::move(series));
    }

    // The exporter repeats the device's own reading for each sharer. It is generated from the first sharer present.
    void addShared(Track &track)
    {
        const std::int64_t memory = memoryOf(track.slot);
        std::vector<ports::FactBatch::Series> copies;
        for (const Sharer &sharer : track.sharers)
            copies.push_back(seriesOf(track.slot, sharer.subject, model::SeriesRole::CopyPerHolder));
        for (std::size_t at = 0; at < m_count; ++at) {
            const std::int64_t b = m_first + static_cast<std::int64_t>(at);
            std::int64_t longest = 0;
            model::UsageBucket reading;
            for (std::size_t s = 0; s < track.sharers.size(); ++s) {
                const Sharer &sharer = track.sharers[s];
                const std::int64_t held = secondsIn(sharer.run.range, b) * m_observed[at] / kBucketSeconds;
                if (held == 0)
                    continue;
                if (longest == 0)
                    reading = readingOf(*sharer.lane, sharer.run, 0, *m_planned.gpu, false, memory, b);
                longest = std::max(longest, held);
                push(copies[s], b, reading, held);
            }
            track.free[at] -= static_cast<int>(longest);
        }
        for (ports::FactBatch::Series &series : copies)
            keep(std::move(series));
    }

    void addFree(const Track &track)
    {
        ports::FactBatch::Series series = seriesOf(track.slot, ports::FactBatch::kNone, model::SeriesRole::Slice);
        const std::uint64_t deviceKey = key(m_planned.key, track.slot.device);
        for (std::size_t at = 0; at < m_count; ++at) {
            const std::int64_t b = m_first + static_cast<std::int64_t>(at);
            if (track.free[at] > 0)
                push(series, b, restingReading(*m_planned.gpu, track.slot.slice >= 0, deviceKey, b), track.free[at]);
        }
        keep(std::move(series));
    }

    const Simulation &m_simulation;
    const SimulatedActions &m_deeds;
    std::optional<base::UtcTime> m_busySince; // of the current run
    const std::size_t m_node;
    const PlannedNode &m_planned;
    const base::TimeRange m_range;
    const std::int64_t m_first;
    const std::size_t m_count;
    ports::FactBatch &m_batch;
    std::vector<int> m_observed;
    std::vector<Track> m_tracks;
    std::vector<std::uint32_t> m_subjects; // of this node, as indices into the batch
};

Simulation::Simulation(const Options &options)
    : m_plan(FleetPlan::make(options))
    , m_lanes(makeLanes(m_plan, options))
    , m_placesByNode(m_plan.nodes.size())
{
    for (std::size_t l = 0; l < m_lanes.size(); ++l) {
        for (std::size_t m = 0; m < m_lanes[l].members.size(); ++m)
            m_placesByNode[m_lanes[l].members[m].node].push_back({l, m});
    }
}

base::Result<ports::FactBatch> Simulation::facts(base::TimeRange range, std::stop_token stop,
                                                 const SimulatedActions &deeds) const
{
    ports::FactBatch batch;
    batch.covered = range;
    if (range.empty())
        return batch;
    batch.devices = m_plan.devices;
    for (std::size_t n = 0; n < m_plan.nodes.size(); ++n) {
        const PlannedNode &planned = m_plan.nodes[n];
        if (!planned.existsAt(range.start)) { // and neither does any after it
            batch.devices.resize(planned.firstDevice);
            break;
        }
        if (stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "stopped");
        const base::TimeRange present{range.start, std::min(range.end, planned.until.value_or(range.end))};
        batch.nodes.push_back(planned.node);
        for (const base::TimeRange &there : presentTimes(planned, present))
            batch.nodeSpans.push_back({static_cast<std::uint32_t>(n), there});
        NodeFacts(*this, n, present, deeds, batch).add();
    }
    return batch;
}

} // namespace gpuledger::demo
