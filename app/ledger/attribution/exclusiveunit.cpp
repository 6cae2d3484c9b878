// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/attribution/exclusiveunit.h"

#include "app/base/money/money.h"

#include <algorithm>

namespace gpuledger::ledger {

using base::TimeRange;

void ExclusiveUnit::resolve(const IndexedDevice &device, const Unit &unit, Samples &samples, TimeRange range,
                            std::int64_t paid, Shares &shares)
{
    std::int64_t total = 0;
    for (const Sample &s : samples)
        total += s.isOf(unit) ? s.observed : 0;
    if (total > paid && samples.size() > 1) {
        // More samples than time: the holder changed within one scrape. A named holder takes precedence over none, and
        // the one that started later over the earlier one.
        std::stable_sort(samples.begin(), samples.end(), [](const Sample &a, const Sample &b) {
            const auto begins = [](const Sample &s) {
                return s.track->subject ? int{s.track->buckets.front().index} : -1;
            };
            return begins(a) > begins(b);
        });
    }
    std::int64_t left = paid;
    for (const Sample &s : samples) {
        const std::int64_t seconds = std::min(s.observed, left);
        if (seconds == 0 || !s.isOf(unit))
            continue;
        left -= seconds;
        take(device, unit, range, s, seconds, shares);
    }
    if (left > 0)
        fillGap(unit, range, left, shares);
}

void ExclusiveUnit::take(const IndexedDevice &device, const Unit &unit, TimeRange range, const Sample &sample,
                         std::int64_t seconds, Shares &shares)
{
    m_finder.find(device, unit, sample.track->subject, range, seconds, m_claims);
    for (const auto &[claim, part] : m_claims) {
        if (part == 0)
            continue;
        Share &share = shares.of(claim);
        share.reading = share.observed > 0 ? mergedReading(share.reading, share.observed / kTicks, *sample.bucket, part)
                                           : *sample.bucket;
        share.observed += part * kTicks;
    }
}

// Time without telemetry is charged to the holder in the scheduler's record; time that no record claims is unallocated.
void ExclusiveUnit::fillGap(const Unit &unit, TimeRange range, std::int64_t missing, Shares &shares)
{
    Claims wants;
    std::int64_t sum = 0;
    const auto want = [&](const Claim &claim, std::int64_t present) {
        std::int64_t known = 0;
        for (const Share &share : shares.list())
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
            && !m_finder.schedulerSpeaks(m_index.subjects[subject].facts.cluster, range)
            && m_finder.withoutRecord(subject, range).kind == Claim::Kind::Subject;
        if (counts)
            want({Claim::Kind::Subject, false, subject}, seen.overlap(range).count());
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
        shares.of(claim).unobserved += seconds * kTicks;
    if (missing > sum)
        shares.of({}).unobserved += (missing - sum) * kTicks;
}

} // namespace gpuledger::ledger
