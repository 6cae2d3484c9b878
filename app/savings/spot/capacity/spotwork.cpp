// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/capacity/spotwork.h"

namespace gpuledger::savings {

base::Result<base::Money> SpotOutcome::cost(const SpotWork &work) const
{
    const auto onSpot = work.spot.times(base::GpuTime::wholeDevice(base::Seconds{spotSeconds * work.gpus}));
    GPULEDGER_TRY(onSpot);
    const auto onDemand = work.onDemand.times(base::GpuTime::wholeDevice(base::Seconds{onDemandSeconds * work.gpus}));
    GPULEDGER_TRY(onDemand);
    return onSpot->plus(*onDemand);
}

// The last time at which one more try on spot may begin: even if it is lost just before its checkpoint, what is left
// fits on-demand before the deadline.
std::int64_t SpotRun::latestTry() const
{
    return *m_work.deadline - (m_work.restart + m_work.needed(m_left)) - (restart() + m_work.untilSafe(m_left));
}

bool SpotRun::pass(std::int64_t seconds, bool available)
{
    if (m_falls && m_now > latestTry()) {
        fallBack();
        return false;
    }
    return available ? up(seconds) : down(seconds);
}

bool SpotRun::up(std::int64_t seconds)
{
    seconds = std::min(seconds, m_work.horizon - m_now);
    const std::int64_t idle = restart(), needed = m_work.needed(m_left);
    m_started = true;
    if (seconds >= idle + needed) {
        m_outcome.spotSeconds += idle + needed;
        m_outcome.end = m_now + idle + needed;
        m_outcome.finished = true;
        return false;
    }
    m_outcome.spotSeconds += seconds;
    m_now += seconds;
    if (seconds > idle && m_work.checkpointEvery > 0) {
        const std::int64_t written = std::min((seconds - idle) / (m_work.checkpointEvery + m_work.checkpointCost),
                                              (m_left - 1) / m_work.checkpointEvery);
        m_left -= written * m_work.checkpointEvery;
    }
    if (m_now >= m_work.horizon)
        return giveUp();
    ++m_outcome.interruptions;
    return true;
}

bool SpotRun::down(std::int64_t seconds)
{
    if (m_falls && m_now + seconds > latestTry()) {
        m_now = latestTry();
        fallBack();
        return false;
    }
    m_now += seconds;
    return m_now < m_work.horizon || giveUp();
}

bool SpotRun::giveUp()
{
    m_outcome.end = m_work.horizon;
    return false;
}

void SpotRun::fallBack()
{
    const std::int64_t seconds = restart() + m_work.needed(m_left);
    m_outcome.onDemandSeconds += seconds;
    m_outcome.end = m_now + seconds;
    m_outcome.finished = m_outcome.fellBack = true;
}

} // namespace gpuledger::savings
