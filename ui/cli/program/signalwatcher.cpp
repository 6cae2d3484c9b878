// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/program/signalwatcher.h"

#include "ui/cli/program/globaloptions.h"

#include <unistd.h>

#include <ctime>

namespace gpuledger::cli {

SignalWatcher::SignalWatcher()
{
    sigemptyset(&m_signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&m_signals, signal);
    pthread_sigmask(SIG_BLOCK, &m_signals, nullptr);
    m_thread = std::jthread([this](const std::stop_token &ended) { watch(ended); });
}

SignalWatcher::~SignalWatcher()
{
    m_thread.request_stop();
}

void SignalWatcher::watch(const std::stop_token &ended)
{
    using Clock = std::chrono::steady_clock;
    const timespec wait{0, 50'000'000};
    std::optional<Clock::time_point> last;
    while (!ended.stop_requested()) {
        if (last && Clock::now() > *last) {
            static constexpr char kTold[] = "gpuledger-cli: Cancelled; what was stored stays.\n";
            [[maybe_unused]] const ssize_t ignored = write(STDERR_FILENO, kTold, sizeof kTold - 1);
            _exit(kCancelled);
        }
        if (sigtimedwait(&m_signals, nullptr, &wait) < 0)
            continue;
        if (m_ending == Ending::AtOnce || m_stop.stop_requested())
            _exit(kCancelled);
        m_stop.request_stop();
        if (m_ending == Ending::Soon)
            last = Clock::now() + kPatience;
    }
}

} // namespace gpuledger::cli
