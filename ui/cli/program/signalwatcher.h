// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <optional>
#include <stop_token>
#include <thread>

namespace gpuledger::cli {

// How a command ends when somebody wants it to.
enum class Ending {
    AtOnce, // at the first interrupt: it changes nothing that could be left half
    ByItself, // it looks at the stop token, and is waited for: what it tells others must be told whole
    Soon, // the same, but not for longer than kPatience: what it was writing is fetched again
};

// Turns the first interrupt (Ctrl-C, TERM, HUP) into a request to stop, and ends the program with 130 at the second
// one, or as Ending says: what is committed stays committed. Made before any other thread, which then never sees these
// signals.
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
