// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/watch/roundpause.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace gpuledger::cli {

namespace {

using PauseEnd = std::chrono::steady_clock::time_point;

void waitUntil(PauseEnd end, const std::stop_token &stop)
{
    std::mutex mutex;
    std::condition_variable_any condition;
    std::unique_lock lock(mutex);
    condition.wait_until(lock, stop, end, [] { return false; });
}

} // namespace

bool pauseWith(PauseEnd end, const std::stop_token &stop, const std::function<void(const std::stop_token &)> &work)
{
    std::stop_source over;
    {
        const std::stop_callback forward(stop, [&over] { over.request_stop(); });
        const std::jthread timer([&over, end](const std::stop_token &isDone) {
            waitUntil(end, isDone);
            over.request_stop(); // also when the work has ended
        });
        work(over.get_token());
    }
    waitUntil(end, stop);
    return !stop.stop_requested();
}

} // namespace gpuledger::cli
