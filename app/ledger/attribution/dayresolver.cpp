// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/attribution/dayresolver.h"

#include "app/base/money/money.h"

#include <algorithm>

namespace gpuledger::ledger {

using base::TimeRange;
using model::GpuState;
using model::UsageBucket;

DayResolver::DayResolver(const FleetIndex &index, std::uint16_t threshold)
    : m_index(index)
    , m_exclusive(index)
    , m_shared(index)
    , m_threshold(threshold)
{
}

const std::vector<DayResolver::Part> &DayResolver::resolve(const IndexedDevice &device, base::Day day,
                                                           const std::vector<model::UsageTrack> &tracks)
{
    m_parts.clear();
    const TimeRange whole{day.start(), day.end()};
    if (!device.paid.touches(whole))
        return m_parts;
    const bool allPaid = device.paid.overlap(whole) == base::kDay;
    m_next.assign(tracks.size(), 0);
    m_steady = {};
    m_steady.possible = mayBeSteady(device);
    for (int b = 0; b < base::kBucketsPerDay;) {
        if (const int run = allPaid && m_steady.possible ? resolveRun(device, day, tracks, b) : 0; run > 0) {
            b += run;
            continue;
        }
        const TimeRange range{day.start() + b * base::kBucket, day.start() + (b + 1) * base::kBucket};
        collectSamples(tracks, b);
        const std::int64_t paid = allPaid ? base::kBucket.count() : device.paid.overlap(range).count();
        if (paid > 0)
            resolveBucket(device, b, range, paid);
        ++b;
    }
    return m_parts;
}

bool DayResolver::mayBeSteady(const IndexedDevice &device) const
{
    if (device.units.size() != 1 || device.units.front().slice >= 0 || !device.units.front().gpuInstance.empty())
        return false;
    const auto &holders = device.units.front().holders;
    return std::none_of(holders.begin(), holders.end(),
                        [this](std::size_t h) { return m_index.holders[h].requestsShared; })
        && std::none_of(device.nodes.begin(), device.nodes.end(), [this](const auto &stay) {
               return stay.second >= 0 && m_index.nodes[static_cast<std::size_t>(stay.second)].sharedGpus;
           });
}

// True if everything the track reports in the range belongs to one claim, whatever it observed: no label at all, or a
// name with one record that covers the range. Sets m_steady.
bool DayResolver::steadyClaim(const IndexedDevice &device, const model::UsageTrack &track, TimeRange range)
{
    if (m_steady.track == &track && m_steady.range.start <= range.start && range.end <= m_steady.range.end)
        return true;
    if (track.role != model::SeriesRole::Slice || !track.gpuInstance.empty())
        return false;
    const auto at = m_index.subjectById.find(track.subject.value);
    if (at == m_index.subjectById.end()) {
        if (!device.everLabelled && !device.units.front().holders.empty())
            return false;
        m_steady.claim = {};
        m_steady.range = {range.start, range.start + base::kDay};
    } else {
        const auto &records = m_index.subjects[at->second].holders;
        const TimeRange *span = records.size() == 1 ? m_index.holders[records.front()].spans.covering(range) : nullptr;
        if (span == nullptr)
            return false;
        m_steady.claim = {Claim::Kind::Holder, false, records.front()};
        m_steady.range = *span;
    }
    m_steady.track = &track;
    return true;
}

// Fast path for buckets filled by a single series, with the same result as the general path; returns the number of such
// buckets starting at `first`.
int DayResolver::resolveRun(const IndexedDevice &device, base::Day day, const std::vector<model::UsageTrack> &tracks,
                            int first)
{
    const model::UsageTrack *only = nullptr;
    std::size_t at = 0;
    int end = base::kBucketsPerDay; // where another series starts
    for (std::size_t t = 0; t < tracks.size(); ++t) {
        const auto &buckets = tracks[t].buckets;
        std::size_t &next = m_next[t];
        while (next < buckets.size() && buckets[next].index < first)
            ++next;
        if (next == buckets.size())
            continue;
        if (buckets[next].index > first) {
            end = std::min(end, int{buckets[next].index});
            continue;
        }
        if (only != nullptr)
            return 0;
        only = &tracks[t];
        at = next;
    }
    const base::UtcTime start = day.start() + first * base::kBucket;
    if (only == nullptr || !steadyClaim(device, *only, {start, start + base::kBucket}))
        return 0;
    if (m_steady.range.end < day.end())
        end = std::min(end, static_cast<int>((m_steady.range.end - day.start()) / base::kBucket));
    int b = first;
    for (; b < end && at < only->buckets.size(); ++b, ++at) {
        const UsageBucket &reading = only->buckets[at];
        if (reading.index != b || reading.activity == model::kNoShare || reading.observed < base::kBucket.count())
            break;
        emitReading(b, -1, m_steady.claim, reading, base::kBucket.count() * kTicks);
    }
    return b - first;
}

void DayResolver::collectSamples(const std::vector<model::UsageTrack> &tracks, int bucket)
{
    m_samples.clear();
    for (std::size_t t = 0; t < tracks.size(); ++t) {
        const auto &buckets = tracks[t].buckets;
        std::size_t &at = m_next[t];
        while (at < buckets.size() && buckets[at].index < bucket)
            ++at;
        if (at == buckets.size() || buckets[at].index != bucket)
            continue;
        const UsageBucket &b = buckets[at];
        const bool valid = b.activity != model::kNoShare;
        m_samples.push_back({&tracks[t], &b, valid ? std::min<std::int64_t>(b.observed, base::kBucket.count()) : 0});
    }
}

void DayResolver::resolveBucket(const IndexedDevice &device, int bucket, TimeRange range, std::int64_t paid)
{

    std::int64_t observed = 0; // longest of the slices: the exporter reported for that long
    model::Fraction rest{1, 1};
    for (const Unit *unit : m_layout.of(device, m_samples, range)) {
        m_shares.clear();
        if (m_shared.isShared(device, *unit, m_samples, range))
            m_shared.resolve(*unit, m_samples, range, paid, m_shares);
        else
            m_exclusive.resolve(device, *unit, m_samples, range, paid, m_shares);
        std::int64_t unitObserved = 0;
        for (const Share &share : m_shares.list())
            unitObserved += share.observed;
        observed = std::max(observed, unitObserved);
        emitUnit(*unit, bucket, paid);
        rest = {rest.part * unit->fraction.of - unit->fraction.part * rest.of, rest.of * unit->fraction.of};
    }
    if (rest.part <= 0)
        return;
    // What the slices leave of a MIG device cannot be allocated.
    Unit remainder;
    remainder.fraction = rest;
    m_shares.clear();
    Share &share = m_shares.of({});
    share.observed = observed;
    share.unobserved = paid * kTicks - observed;
    emitUnit(remainder, bucket, paid);
}

void DayResolver::emitUnit(const Unit &unit, int bucket, std::int64_t paid)
{
    const model::Fraction f = unit.fraction;
    if (f.part == f.of) {
        for (const Share &share : m_shares.list()) {
            emitPart(bucket, unit.slice, share, share.observed, true);
            emitPart(bucket, unit.slice, share, share.unobserved, false);
        }
        return;
    }
    std::vector<std::int64_t> weights;
    for (const Share &share : m_shares.list()) {
        weights.push_back(share.observed);
        weights.push_back(share.unobserved);
    }
    const std::vector<std::int64_t> parts = base::allocateInteger(paid * kTicks * f.part / f.of, weights);
    for (std::size_t i = 0; i < m_shares.list().size(); ++i) {
        emitPart(bucket, unit.slice, m_shares.list()[i], parts[2 * i], true);
        emitPart(bucket, unit.slice, m_shares.list()[i], parts[2 * i + 1], false);
    }
}

void DayResolver::emitReading(int bucket, std::int16_t slice, const Claim &claim, const UsageBucket &reading,
                              std::int64_t ticks)
{
    Part &part = m_parts.emplace_back();
    part.claim = claim;
    model::UsagePart &u = part.usage;
    u.bucket = static_cast<std::uint16_t>(bucket);
    u.slice = slice;
    u.ticks = ticks;
    u.state = claim.kind == Claim::Kind::Nobody                                  ? GpuState::Unallocated
        : reading.activity >= m_threshold && reading.activity != model::kNoShare ? GpuState::Active
                                                                                 : GpuState::Idle;
    u.signal = reading.signal;
    u.activity = reading.activity;
    u.smActive = reading.smActive;
    u.tensorActive = reading.tensorActive;
    u.memoryMeanMib = reading.memoryMeanMib;
    u.memoryMaxMib = reading.memoryMaxMib;
    u.powerDeciwatt = reading.powerDeciwatt;
}

void DayResolver::emitPart(int bucket, std::int16_t slice, const Share &share, std::int64_t ticks, bool observed)
{
    if (ticks == 0)
        return;
    if (observed) {
        emitReading(bucket, slice, share.claim, share.reading, ticks);
    } else {
        Part &part = m_parts.emplace_back();
        part.claim = share.claim;
        part.usage.bucket = static_cast<std::uint16_t>(bucket);
        part.usage.slice = slice;
        part.usage.ticks = ticks;
        part.usage.state =
            share.claim.kind == Claim::Kind::Nobody ? GpuState::UnobservedFree : GpuState::UnobservedHeld;
    }
    m_parts.back().usage.shared = share.shared;
    m_parts.back().usage.sharedEqually = share.sharedEqually;
}

} // namespace gpuledger::ledger
