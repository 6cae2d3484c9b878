// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/dayresolver.h"

#include "app/base/money.h"

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
    for (int b = 0; b < base::kBucketsPerDay; ++b) {
        const TimeRange range{day.start() + b * base::kBucket, day.start() + (b + 1) * base::kBucket};
        collectSamples(tracks, b);
        const std::int64_t paid = allPaid ? base::kBucket.count() : device.paid.overlap(range).count();
        if (paid > 0 && !resolveSteady(b, range, paid))
            resolveBucket(device, b, range, paid);
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

// The same as the general way for a bucket that one series fills, whose name has one record; false when it is no such
// bucket.
bool DayResolver::resolveSteady(int bucket, TimeRange range, std::int64_t paid)
{
    if (!m_steady.possible || m_samples.size() != 1 || m_samples.front().observed != paid)
        return false;
    const model::UsageTrack &track = *m_samples.front().track;
    if (track.role != model::SeriesRole::Slice || !track.subject || !track.gpuInstance.empty())
        return false;
    if (track.subject != m_steady.subject || range.start < m_steady.range.start || m_steady.range.end < range.end) {
        const auto at = m_index.subjectById.find(track.subject.value);
        if (at == m_index.subjectById.end() || m_index.subjects[at->second].holders.size() != 1)
            return false;
        const std::size_t holder = m_index.subjects[at->second].holders.front();
        const TimeRange *span = m_index.holders[holder].spans.covering(range);
        if (span == nullptr)
            return false;
        m_steady.subject = track.subject;
        m_steady.claim = {Claim::Kind::Holder, false, holder};
        m_steady.range = *span;
    }
    Share share;
    share.claim = m_steady.claim;
    share.reading = *m_samples.front().bucket;
    emitPart(bucket, -1, share, paid * kTicks, true);
    return true;
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

    std::int64_t observed = 0; // longest of the slices: the exporter spoke for that long
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
    // What the slices leave of a MIG device can be given to nobody.
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

void DayResolver::emitPart(int bucket, std::int16_t slice, const Share &share, std::int64_t ticks, bool observed)
{
    if (ticks == 0)
        return;
    Part &part = m_parts.emplace_back();
    part.claim = share.claim;
    model::UsagePart &u = part.usage;
    u.bucket = static_cast<std::uint16_t>(bucket);
    u.slice = slice;
    u.ticks = ticks;
    u.shared = share.shared;
    u.sharedEqually = share.sharedEqually;
    const bool held = share.claim.kind != Claim::Kind::Nobody;
    if (!observed) {
        u.state = held ? GpuState::UnobservedHeld : GpuState::UnobservedFree;
    } else {
        const UsageBucket &r = share.reading;
        u.state = !held                                                  ? GpuState::Unallocated
            : r.activity >= m_threshold && r.activity != model::kNoShare ? GpuState::Active
                                                                         : GpuState::Idle;
        u.signal = r.signal;
        u.activity = r.activity;
        u.smActive = r.smActive;
        u.tensorActive = r.tensorActive;
        u.memoryMeanMib = r.memoryMeanMib;
        u.memoryMaxMib = r.memoryMaxMib;
        u.powerDeciwatt = r.powerDeciwatt;
    }
}

} // namespace gpuledger::ledger
