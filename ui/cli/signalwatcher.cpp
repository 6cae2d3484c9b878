// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/signalwatcher.h"

#include "ui/cli/globaloptions.h"

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
    const timespec wait{0, 50'000'000};
    while (!ended.stop_requested()) {
        if (sigtimedwait(&m_signals, nullptr, &wait) < 0)
            continue;
        if (!m_cooperative || m_stop.stop_requested())
            _exit(kCancelled);
        m_stop.request_stop();
    }
}

} // namespace gpuledger::cli
