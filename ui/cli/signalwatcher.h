// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace gpuledger::cli {

// Turns the first interrupt (Ctrl-C, TERM, HUP) into a request to stop, and ends the program with 130 at the second
// one, or at the first when the command does not end by itself: what is committed stays committed. Made before any
// other thread, which then never sees these signals.
class SignalWatcher {
public:
    SignalWatcher();
    SignalWatcher(const SignalWatcher &) = delete;
    SignalWatcher &operator=(const SignalWatcher &) = delete;
    ~SignalWatcher();

    std::stop_token token() const { return m_stop.get_token(); }
    void setCooperative(bool cooperative) { m_cooperative = cooperative; }

private:
    void watch(const std::stop_token &ended);

    sigset_t m_signals;
    std::stop_source m_stop;
    std::atomic<bool> m_cooperative{false};
    std::jthread m_thread;
};

} // namespace gpuledger::cli
