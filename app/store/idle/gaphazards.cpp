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

// The prior counts as that many gaps that went through the class.
GapHazard pooled(const GapCount &count, std::size_t i, const GapHazard &prior, double gaps)
{
    const double time = gaps * widthOf(i), seen = static_cast<double>(count.exposure[i]) + time;
    return {(static_cast<double>(count.work[i]) + prior.work * time) / seen,
            (static_cast<double>(count.over[i]) + prior.over * time) / seen};
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
        out[i] = pooled(fleet, i, prior, kFleetGaps);
    }
    return out;
}

void pool(GapHazards &hazards, const GapCount &count)
{
    for (std::size_t i = 0; i < kClasses; ++i)
        hazards[i] = pooled(count, i, hazards[i], kGroupGaps);
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
