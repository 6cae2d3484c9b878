// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/idle/gaphazards.h"

#include "app/base/time/time.h"

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

bool beginsBlock(std::int32_t age)
{
    return age >= kGapBlocks.back() || std::find(kGapBlocks.begin(), kGapBlocks.end(), age) != kGapBlocks.end();
}

// Of the classes [first, end) that have one factor: what a group did, and what the wider group's hazards expect of it
// and of one gap that goes through them.
struct GapCell {
    std::size_t end = 0;
    std::int64_t ends = 0;
    double expected = 0, ofOneGap = 0;
};

template <typename Ends>
GapCell cellFrom(std::size_t first, GapGrain grain, const GapMember &group, const Ends &ends, double GapHazard::*hazard)
{
    GapCell cell{first, 0, 0, 0};
    do {
        const double rate = (*group.wider)[cell.end].*hazard;
        cell.ends += (group.count->*ends)[cell.end];
        cell.expected += rate * group.count->atRisk(cell.end);
        cell.ofOneGap += rate * widthOf(cell.end);
        ++cell.end;
    } while (cell.end < kClasses && grain == GapGrain::Block && !beginsBlock(kGapAges[cell.end]));
    return cell;
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
        const double time = kFleetGaps * widthOf(i);
        out[i] = {pooled(fleet.work[i], fleet.atRisk(i), prior.work, time),
                  pooled(fleet.over[i], fleet.atRisk(i), prior.over, time)};
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

GapWeights likeliestGaps(const std::vector<GapMember> &level, GapGrain grain)
{
    const auto gapsOf = [&](const auto &ends, double GapHazard::*hazard) {
        std::vector<GapCell> cells;
        for (const GapMember &group : level) {
            for (std::size_t i = 0; i < kClasses; i = cells.back().end)
                cells.push_back(cellFrom(i, grain, group, ends, hazard));
        }
        return likeliestWeight(kLeastKindGaps, [&](double gaps) {
            double sum = 0;
            for (const GapCell &cell : cells)
                sum += cell.expected > 0 ? logOfEnds(cell.ends, cell.expected, gaps * cell.ofOneGap) : 0;
            return sum;
        });
    };
    return {gapsOf(&GapCount::work, &GapHazard::work), gapsOf(&GapCount::over, &GapHazard::over)};
}

GapHazards pooledByAge(const GapMember &group, const GapHazard &gaps, GapGrain grain)
{
    GapHazards out = *group.wider;
    const auto pool = [&](const auto &ends, double GapHazard::*hazard) {
        for (std::size_t i = 0; i < kClasses;) {
            const GapCell cell = cellFrom(i, grain, group, ends, hazard);
            const double prior = gaps.*hazard * cell.ofOneGap;
            const double factor = prior > 0 ? (static_cast<double>(cell.ends) + prior) / (cell.expected + prior) : 1;
            for (; i < cell.end; ++i)
                out[i].*hazard *= factor;
        }
    };
    pool(&GapCount::work, &GapHazard::work);
    pool(&GapCount::over, &GapHazard::over);
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
    const GapHazard gaps = likeliestGaps(level, GapGrain::Class).gaps();
    for (const auto &[kind, count] : out.counts)
        out.kinds[kind] = pooledByAge({&count, &out.fleet}, gaps, GapGrain::Class);
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
