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
    , m_finder(index)
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
    const bool slicesNow =
        std::any_of(m_samples.begin(), m_samples.end(), [](const Sample &s) { return !s.track->gpuInstance.empty(); });
    const bool wholeNow = std::any_of(m_samples.begin(), m_samples.end(),
                                      [](const Sample &s) { return s.track->gpuInstance.empty() && s.observed > 0; });
    const Unit *whole =
        !units.empty() && units.front().slice < 0 && units.front().gpuInstance.empty() ? &units.front() : nullptr;
    if (!slicesNow && whole && wholeNow) {
        m_layout.push_back(whole);
        return;
    }
    layoutSlices(device, range);
    if (m_layout.empty())
        m_layout.push_back(whole ? whole : &wholeDevice());
}

// Slices that report come first; silent ones count while their samples go on before and after, as far as they fit.
void DayResolver::layoutSlices(const IndexedDevice &device, TimeRange range)
{
    double left = 1.0 + 1e-9;
    for (const bool reporting : {true, false}) {
        for (const Unit &unit : device.units) {
            const double part = static_cast<double>(unit.fraction.part) / static_cast<double>(unit.fraction.of);
            if (unit.slice < 0 || part > left || (!reporting && !unit.seen.touches(range)))
                continue;
            const bool speaks = std::any_of(m_samples.begin(), m_samples.end(),
                                            [&](const Sample &s) { return s.track->gpuInstance == unit.gpuInstance; });
            if (speaks != reporting)
                continue;
            m_layout.push_back(&unit);
            left -= part;
        }
    }
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
        total += s.track->gpuInstance == unit.gpuInstance ? s.observed : 0;
    if (total > paid && m_samples.size() > 1) {
        // More samples than time: a change of holder inside one scrape. A named holder goes before nobody, the one that
        // began later before the other.
        std::stable_sort(m_samples.begin(), m_samples.end(), [](const Sample &a, const Sample &b) {
            const auto begins = [](const Sample &s) {
                return s.track->subject ? int{s.track->buckets.front().index} : -1;
            };
            return begins(a) > begins(b);
        });
    }
    std::int64_t left = paid;
    for (const Sample &s : m_samples) {
        const std::int64_t seconds = std::min(s.observed, left);
        if (seconds == 0 || s.track->gpuInstance != unit.gpuInstance)
            continue;
        left -= seconds;
        take(device, unit, range, s, seconds);
    }
    if (left > 0)
        fillGap(unit, range, left);
}

void DayResolver::take(const IndexedDevice &device, const Unit &unit, TimeRange range, const Sample &sample,
                       std::int64_t seconds)
{
    m_finder.find(device, unit, sample.track->subject, range, seconds, m_claims);
    for (const auto &[claim, part] : m_claims) {
        if (part == 0)
            continue;
        Share &share = shareOf(claim);
        share.reading =
            share.observed > 0 ? merged(share.reading, share.observed / kTicks, *sample.bucket, part) : *sample.bucket;
        share.observed += part * kTicks;
    }
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
        want(m_finder.ofHolder(h), m_index.holders[h].spans.overlap(range).count());
    for (const auto &[subject, seen] : unit.subjects) {
        const bool counts = !m_index.subjects[subject].facts.exporterLike
            && !m_finder.schedulerSpeaks(m_index.subjects[subject].facts.cluster, range);
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

// Each second of a shared unit is split among those present in it.
void DayResolver::resolveShared(const Unit &unit, TimeRange range, std::int64_t paid)
{
    const SharedReading reading = readShared(unit, paid);
    collectSharers(unit, range, reading.observed);
    const bool byMeasure = reading.measured && weighByProcess(unit);
    readOwnCopies(unit);
    splitPresence(range, byMeasure);
    handOut(reading, paid, byMeasure);
}

// The unit's own reading: copies are averaged, never summed; a series of the device itself wins where processes are
// measured. Copies take the place of the plain series while somebody holds the unit, so that the two follow each other.
DayResolver::SharedReading DayResolver::readShared(const Unit &unit, std::int64_t paid) const
{
    SharedReading out;
    std::int64_t weight = 0, sequential = 0, parallel = 0;
    for (const Sample &s : m_samples) {
        if (s.track->gpuInstance != unit.gpuInstance || s.observed == 0)
            continue;
        if (s.track->role == model::SeriesRole::ProcessShare) {
            out.measured = true;
            continue;
        }
        out.reading = weight > 0 ? merged(out.reading, weight, *s.bucket, s.observed) : *s.bucket;
        weight += s.observed;
        if (s.track->role == model::SeriesRole::CopyPerHolder)
            parallel = std::max(parallel, s.observed);
        else
            sequential += s.observed;
    }
    out.observed = std::min(sequential + parallel, paid);
    return out;
}

DayResolver::Sharer &DayResolver::sharerOf(const Claim &claim)
{
    for (Sharer &sharer : m_sharers) {
        if (sharer.claim == claim)
            return sharer;
    }
    Sharer sharer;
    sharer.claim = claim;
    return m_sharers.emplace_back(std::move(sharer));
}

// Who shares the unit in this bucket, and when: the scheduler's records first, then holders that only the exporter
// names; these are there while they are named, and through time without any telemetry.
void DayResolver::collectSharers(const Unit &unit, TimeRange range, std::int64_t observed)
{
    m_sharers.clear();
    for (const std::size_t h : unit.holders) {
        if (m_index.holders[h].spans.touches(range))
            sharerOf(m_finder.ofHolder(h)).times = m_index.holders[h].spans.cut(range);
    }
    const std::size_t recorded = m_sharers.size();
    const bool copies = std::any_of(m_samples.begin(), m_samples.end(), [&](const Sample &s) {
        return s.track->gpuInstance == unit.gpuInstance && s.track->subject
            && s.track->role != model::SeriesRole::Slice;
    });
    for (const Sample &s : m_samples) {
        const auto at = m_index.subjectById.find(s.track->subject.value);
        if (s.track->gpuInstance != unit.gpuInstance || at == m_index.subjectById.end()
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

bool DayResolver::isOf(const Sharer &sharer, const Sample &sample) const
{
    const auto at = m_index.subjectById.find(sample.track->subject.value);
    if (at == m_index.subjectById.end())
        return false;
    const auto &records = m_index.subjects[at->second].holders;
    return sharer.claim.kind == Claim::Kind::Subject
        ? sharer.claim.index == at->second
        : std::find(records.begin(), records.end(), sharer.claim.index) != records.end();
}

// Weights from the holders' own measured parts; false when none of them did anything.
bool DayResolver::weighByProcess(const Unit &unit)
{
    bool any = false;
    for (Sharer &sharer : m_sharers) {
        sharer.weight = 0;
        for (const Sample &s : m_samples) {
            if (s.track->gpuInstance == unit.gpuInstance && s.track->role == model::SeriesRole::ProcessShare
                && s.observed > 0 && isOf(sharer, s))
                sharer.weight += s.bucket->activity;
        }
        any = any || sharer.weight > 0;
    }
    return any;
}

// A holder's own copy speaks for the time that it was there.
void DayResolver::readOwnCopies(const Unit &unit)
{
    for (Sharer &sharer : m_sharers) {
        for (const Sample &s : m_samples) {
            if (s.track->gpuInstance != unit.gpuInstance || s.track->role != model::SeriesRole::CopyPerHolder
                || s.observed == 0 || !isOf(sharer, s))
                continue;
            sharer.reading =
                sharer.readSeconds > 0 ? merged(sharer.reading, sharer.readSeconds, *s.bucket, s.observed) : *s.bucket;
            sharer.readSeconds += s.observed;
        }
    }
}

void DayResolver::splitPresence(TimeRange range, bool byMeasure)
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
        // Those who are there without any measured work hold the unit all the same.
        const std::vector<std::int64_t> parts = base::allocateInteger(span, byMeasure && anyWeight ? weights : present);
        for (std::size_t i = 0; i < parts.size(); ++i)
            m_sharers[i].ticks += parts[i];
    }
}

// A device that is paid for only part of the bucket, then the observed part of it, in the same proportions.
void DayResolver::handOut(const SharedReading &unit, std::int64_t paid, bool byMeasure)
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
        Share &share = shareOf(held ? m_sharers[i].claim : Claim{});
        share.reading = held && m_sharers[i].readSeconds > 0 ? m_sharers[i].reading : unit.reading;
        share.observed += observedTicks[i];
        share.unobserved += paidTicks[i] - observedTicks[i];
        share.shared = held && sharing > 1;
        share.sharedEqually = share.shared && !byMeasure;
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
