// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/program/signalwatcher.h"

#include "ui/cli/program/globaloptions.h"

#include <unistd.h>

#include <ctime>

namespace gpuledger::cli {

namespace {

// By nohup. Linux keeps a blocked signal even if it is ignored, so it would be waited for.
bool isHangupIgnored()
{
    struct sigaction now { };
    return sigaction(SIGHUP, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

} // namespace

SignalWatcher::SignalWatcher()
{
    sigemptyset(&m_signals);
    for (const int signal : {SIGINT, SIGTERM})
        sigaddset(&m_signals, signal);
    if (!isHangupIgnored())
        sigaddset(&m_signals, SIGHUP);
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
