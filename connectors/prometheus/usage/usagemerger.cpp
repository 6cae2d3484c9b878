// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/usage/usagemerger.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::prometheus {

namespace {

using ports::FactBatch;

// Seconds; two holders with this much observed time in one bucket cannot have followed each other.
constexpr int kOverlap = 330;
constexpr auto kUtilization = static_cast<std::size_t>(Quantity::GpuUtilization);

bool absent(const RawSeries &series, std::size_t bucket)
{
    return hasNoSamples(series.cells.at(bucket));
}

// True if one ended where the other began: an exporter that came back under another address, as opposed to a pair that
// observes the same device.
bool handsOver(const RawSeries &a, const RawSeries &b, std::size_t bucket, std::size_t buckets)
{
    if (bucket == 0 || bucket + 1 >= buckets || a.identity.replica != b.identity.replica)
        return false;
    return (absent(a, bucket + 1) && absent(b, bucket - 1)) || (absent(b, bucket + 1) && absent(a, bucket - 1));
}

} // namespace

int UsageMerger::Merged::observed() const
{
    int most = 0;
    for (std::size_t s = 0; s < kSignals; ++s) {
        if (activity[s] != model::kNoShare)
            most = std::max<int>(most, seconds[s]);
    }
    return most;
}

UsageMerger::UsageMerger(UsageAssembler &assembler, const KubeFacts &facts, FactBatch &batch)
    : m_assembler(assembler)
    , m_facts(facts)
    , m_batch(batch)
    , m_exporters(assembler.m_series, assembler.m_targets, facts)
{
    for (std::uint32_t i = 0; i < batch.nodes.size(); ++i)
        m_nodes[{batch.nodes[i].cluster, batch.nodes[i].name}] = i;
}

void UsageMerger::run()
{
    auto &series = m_assembler.m_series;
    m_nodeOfSeries.resize(series.size(), FactBatch::kNone);
    for (std::uint32_t i = 0; i < series.size(); ++i) {
        const std::string &job = series[i].identity.job;
        if (!m_intervalOfJob.contains(job)) {
            const auto known = m_assembler.m_intervals.find(job);
            m_intervalOfJob[job] = known != m_assembler.m_intervals.end() ? static_cast<int>(known->second.count())
                                                                          : 300 / m_assembler.fullCount(job);
        }
        const std::uint32_t device = deviceOf(series[i]);
        const std::uint32_t subject = subjectOf(series[i]);
        m_nodeOfSeries[i] = nodeOf(series[i]);
        hearMachine(subject, m_nodeOfSeries[i], series[i]);
        Slot &slot = m_slots[{device, series[i].identity.gpuInstance, subject}];
        slot.device = device;
        slot.gpuInstance = series[i].identity.gpuInstance;
        slot.subject = subject;
        slot.raw.push_back(i);
    }
    describeMemory();
    m_machines.describe(m_batch);
    std::vector<Slot *> group; // the slots of one device and instance are adjacent
    for (auto it = m_slots.begin(); it != m_slots.end(); ++it) {
        if (!group.empty()
            && (group[0]->device != it->second.device || group[0]->gpuInstance != it->second.gpuInstance)) {
            relate(group);
            group.clear();
        }
        mergeSlot(it->second);
        group.push_back(&it->second);
    }
    relate(group);
}

std::uint16_t UsageMerger::secondsOf(const RawSeries &series, std::uint16_t samples) const
{
    const auto own = m_assembler.m_deviceIntervals.find(UsageAssembler::deviceKey(series.identity));
    const int interval = std::max(1,
                                  own != m_assembler.m_deviceIntervals.end() ? static_cast<int>(own->second.count())
                                                                             : m_intervalOfJob.at(series.identity.job));
    // If the interval does not divide the bucket, there may be one sample more or less: both count as full.
    const int full = std::max(1, 300 / interval);
    return static_cast<std::uint16_t>(samples >= full ? 300 : std::min(300, samples * interval));
}

void UsageMerger::mergeSignal(const Slot &slot, std::size_t bucket, std::size_t signal, Merged &out)
{
    struct Part {
        const RawSeries *series;
        std::uint16_t seconds, activity;
        std::uint32_t index;
    };
    std::vector<Part> parts;
    for (const std::uint32_t index : slot.raw) {
        const RawSeries &series = m_assembler.m_series[index];
        const UsageCell &cell = series.cells.at(bucket);
        if (cell.activity[signal] != model::kNoShare && cell.samples[signal] > 0)
            parts.push_back({&series, secondsOf(series, cell.samples[signal]), cell.activity[signal], index});
    }
    if (parts.empty())
        return;
    const auto best = std::max_element(parts.begin(), parts.end(),
                                       [](const Part &a, const Part &b) { return a.seconds < b.seconds; });
    out.activity[signal] = best->activity;
    out.seconds[signal] = best->seconds;
    out.node = m_nodeOfSeries[best->index];
    if (parts.size() == 2 && parts[0].seconds + parts[1].seconds < kOverlap
        && handsOver(*parts[0].series, *parts[1].series, bucket, slot.cells.size())) {
        const int total = parts[0].seconds + parts[1].seconds;
        out.activity[signal] = static_cast<std::uint16_t>(
            (parts[0].activity * parts[0].seconds + parts[1].activity * parts[1].seconds) / total);
        out.seconds[signal] = static_cast<std::uint16_t>(std::min(300, total));
    }
}

void UsageMerger::mergeSlot(Slot &slot)
{
    const auto &all = m_assembler.m_series;
    std::sort(slot.raw.begin(), slot.raw.end(),
              [&](std::uint32_t a, std::uint32_t b) { return all[a].key < all[b].key; });
    slot.cells.resize(static_cast<std::size_t>(m_assembler.m_buckets));
    slot.first = slot.cells.size();
    for (const std::uint32_t index : slot.raw) {
        if (const UsageCells &kept = all[index].cells; kept.first() < kept.end()) {
            slot.first = std::min(slot.first, kept.first());
            slot.end = std::max(slot.end, kept.end());
        }
    }
    for (std::size_t b = slot.first; b < slot.end; ++b) {
        Merged &out = slot.cells[b];
        for (std::size_t s = kSignals; s-- > 0;) {
            if (s == kUtilization && !slot.gpuInstance.empty())
                continue; // not supported on MIG instances: absent or 0 by design
            mergeSignal(slot, b, s, out);
        }
        for (const std::uint32_t index : slot.raw) {
            const UsageCell &cell = all[index].cells.at(b);
            if (out.tensor == model::kNoShare)
                out.tensor = cell.tensor;
            if (out.power == model::kNoPower)
                out.power = cell.power;
            if (out.memoryMean == model::kNoMemory)
                out.memoryMean = cell.memoryMean;
            if (out.memoryMax == model::kNoMemory)
                out.memoryMax = cell.memoryMax;
            if (out.node == FactBatch::kNone && (cell.memoryMean != model::kNoMemory || cell.power != model::kNoPower))
                out.node = m_nodeOfSeries[index];
        }
    }
}

void UsageMerger::relate(std::vector<Slot *> &group)
{
    if (group.size() > 1) {
        for (std::size_t b = 0; b < static_cast<std::size_t>(m_assembler.m_buckets); ++b)
            relateBucket(group, b);
    }
    for (Slot *slot : group) {
        emit(*slot);
        release(*slot);
    }
}

// The series become facts device by device, so that both together need little more memory than one of them.
void UsageMerger::release(Slot &slot)
{
    slot.cells = {};
    for (const std::uint32_t index : slot.raw)
        m_assembler.m_series[index].cells.release();
}

void UsageMerger::relateBucket(std::vector<Slot *> &group, std::size_t bucket)
{
    Merged *device = nullptr;
    std::vector<Merged *> holders;
    int held = 0;
    for (Slot *slot : group) {
        Merged &cell = slot->cells[bucket];
        if (cell.observed() == 0)
            continue;
        if (slot->subject == FactBatch::kNone) {
            device = &cell;
        } else {
            holders.push_back(&cell);
            held += cell.observed();
        }
    }
    const bool beside = device && std::any_of(holders.begin(), holders.end(), [&](const Merged *h) {
                            return device->observed() + h->observed() >= kOverlap;
                        });
    if (!beside) {
        if (holders.size() > 1 && held >= kOverlap) {
            for (Merged *holder : holders)
                holder->role = model::SeriesRole::CopyPerHolder;
        }
        return;
    }
    // The device's own reading is kept beside each holder's part of it; profiling values are copies of the device's.
    for (Merged *holder : holders) {
        for (std::size_t s = 0; s < kUtilization; ++s) {
            if (device->activity[s] == model::kNoShare && holder->activity[s] != model::kNoShare) {
                device->activity[s] = holder->activity[s];
                device->seconds[s] = holder->seconds[s];
            }
        }
        if (device->tensor == model::kNoShare)
            device->tensor = holder->tensor;
        holder->processOnly = holder->activity[kUtilization] != model::kNoShare;
        holder->role = holder->processOnly ? model::SeriesRole::ProcessShare : model::SeriesRole::CopyPerHolder;
    }
}

void UsageMerger::emit(const Slot &slot)
{
    std::map<std::pair<std::uint32_t, int>, FactBatch::Series> parts; // by node and role
    for (std::size_t b = slot.first; b < slot.end; ++b) {
        const Merged &cell = slot.cells[b];
        model::UsageBucket bucket;
        for (std::size_t s = cell.processOnly ? kUtilization : 0; s < kSignals; ++s) {
            if (cell.activity[s] == model::kNoShare || cell.seconds[s] == 0)
                continue;
            bucket.signal = signalOf(static_cast<int>(s));
            bucket.activity = cell.activity[s];
            bucket.observed = cell.seconds[s];
            break;
        }
        if (!cell.processOnly) {
            bucket.smActive = cell.activity[0];
            bucket.tensorActive = cell.tensor;
            bucket.powerDeciwatt = cell.power;
        }
        bucket.memoryMeanMib = cell.memoryMean;
        bucket.memoryMaxMib = cell.memoryMax;
        const bool nothing = bucket == model::UsageBucket{};
        if (nothing)
            continue;
        FactBatch::Series &series = parts[{cell.node, static_cast<int>(cell.role)}];
        if (series.buckets.empty()) {
            series.bucketNumbers.reserve(slot.end - b);
            series.buckets.reserve(slot.end - b);
        }
        series.device = slot.device;
        series.subject = slot.subject;
        series.node = cell.node;
        series.gpuInstance = slot.gpuInstance;
        series.role = cell.role;
        series.bucketNumbers.push_back(m_assembler.m_first + static_cast<std::int64_t>(b));
        series.buckets.push_back(bucket);
        ++m_batch.acceptedSamples;
        m_batch.gapBuckets += bucket.observed < 300 ? 1 : 0;
    }
    for (auto &[where, series] : parts) {
        series.bucketNumbers.shrink_to_fit();
        series.buckets.shrink_to_fit();
        m_batch.series.push_back(std::move(series));
    }
}

} // namespace gpuledger::prometheus
