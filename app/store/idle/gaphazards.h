// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/values/gapkept.h"

#include <array>
#include <cstddef>

// How fast idle gaps end at each age: hazards pooled from counts, and a gap followed ahead through them. Values and
// functions only; any thread.
namespace gpuledger::store {

// Ends per bucket, by activity and with the holder.
struct GapHazard {
    double work = 0, over = 0;
};
using GapHazards = std::array<GapHazard, kGapAges.size()>; // by class of age

// See insight::GapCurves, whose parameters these are.
inline constexpr double kFleetGaps = 10, kGroupGaps = 50;
inline constexpr double kDefaultWork = 0.4, kDefaultOver = 0.1; // of a gap that is an hour old, per hour

GapHazards fleetHazards(const GapCount &fleet);
// Takes what `count` says of a narrower group into account; what is in `hazards` counts as kGroupGaps gaps.
void pool(GapHazards &hazards, const GapCount &count);

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
