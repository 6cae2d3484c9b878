// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/idle/gaphazards.h"

#include "app/base/time.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::store {

namespace {

constexpr double kBucketsPerHour = 3600.0 / static_cast<double>(base::kBucket.count());
constexpr std::size_t kClasses = kGapAges.size();

// Of the last class, which has no end: as much again as it is old.
double widthOf(std::size_t i)
{
    return i + 1 < kClasses ? kGapAges[i + 1] - kGapAges[i] : kGapAges[i];
}

double pooled(std::int64_t ends, double atRisk, double prior, double time)
{
    return (static_cast<double>(ends) + prior * time) / (atRisk + time);
}

// The priors count as that many gaps that went through the class.
GapHazard pooled(const GapCount &count, std::size_t i, const GapHazard &prior, const GapHazard &gaps)
{
    return {pooled(count.work[i], count.atRisk(i), prior.work, gaps.work * widthOf(i)),
            pooled(count.over[i], count.atRisk(i), prior.over, gaps.over * widthOf(i))};
}

// By Stirling's series, after recurrence to where its error is below 1e-10 (Abramowitz and Stegun, 6.1.15 and 6.1.41).
// std::lgamma writes a global variable.
double logGamma(double x)
{
    double product = 1;
    for (; x < 8; ++x)
        product *= x;
    const double square = x * x;
    constexpr double kHalfLogOf2Pi = 0.918938533204672742;
    return (x - 0.5) * std::log(x) - x + kHalfLogOf2Pi
        + (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / (1680 * square)) / square) / square) / x - std::log(product);
}

double fall(double olderHours, double youngerHours)
{
    return std::sqrt(youngerHours / olderHours);
}

} // namespace

GapHazards fleetHazards(const GapCount &fleet)
{
    GapHazards out;
    const double first = fall(kGapAges.front() / kBucketsPerHour, 1) / kBucketsPerHour;
    GapHazard prior{kDefaultWork * first, kDefaultOver * first};
    for (std::size_t i = 0; i < kClasses; ++i) {
        if (i > 0) {
            const double less = fall(kGapAges[i], kGapAges[i - 1]);
            prior = {out[i - 1].work * less, out[i - 1].over * less};
        }
        out[i] = pooled(fleet, i, prior, {kFleetGaps, kFleetGaps});
    }
    return out;
}

double logOfEnds(std::int64_t ends, double expected, double weight)
{
    const auto n = static_cast<double>(ends);
    const double rising = ends > 0 ? logGamma(weight + n) - logGamma(weight) : 0;
    return rising - weight * std::log1p(expected / weight) - n * std::log(weight + expected);
}

GapWeight likeliestWeight(double least, const std::function<double(double)> &likelihood)
{
    double largest = least;
    while (2 * largest <= kMostWeight)
        largest *= 2;
    GapWeight best{largest, likelihood(largest)};
    for (double weight = largest / 2; weight >= least; weight /= 2) {
        const double here = likelihood(weight);
        if (here > best.logChance)
            best = {weight, here};
    }
    return best;
}

GapWeights likeliestGaps(const std::vector<GapMember> &level)
{
    const auto gapsOf = [&](const auto &ends, double GapHazard::*hazard) {
        return likeliestWeight(kLeastKindGaps, [&](double gaps) {
            double sum = 0;
            for (const auto &[count, wider] : level) {
                for (std::size_t i = 0; i < kClasses; ++i) {
                    const double rate = (*wider)[i].*hazard;
                    if (count->atRisk(i) > 0 && rate > 0)
                        sum += logOfEnds((count->*ends)[i], rate * count->atRisk(i), rate * gaps * widthOf(i));
                }
            }
            return sum;
        });
    };
    return {gapsOf(&GapCount::work, &GapHazard::work), gapsOf(&GapCount::over, &GapHazard::over)};
}

GapHazards pooledByAge(const GapMember &group, const GapHazard &gaps)
{
    GapHazards out;
    for (std::size_t i = 0; i < kClasses; ++i)
        out[i] = pooled(*group.count, i, (*group.wider)[i], gaps);
    return out;
}

const GapHazards &KindHazards::of(model::WorkloadKind kind) const
{
    const auto found = kinds.find(kind);
    return found == kinds.end() ? fleet : found->second;
}

KindHazards kindHazards(const GapPast &past)
{
    KindHazards out;
    for (const auto &[group, count] : past.groups) {
        if (!group.workload.empty())
            continue; // its team's count has it too
        out.fleetCount += count;
        out.counts[group.kind] += count;
    }
    out.fleet = fleetHazards(out.fleetCount);
    std::vector<GapMember> level;
    for (const auto &[kind, count] : out.counts)
        level.push_back({&count, &out.fleet});
    const GapHazard gaps = likeliestGaps(level).gaps();
    for (const auto &[kind, count] : out.counts)
        out.kinds[kind] = pooledByAge({&count, &out.fleet}, gaps);
    return out;
}

GapAhead::GapAhead(const GapHazards &hazards, double age)
    : m_hazards(hazards)
    , m_from(std::max(age, static_cast<double>(kGapAges.front())))
    , m_now(m_from)
{
}

void GapAhead::goTo(double ahead)
{
    const double end = m_from + ahead;
    while (m_now < end) {
        std::size_t i = 0;
        while (i + 1 < kClasses && kGapAges[i + 1] <= m_now)
            ++i;
        const double next = i + 1 < kClasses ? std::min<double>(kGapAges[i + 1], end) : end;
        step(m_hazards[i], next - m_now);
        m_now = next;
    }
}

void GapAhead::step(const GapHazard &hazard, double length)
{
    const double rate = hazard.work + hazard.over, ends = -std::expm1(-rate * length);
    const double idle = m_alive * (rate > 0 ? ends / rate : length);
    const double share = rate > 0 ? hazard.work / rate : 0;
    m_working += m_worked * length + share * (m_alive * length - idle);
    m_worked += m_alive * ends * share;
    m_idle += idle;
    m_alive *= 1 - ends;
}

} // namespace gpuledger::store
