// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <optional>
#include <stop_token>
#include <thread>

namespace gpuledger::cli {

// How a command ends when it is interrupted.
enum class Ending {
    AtOnce, // at the first interrupt: it changes nothing that could be left incomplete
    ByItself, // it checks the stop token and is waited for: its changes to other systems must be completed
    Soon, // the same, but waits at most kPatience: what it was writing is fetched again
};

// Turns the first interrupt (Ctrl-C, TERM, HUP) into a stop request, and ends the program with 130 at the second one,
// or as Ending says; committed data stay committed. HUP stays ignored under nohup. Created before any other thread, so
// that no other thread receives these signals.
class SignalWatcher {
public:
    static constexpr std::chrono::milliseconds kPatience{800};

    SignalWatcher();
    SignalWatcher(const SignalWatcher &) = delete;
    SignalWatcher &operator=(const SignalWatcher &) = delete;
    ~SignalWatcher();

    std::stop_token token() const { return m_stop.get_token(); }
    void setEnding(Ending ending) { m_ending = ending; }

private:
    void watch(const std::stop_token &ended);

    sigset_t m_signals;
    std::stop_source m_stop;
    std::atomic<Ending> m_ending{Ending::AtOnce};
    std::jthread m_thread;
};

} // namespace gpuledger::cli
