// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/gputime.h"
#include "app/store/values/idlekept.h"

// What one attributed part adds to an idle figure: shared by the stored days and the scan, so that both produce exactly
// the same figures. Any thread.
namespace gpuledger::store {

// A holder's time on one unit in one bucket.
struct IdleBucket {
    std::int64_t ticks = 0, observed = 0, idle = 0;
    bool shared = false;

    void add(model::GpuState state, bool isShared, std::int64_t partTicks)
    {
        shared = shared || isShared;
        ticks += partTicks;
        observed += state == model::GpuState::UnobservedHeld ? 0 : partTicks;
        idle += state == model::GpuState::Idle ? partTicks : 0;
    }
    // Wall-clock seconds: a sharer's ticks are its part of each second.
    double clockSeconds(std::int64_t part, double fraction) const
    {
        if (ticks == 0)
            return 0;
        const auto p = static_cast<double>(part);
        return shared ? static_cast<double>(base::kBucket.count()) * p / static_cast<double>(ticks)
                      : p / base::GpuTime::kTicksPerSecond / fraction;
    }
};

// As a part of the device; 1 for a unit that is not a slice.
inline double fractionOf(const model::Device &device, std::int16_t slice)
{
    if (slice < 0)
        return 1;
    const model::Fraction f = device.slices[static_cast<std::size_t>(slice)].fraction;
    return static_cast<double>(f.part) / static_cast<double>(f.of);
}

// The fields of a part that a tail needs.
struct TailPart {
    std::uint16_t bucket = 0;
    bool shared = false;
    model::GpuState state = model::GpuState::Idle;
    std::int64_t ticks = 0, costNanos = 0;
    bool priced = true;
};

// Sums of one unit and day; parts must arrive ascending by bucket.
class TailSum {
public:
    void add(const TailPart &part, double fraction)
    {
        if (!m_tail) {
            m_tail.emplace();
            m_tail->first = part.bucket;
            m_bucket = part.bucket;
        }
        if (part.bucket != m_bucket)
            settle(fraction);
        m_bucket = part.bucket;
        m_now.add(part.state, part.shared, part.ticks);
        if (part.state == model::GpuState::Idle) {
            m_tail->wastedNanos += part.costNanos;
            m_tail->unpriced = m_tail->unpriced || !part.priced;
        } else if (part.state == model::GpuState::UnobservedHeld)
            m_tail->unobserved = true;
    }
    // std::nullopt if there was no part; resets the sum.
    std::optional<IdleTail> take(double fraction)
    {
        if (m_tail)
            settle(fraction);
        std::optional<IdleTail> out = m_tail;
        m_tail.reset();
        return out;
    }

private:
    void settle(double fraction)
    {
        m_tail->idleSeconds += m_now.clockSeconds(m_now.idle, fraction);
        m_now = {};
    }

    std::optional<IdleTail> m_tail;
    std::uint16_t m_bucket = 0;
    IdleBucket m_now;
};

inline bool isHeld(const model::UsagePart &part)
{
    return part.holder != model::kNobody;
}

inline TailPart tailPartOf(const model::UsagePart &part)
{
    return {part.bucket, part.shared, part.state, part.ticks, part.costNanos, part.priced};
}

} // namespace gpuledger::store
