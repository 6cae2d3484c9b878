// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/values/gapkept.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

// How fast idle gaps end at each age: hazards pooled from counts, and a gap followed ahead through them. Values and
// functions only; any thread.
namespace gpuledger::store {

// Ends per bucket, by activity and with the holder.
struct GapHazard {
    double work = 0, over = 0;
};
using GapHazards = std::array<GapHazard, kGapAges.size()>; // by class of age

// See insight::GapCurves, whose parameters these are.
inline constexpr double kFleetGaps = 10;
inline constexpr double kLeastKindGaps = 8, kLeastGroupEnds = 8, kMostWeight = 1024;
inline constexpr double kDefaultWork = 0.4, kDefaultOver = 0.1; // of a gap that is an hour old, per hour

GapHazards fleetHazards(const GapCount &fleet);

// The natural logarithm of the chance of `ends` if their number is Poisson with the mean `expected` times a factor that
// is gamma distributed with mean 1 and shape `weight` (a negative binomial distribution), without terms that do not
// depend on `weight`.
double logOfEnds(std::int64_t ends, double expected, double weight);
// The weight at which `likelihood`, the logarithm of the chance of all ends, is largest: `least` times a power of two,
// kMostWeight at most; of equal ones the largest.
struct GapWeight {
    double weight = 0, logChance = 0;
};
GapWeight likeliestWeight(double least, const std::function<double(double weight)> &likelihood);

// A group, and what the group around it has.
struct GapMember {
    const GapCount *count = nullptr;
    const GapHazards *wider = nullptr;
};
// What has one factor each when a group is pooled by age: a class of kGapAges, or a block of kGapBlocks. Teams have too
// few gaps for classes of a bucket.
enum class GapGrain { Class, Block };
// How many gaps the wider group's hazards count as, in each class or block, for the groups of one level: for each end
// what makes all that the groups did likeliest, kLeastKindGaps to kMostWeight.
struct GapWeights {
    GapWeight work, over;
    GapHazard gaps() const { return {work.weight, over.weight}; }
};
GapWeights likeliestGaps(const std::vector<GapMember> &level, GapGrain grain);
// In each class or block the wider group's hazards times (ends + prior) / (ends that they expect + prior), the prior
// being the ends that they expect of `gaps` gaps that go through it.
GapHazards pooledByAge(const GapMember &group, const GapHazard &gaps, GapGrain grain);

// The fleet and each kind of a past, and what is known of them.
struct KindHazards {
    GapCount fleetCount;
    std::map<model::WorkloadKind, GapCount> counts;
    GapHazards fleet;
    std::map<model::WorkloadKind, GapHazards> kinds;
    const GapHazards &of(model::WorkloadKind kind) const; // the fleet's if it has no past
};
KindHazards kindHazards(const GapPast &past);

// Follows a gap from its present age.
class GapAhead {
public:
    GapAhead(const GapHazards &hazards, double age); // in buckets

    // Goes on to this many buckets from its present age; the calls must ascend.
    void goTo(double ahead);
    double stays() const { return 1 - m_worked; } // the chance that it has not worked by then
    // Expected time, in buckets.
    double idle() const { return m_idle; }
    double working() const { return m_working; }

private:
    void step(const GapHazard &hazard, double length);

    const GapHazards &m_hazards;
    const double m_from;
    double m_now, m_alive = 1, m_worked = 0, m_idle = 0, m_working = 0;
};

} // namespace gpuledger::store
