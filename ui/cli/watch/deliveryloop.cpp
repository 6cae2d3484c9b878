// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/watch/deliveryloop.h"

#include <algorithm>
#include <utility>

namespace gpuledger::cli {

namespace {

constexpr base::Seconds kShortestDeliveryPause{1}, kLongestDeliveryPause{300};

} // namespace

DeliveryLoop::DeliveryLoop(services::AlertDesk &desk, std::function<void(const Tried &tried, base::UtcTime begun)> told,
                           const std::stop_token &stop)
    : m_desk(desk)
    , m_told(std::move(told))
    , m_thread([this](const std::stop_token &own) { run(own); })
    , m_forward(stop, [this] { m_thread.request_stop(); })
{
}

void DeliveryLoop::wake()
{
    {
        const std::lock_guard guard(m_mutex);
        m_isAwake = true;
    }
    m_condition.notify_all();
}

std::optional<base::Seconds> DeliveryLoop::pause()
{
    const auto due = m_desk.nextDue();
    if (!due)
        return kLongestDeliveryPause; // a cache that can't be read now
    if (!*due)
        return std::nullopt;
    return std::clamp(base::Seconds{**due - m_desk.now()}, kShortestDeliveryPause, kLongestDeliveryPause);
}

void DeliveryLoop::run(const std::stop_token &stop)
{
    while (!stop.stop_requested()) {
        {
            const std::lock_guard guard(m_mutex);
            m_isAwake = false;
        }
        const base::UtcTime begun = m_desk.now();
        m_told(m_desk.deliver(stop), begun);
        const auto left = pause();
        std::unique_lock lock(m_mutex);
        if (left)
            m_condition.wait_for(lock, stop, *left, [this] { return m_isAwake; });
        else
            m_condition.wait(lock, stop, [this] { return m_isAwake; });
    }
}

} // namespace gpuledger::cli
