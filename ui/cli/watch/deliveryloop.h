// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/services/alerts/alertdesk.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace gpuledger::cli {

// Sends messages when they are due, on a thread of its own: a receiver that does not answer holds up no sync. Ends
// with its destructor, or when `stop` is requested. `desk` must outlive it; `told` is called on the thread.
class DeliveryLoop {
public:
    using Tried = base::Result<std::vector<services::OutboxEntry>>;
    // `told`: what deliver() returned, and when it began. It begins at once.
    DeliveryLoop(services::AlertDesk &desk, std::function<void(const Tried &tried, base::UtcTime begun)> told,
                 const std::stop_token &stop);
    DeliveryLoop(const DeliveryLoop &) = delete;
    DeliveryLoop &operator=(const DeliveryLoop &) = delete;

    void wake(); // there may be new messages; any thread

private:
    void run(const std::stop_token &stop);
    std::optional<base::Seconds> pause(); // until a message is due; std::nullopt: none waits

    services::AlertDesk &m_desk;
    std::function<void(const Tried &tried, base::UtcTime begun)> m_told;
    std::mutex m_mutex;
    std::condition_variable_any m_condition;
    bool m_isAwake = true; // with m_mutex
    std::jthread m_thread;
    std::stop_callback<std::function<void()>> m_forward; // the last member, so that it ends first
};

} // namespace gpuledger::cli
