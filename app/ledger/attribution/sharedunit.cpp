// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/attribution/sharedunit.h"

#include "app/base/money/money.h"

#include <algorithm>

namespace gpuledger::ledger {

using base::TimeRange;

bool SharedUnit::isShared(const IndexedDevice &device, const Unit &unit, const Samples &samples, TimeRange range) const
{
    for (const Sample &s : samples) {
        if (s.isOf(unit) && s.track->role != model::SeriesRole::Slice)
            return true;
    }
    const int node = m_index.nodeOf(device, range.start);
    const bool nodeShares = node >= 0 && m_index.nodes[static_cast<std::size_t>(node)].sharedGpus && unit.slice < 0;
    return std::any_of(unit.holders.begin(), unit.holders.end(), [&](std::size_t h) {
        const IndexedHolder &holder = m_index.holders[h];
        return (nodeShares || holder.requestsShared) && holder.spans.touches(range);
    });
}

void SharedUnit::resolve(const Unit &unit, const Samples &samples, TimeRange range, std::int64_t paid, Shares &shares)
{
    const Reading reading = read(unit, samples, paid);
    collectSharers(unit, samples, range, reading.observed);
    const bool byMeasure = reading.measured && weighByProcess(unit, samples);
    readOwnCopies(unit, samples);
    splitPresence(range, byMeasure);
    handOut(reading, paid, byMeasure, shares);
}

// The unit's own reading: copies are averaged, never summed; a series of the device itself takes precedence where
// processes are measured. Copies replace the plain series while the unit is held, so the two alternate in time.
SharedUnit::Reading SharedUnit::read(const Unit &unit, const Samples &samples, std::int64_t paid) const
{
    Reading out;
    std::int64_t weight = 0, sequential = 0, parallel = 0;
    for (const Sample &s : samples) {
        if (!s.isOf(unit) || s.observed == 0)
            continue;
        if (s.track->role == model::SeriesRole::ProcessShare) {
            out.measured = true;
            continue;
        }
        out.reading = weight > 0 ? mergedReading(out.reading, weight, *s.bucket, s.observed) : *s.bucket;
        weight += s.observed;
        if (s.track->role == model::SeriesRole::CopyPerHolder)
            parallel = std::max(parallel, s.observed);
        else
            sequential += s.observed;
    }
    out.observed = std::min(sequential + parallel, paid);
    return out;
}

SharedUnit::Sharer &SharedUnit::sharerOf(const Claim &claim)
{
    for (Sharer &sharer : m_sharers) {
        if (sharer.claim == claim)
            return sharer;
    }
    Sharer sharer;
    sharer.claim = claim;
    return m_sharers.emplace_back(std::move(sharer));
}

// Who shares the unit in this bucket, and when: first the holders in the scheduler's records, then those that only the
// exporter names. The latter count as present while they are named, and through time without any telemetry.
void SharedUnit::collectSharers(const Unit &unit, const Samples &samples, TimeRange range, std::int64_t observed)
{
    m_sharers.clear();
    for (const std::size_t h : unit.holders) {
        if (m_index.holders[h].spans.touches(range))
            sharerOf(m_finder.ofHolder(h)).times = m_index.holders[h].spans.cut(range);
    }
    const std::size_t recorded = m_sharers.size();
    const bool copies = std::any_of(samples.begin(), samples.end(), [&](const Sample &s) {
        return s.isOf(unit) && s.track->subject && s.track->role != model::SeriesRole::Slice;
    });
    for (const Sample &s : samples) {
        const auto at = m_index.subjectById.find(s.track->subject.value);
        if (!s.isOf(unit) || at == m_index.subjectById.end()
            || (s.track->role == model::SeriesRole::Slice && (recorded > 0 || copies)))
            continue;
        const auto &records = m_index.subjects[at->second].holders;
        if (std::any_of(records.begin(), records.end(),
                        [&](std::size_t h) { return m_index.holders[h].spans.touches(range); }))
            continue;
        const Claim claim = m_finder.withoutRecord(at->second, range);
        if (claim.kind == Claim::Kind::Nobody)
            continue;
        const std::int64_t gap = claim.kind == Claim::Kind::Subject ? range.length().count() - observed : 0;
        const base::Seconds present{std::min(s.observed + gap, range.length().count())};
        Sharer &sharer = sharerOf(claim);
        if (sharer.times.empty())
            sharer.times.push_back({range.start, range.start});
        sharer.times.front().end = std::max(sharer.times.front().end, range.start + present);
    }
}

bool SharedUnit::isOf(const Sharer &sharer, const Sample &sample) const
{
    const auto at = m_index.subjectById.find(sample.track->subject.value);
    if (at == m_index.subjectById.end())
        return false;
    const auto &records = m_index.subjects[at->second].holders;
    return sharer.claim.kind == Claim::Kind::Subject
        ? sharer.claim.index == at->second
        : std::find(records.begin(), records.end(), sharer.claim.index) != records.end();
}

// Weights by the holders' own measured parts; false if none of them did any work.
bool SharedUnit::weighByProcess(const Unit &unit, const Samples &samples)
{
    bool any = false;
    for (Sharer &sharer : m_sharers) {
        sharer.weight = 0;
        for (const Sample &s : samples) {
            if (s.isOf(unit) && s.track->role == model::SeriesRole::ProcessShare && s.observed > 0 && isOf(sharer, s))
                sharer.weight += s.bucket->activity;
        }
        any = any || sharer.weight > 0;
    }
    return any;
}

// A holder's own copy applies to the time that the holder was present.
void SharedUnit::readOwnCopies(const Unit &unit, const Samples &samples)
{
    for (Sharer &sharer : m_sharers) {
        for (const Sample &s : samples) {
            if (!s.isOf(unit) || s.track->role != model::SeriesRole::CopyPerHolder || s.observed == 0
                || !isOf(sharer, s))
                continue;
            sharer.reading = sharer.readSeconds > 0
                ? mergedReading(sharer.reading, sharer.readSeconds, *s.bucket, s.observed)
                : *s.bucket;
            sharer.readSeconds += s.observed;
        }
    }
}

void SharedUnit::splitPresence(TimeRange range, bool byMeasure)
{
    std::vector<base::UtcTime> edges{range.start, range.end};
    for (const Sharer &sharer : m_sharers) {
        for (const TimeRange &r : sharer.times) {
            edges.push_back(r.start);
            edges.push_back(r.end);
        }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    m_nobodyTicks = 0;
    std::vector<std::int64_t> present(m_sharers.size()), weights(m_sharers.size());
    for (std::size_t e = 0; e + 1 < edges.size(); ++e) {
        const std::int64_t span = (edges[e + 1] - edges[e]).count() * kTicks;
        bool anybody = false, anyWeight = false;
        for (std::size_t i = 0; i < m_sharers.size(); ++i) {
            const auto &times = m_sharers[i].times;
            present[i] =
                std::any_of(times.begin(), times.end(), [&](const TimeRange &r) { return r.contains(edges[e]); });
            weights[i] = present[i] * m_sharers[i].weight;
            anybody = anybody || present[i] > 0;
            anyWeight = anyWeight || weights[i] > 0;
        }
        if (!anybody) {
            m_nobodyTicks += span;
            continue;
        }
        // Holders that are present without any measured work still hold the unit.
        const std::vector<std::int64_t> parts = base::allocateInteger(span, byMeasure && anyWeight ? weights : present);
        for (std::size_t i = 0; i < parts.size(); ++i)
            m_sharers[i].ticks += parts[i];
    }
}

// Scales to a device that is paid for only part of the bucket, then to the observed part of it, in the same
// proportions.
void SharedUnit::handOut(const Reading &unit, std::int64_t paid, bool byMeasure, Shares &shares)
{
    std::vector<std::int64_t> ticks;
    std::int64_t sharing = 0;
    for (const Sharer &sharer : m_sharers) {
        ticks.push_back(sharer.ticks);
        sharing += sharer.ticks > 0;
    }
    ticks.push_back(m_nobodyTicks);
    const std::vector<std::int64_t> paidTicks = base::allocateInteger(paid * kTicks, ticks);
    const std::vector<std::int64_t> observedTicks = base::allocateInteger(unit.observed * kTicks, paidTicks);
    for (std::size_t i = 0; i < paidTicks.size(); ++i) {
        if (paidTicks[i] == 0)
            continue;
        const bool held = i < m_sharers.size();
        Share &share = shares.of(held ? m_sharers[i].claim : Claim{});
        share.reading = held && m_sharers[i].readSeconds > 0 ? m_sharers[i].reading : unit.reading;
        share.observed += observedTicks[i];
        share.unobserved += paidTicks[i] - observedTicks[i];
        share.shared = held && sharing > 1;
        share.sharedEqually = share.shared && !byMeasure;
    }
}

} // namespace gpuledger::ledger
