// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/dayresolver.h"

#include "app/base/gputime.h"
#include "app/base/money.h"

#include <algorithm>

namespace gpuledger::ledger {

using base::GpuTime;
using base::TimeRange;
using model::GpuState;
using model::UsageBucket;

namespace {

constexpr std::int64_t kTicks = GpuTime::kTicksPerSecond;
// Two servers scrape the exporter and the scheduler's records at different moments: a name seen this close to its
// record is that record.
constexpr base::Seconds kScrapeSkew{600};

const Unit &wholeDevice()
{
    static const Unit unit;
    return unit;
}

// Mean of two readings over their observed seconds; maxima stay maxima.
UsageBucket merged(const UsageBucket &a, std::int64_t weightA, const UsageBucket &b, std::int64_t weightB)
{
    const auto mean = [&](auto x, auto y, auto missing) {
        if (x == missing || y == missing || weightA + weightB == 0)
            return x == missing ? y : x;
        const std::int64_t sum = std::int64_t{x} * weightA + std::int64_t{y} * weightB;
        return static_cast<decltype(x)>(sum / (weightA + weightB));
    };
    UsageBucket r = a;
    r.activity = mean(a.activity, b.activity, model::kNoShare);
    r.smActive = mean(a.smActive, b.smActive, model::kNoShare);
    r.tensorActive = mean(a.tensorActive, b.tensorActive, model::kNoShare);
    r.memoryMeanMib = mean(a.memoryMeanMib, b.memoryMeanMib, model::kNoMemory);
    r.powerDeciwatt = mean(a.powerDeciwatt, b.powerDeciwatt, model::kNoPower);
    if (a.memoryMaxMib == model::kNoMemory || (b.memoryMaxMib != model::kNoMemory && b.memoryMaxMib > a.memoryMaxMib))
        r.memoryMaxMib = b.memoryMaxMib;
    if (r.signal == model::ActivitySignal::None)
        r.signal = b.signal;
    return r;
}

} // namespace

DayResolver::DayResolver(const FleetIndex &index, std::uint16_t threshold)
    : m_index(index)
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
    std::vector<std::size_t> next(tracks.size(), 0);
    for (int b = 0; b < base::kBucketsPerDay; ++b) {
        const TimeRange range{day.start() + b * base::kBucket, day.start() + (b + 1) * base::kBucket};
        m_samples.clear();
        for (std::size_t t = 0; t < tracks.size(); ++t) {
            const auto &buckets = tracks[t].buckets;
            while (next[t] < buckets.size() && buckets[next[t]].index < b)
                ++next[t];
            if (next[t] < buckets.size() && buckets[next[t]].index == b)
                m_samples.push_back({&tracks[t], &buckets[next[t]]});
        }
        const std::int64_t paid = allPaid ? base::kBucket.count() : device.paid.overlap(range).count();
        if (paid > 0)
            resolveBucket(device, b, range, paid);
    }
    return m_parts;
}

void DayResolver::resolveBucket(const IndexedDevice &device, int bucket, TimeRange range, std::int64_t paid)
{
    layout(device, range);
    std::int64_t observed = 0; // longest of the slices: the exporter spoke for that long
    model::Fraction rest{1, 1};
    for (const Unit *unit : m_layout) {
        m_shares.clear();
        if (isShared(device, *unit, range))
            resolveShared(*unit, range, paid);
        else
            resolveExclusive(device, *unit, range, paid);
        std::int64_t unitObserved = 0;
        for (const Share &share : m_shares)
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
    Share &share = shareOf({});
    share.observed = observed;
    share.unobserved = paid * kTicks - observed;
    emitUnit(remainder, bucket, paid);
}

void DayResolver::layout(const IndexedDevice &device, TimeRange range)
{
    m_layout.clear();
    const auto &units = device.units;
    if (units.size() == 1 && units.front().slice < 0) {
        m_layout.push_back(&units.front());
        return;
    }
    const auto sampled = [this](const Unit &unit, bool activityOnly) {
        return std::any_of(m_samples.begin(), m_samples.end(), [&](const Sample &s) {
            return s.track->gpuInstance == unit.gpuInstance && (!activityOnly || s.bucket->observed > 0);
        });
    };
    const bool slicesNow =
        std::any_of(m_samples.begin(), m_samples.end(), [](const Sample &s) { return !s.track->gpuInstance.empty(); });
    const Unit *whole =
        !units.empty() && units.front().slice < 0 && units.front().gpuInstance.empty() ? &units.front() : nullptr;
    if (!slicesNow && whole && sampled(*whole, true)) {
        m_layout.push_back(whole);
        return;
    }
    // Slices that report come first; silent ones count while their samples go on before and after, as far as they fit.
    double left = 1.0 + 1e-9;
    for (const bool reporting : {true, false}) {
        for (const Unit &unit : units) {
            const double part = static_cast<double>(unit.fraction.part) / static_cast<double>(unit.fraction.of);
            if (unit.slice < 0 || sampled(unit, false) != reporting || part > left
                || (!reporting && !unit.seen.touches(range)))
                continue;
            m_layout.push_back(&unit);
            left -= part;
        }
    }
    if (m_layout.empty())
        m_layout.push_back(whole ? whole : &wholeDevice());
}

bool DayResolver::isShared(const IndexedDevice &device, const Unit &unit, TimeRange range) const
{
    for (const Sample &s : m_samples) {
        if (s.track->gpuInstance == unit.gpuInstance && s.track->role != model::SeriesRole::Slice)
            return true;
    }
    const int node = m_index.nodeOf(device, range.start);
    const bool nodeShares = node >= 0 && m_index.nodes[static_cast<std::size_t>(node)].sharedGpus && unit.slice < 0;
    return std::any_of(unit.holders.begin(), unit.holders.end(), [&](std::size_t h) {
        const IndexedHolder &holder = m_index.holders[h];
        return (nodeShares || holder.requestsShared) && holder.spans.touches(range);
    });
}

DayResolver::Share &DayResolver::shareOf(const Claim &claim)
{
    for (Share &share : m_shares) {
        if (share.claim == claim)
            return share;
    }
    Share share;
    share.claim = claim;
    return m_shares.emplace_back(share);
}

void DayResolver::resolveExclusive(const IndexedDevice &device, const Unit &unit, TimeRange range, std::int64_t paid)
{
    std::int64_t total = 0;
    for (const Sample &s : m_samples)
        total += s.track->gpuInstance == unit.gpuInstance ? s.bucket->observed : 0;
    std::int64_t left = paid;
    const auto take = [&](const Sample &s) {
        const std::int64_t seconds = std::min<std::int64_t>(s.bucket->observed, left);
        if (seconds == 0)
            return;
        left -= seconds;
        claimsOf(device, unit, s.track->subject, range, seconds);
        for (const auto &[claim, part] : m_claims) {
            Share &share = shareOf(claim);
            share.reading =
                share.observed > 0 ? merged(share.reading, share.observed / kTicks, *s.bucket, part) : *s.bucket;
            share.observed += part * kTicks;
        }
    };
    if (total > paid) {
        // More samples than time: a change of holder inside one scrape. A named holder goes before nobody, the one that
        // began later before the other.
        std::stable_sort(m_samples.begin(), m_samples.end(), [](const Sample &a, const Sample &b) {
            const auto begins = [](const Sample &s) {
                return s.track->subject ? int{s.track->buckets.front().index} : -1;
            };
            return begins(a) > begins(b);
        });
    }
    for (const Sample &s : m_samples) {
        if (s.track->gpuInstance == unit.gpuInstance && s.bucket->observed > 0)
            take(s);
    }
    if (left > 0)
        fillGap(unit, range, left);
}

void DayResolver::claimsOf(const IndexedDevice &device, const Unit &unit, base::SubjectId subjectId, TimeRange range,
                           std::int64_t seconds)
{
    m_claims.clear();
    const auto at = m_index.subjectById.find(subjectId.value);
    if (at == m_index.subjectById.end()) {
        claimsByInference(device, unit, range, seconds);
        return;
    }
    const IndexedSubject &subject = m_index.subjects[at->second];
    for (const std::size_t h : subject.holders) {
        const std::int64_t overlap = m_index.holders[h].spans.overlap(range).count();
        if (overlap > 0)
            m_claims.emplace_back(Claim{Claim::Kind::Holder, false, h}, overlap);
    }
    if (m_claims.size() == 1) {
        m_claims.front().second = seconds;
        return;
    }
    if (!m_claims.empty()) { // recreated under the same name within this bucket
        std::vector<std::int64_t> weights;
        for (const auto &[claim, overlap] : m_claims)
            weights.push_back(overlap);
        const std::vector<std::int64_t> parts = base::allocateInteger(seconds, weights);
        for (std::size_t i = 0; i < parts.size(); ++i)
            m_claims[i].second = parts[i];
        return;
    }
    const auto knows = m_index.schedulerKnows.find(subject.facts.cluster);
    const bool schedulerSpeaks = knows != m_index.schedulerKnows.end() && knows->second.touches(range);
    base::Seconds distance{0};
    const std::size_t nearest = nearestHolder(subject, range, distance);
    if (!subject.holders.empty() && (!schedulerSpeaks || distance <= kScrapeSkew))
        m_claims.emplace_back(Claim{Claim::Kind::Holder, false, nearest}, seconds);
    else if (subject.facts.kind == model::SubjectKind::SlurmJob || (!schedulerSpeaks && !subject.facts.exporterLike))
        m_claims.emplace_back(Claim{Claim::Kind::Subject, false, at->second}, seconds);
    else // a pod that requests no GPU: the exporter's own target
        m_claims.emplace_back(Claim{}, seconds);
}

std::size_t DayResolver::nearestHolder(const IndexedSubject &subject, TimeRange range, base::Seconds &distance) const
{
    std::size_t best = 0;
    distance = base::Seconds::max();
    for (const std::size_t h : subject.holders) {
        for (const TimeRange &r : m_index.holders[h].spans.ranges()) {
            const base::Seconds gap = r.end <= range.start ? range.start - r.end
                : r.start >= range.end                     ? r.start - range.end
                                                           : base::Seconds{0};
            if (gap < distance) {
                distance = gap;
                best = h;
            }
        }
    }
    return best;
}

// One device and one pod that asks for it: that is the holder, though no label says so. Nothing is guessed beyond that.
void DayResolver::claimsByInference(const IndexedDevice &device, const Unit &unit, TimeRange range,
                                    std::int64_t seconds)
{
    const int node = m_index.nodeOf(device, range.start);
    const bool alone = node >= 0 && !device.everLabelled && unit.holders.size() > 0;
    std::int64_t left = seconds;
    for (const std::size_t h : alone ? unit.holders : std::vector<std::size_t>()) {
        const IndexedHolder &holder = m_index.holders[h];
        const auto devices = static_cast<std::int64_t>(m_index.devicesOnNode[static_cast<std::size_t>(node)].size());
        const std::int64_t overlap = std::min(holder.spans.overlap(range).count(), left);
        if (overlap == 0 || holder.requested < devices)
            continue;
        m_claims.emplace_back(Claim{Claim::Kind::Holder, true, h}, overlap);
        left -= overlap;
    }
    if (left > 0)
        m_claims.emplace_back(Claim{}, left);
}

// Time without telemetry is paid by whoever the scheduler's record says held the unit; what no record claims is
// nobody's.
void DayResolver::fillGap(const Unit &unit, TimeRange range, std::int64_t missing)
{
    Claims wants;
    std::int64_t sum = 0;
    const auto want = [&](const Claim &claim, std::int64_t present) {
        std::int64_t known = 0;
        for (const Share &share : m_shares)
            known += share.claim == claim ? share.observed / kTicks : 0;
        if (present > known) {
            wants.emplace_back(claim, present - known);
            sum += present - known;
        }
    };
    for (const std::size_t h : unit.holders)
        want({Claim::Kind::Holder, !m_index.holders[h].placed, h}, m_index.holders[h].spans.overlap(range).count());
    for (const auto &[subject, seen] : unit.subjects) {
        const bool counts = !m_index.subjects[subject].facts.exporterLike
            && !m_index.schedulerKnows.contains(m_index.subjects[subject].facts.cluster);
        if (counts)
            want({Claim::Kind::Subject, false, subject}, seen.intersect(range).length().count());
    }
    if (sum > missing) {
        std::vector<std::int64_t> weights;
        for (const auto &[claim, seconds] : wants)
            weights.push_back(seconds);
        const std::vector<std::int64_t> parts = base::allocateInteger(missing, weights);
        for (std::size_t i = 0; i < parts.size(); ++i)
            wants[i].second = parts[i];
        sum = missing;
    }
    for (const auto &[claim, seconds] : wants)
        shareOf(claim).unobserved += seconds * kTicks;
    if (missing > sum)
        shareOf({}).unobserved += (missing - sum) * kTicks;
}

// Who shares the unit in this bucket, and when: the scheduler's records first, then holders that only the exporter
// names.
void DayResolver::collectSharers(const Unit &unit, TimeRange range)
{
    m_sharers.clear();
    for (const std::size_t h : unit.holders) {
        if (m_index.holders[h].spans.touches(range))
            m_sharers.push_back({{Claim::Kind::Holder, false, h}, m_index.holders[h].spans.cut(range), 1});
    }
    for (const Sample &s : m_samples) {
        const auto at = m_index.subjectById.find(s.track->subject.value);
        if (s.track->gpuInstance != unit.gpuInstance || at == m_index.subjectById.end())
            continue;
        const bool named = s.track->role != model::SeriesRole::Slice || m_sharers.empty();
        if (named && m_index.subjects[at->second].holders.empty() && !m_index.subjects[at->second].facts.exporterLike)
            m_sharers.push_back({{Claim::Kind::Subject, false, at->second},
                                 {{range.start, range.start + base::Seconds{s.bucket->observed}}},
                                 1});
    }
}

void DayResolver::resolveShared(const Unit &unit, TimeRange range, std::int64_t paid)
{
    collectSharers(unit, range);
    // The unit's own reading: copies are averaged, never summed; a series of the device itself wins where processes are
    // measured.
    UsageBucket reading;
    std::int64_t weight = 0, sequential = 0, parallel = 0;
    bool measured = false;
    for (const Sample &s : m_samples) {
        if (s.track->gpuInstance != unit.gpuInstance || s.bucket->observed == 0)
            continue;
        if (s.track->role == model::SeriesRole::ProcessShare) {
            measured = true;
            continue;
        }
        reading = weight > 0 ? merged(reading, weight, *s.bucket, s.bucket->observed) : *s.bucket;
        weight += s.bucket->observed;
        if (s.track->role == model::SeriesRole::CopyPerHolder)
            parallel = std::max<std::int64_t>(parallel, s.bucket->observed);
        else
            sequential += s.bucket->observed;
    }
    const std::int64_t observed = std::min(std::max(sequential, parallel), paid);
    std::int64_t weightSum = 0;
    for (Sharer &sharer : m_sharers) {
        if (!measured)
            continue;
        sharer.weight = 0;
        for (const Sample &s : m_samples) {
            const auto at = m_index.subjectById.find(s.track->subject.value);
            if (at == m_index.subjectById.end() || s.track->role != model::SeriesRole::ProcessShare
                || s.bucket->activity == model::kNoShare)
                continue;
            const auto &records = m_index.subjects[at->second].holders;
            const bool same = sharer.claim.kind == Claim::Kind::Subject
                ? sharer.claim.index == at->second
                : std::find(records.begin(), records.end(), sharer.claim.index) != records.end();
            sharer.weight += same ? s.bucket->activity : 0;
        }
        weightSum += sharer.weight;
    }
    const bool byMeasure = measured && weightSum > 0;

    // Each second is split among those present in it.
    std::vector<base::UtcTime> edges{range.start, range.end};
    for (const Sharer &sharer : m_sharers) {
        for (const TimeRange &r : sharer.times) {
            edges.push_back(r.start);
            edges.push_back(r.end);
        }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    std::vector<std::int64_t> ticks(m_sharers.size() + 1, 0); // last: nobody
    for (std::size_t e = 0; e + 1 < edges.size(); ++e) {
        const std::int64_t span = (edges[e + 1] - edges[e]).count() * kTicks;
        std::vector<std::int64_t> weights(m_sharers.size() + 1, 0);
        bool any = false;
        for (std::size_t i = 0; i < m_sharers.size(); ++i) {
            const bool here = std::any_of(m_sharers[i].times.begin(), m_sharers[i].times.end(),
                                          [&](const TimeRange &r) { return r.contains(edges[e]); });
            weights[i] = here ? (byMeasure ? m_sharers[i].weight : 1) : 0;
            any = any || weights[i] > 0;
        }
        weights.back() = any ? 0 : 1;
        const std::vector<std::int64_t> parts = base::allocateInteger(span, weights);
        for (std::size_t i = 0; i < parts.size(); ++i)
            ticks[i] += parts[i];
    }
    // A device that is paid for only part of the bucket, then the observed part of it, in the same proportions.
    const std::vector<std::int64_t> paidTicks = base::allocateInteger(paid * kTicks, ticks);
    const std::vector<std::int64_t> observedTicks = base::allocateInteger(observed * kTicks, paidTicks);
    for (std::size_t i = 0; i < paidTicks.size(); ++i) {
        if (paidTicks[i] == 0)
            continue;
        Share &share = shareOf(i < m_sharers.size() ? m_sharers[i].claim : Claim{});
        share.reading = reading;
        share.observed += observedTicks[i];
        share.unobserved += paidTicks[i] - observedTicks[i];
        share.sharedEqually = i < m_sharers.size() && !byMeasure;
    }
}

void DayResolver::emitUnit(const Unit &unit, int bucket, std::int64_t paid)
{
    const model::Fraction f = unit.fraction;
    if (f.part == f.of) {
        for (const Share &share : m_shares) {
            emitPart(bucket, unit.slice, share, share.observed, true);
            emitPart(bucket, unit.slice, share, share.unobserved, false);
        }
        return;
    }
    std::vector<std::int64_t> weights;
    for (const Share &share : m_shares) {
        weights.push_back(share.observed);
        weights.push_back(share.unobserved);
    }
    const std::vector<std::int64_t> parts = base::allocateInteger(paid * kTicks * f.part / f.of, weights);
    for (std::size_t i = 0; i < m_shares.size(); ++i) {
        emitPart(bucket, unit.slice, m_shares[i], parts[2 * i], true);
        emitPart(bucket, unit.slice, m_shares[i], parts[2 * i + 1], false);
    }
}

void DayResolver::emitPart(int bucket, std::int16_t slice, const Share &share, std::int64_t ticks, bool observed)
{
    if (ticks == 0)
        return;
    Part part;
    part.claim = share.claim;
    model::UsagePart &u = part.usage;
    u.bucket = static_cast<std::uint16_t>(bucket);
    u.slice = slice;
    u.ticks = ticks;
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
    m_parts.push_back(part);
}

} // namespace gpuledger::ledger
