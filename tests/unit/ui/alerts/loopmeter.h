// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include <algorithm>
#include <ctime>
#include <utility>

namespace gpuledger::tests {

// The longest time that this thread has computed between two turns of its event loop. Time without a processor does
// not count.
class LoopMeter {
public:
    LoopMeter()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.setInterval(1);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] {
            const double now = cpuMs();
            m_longest = std::max(m_longest, now - std::exchange(m_last, now));
        });
        m_timer.start();
    }
    double longestMs() const { return m_longest; }

private:
    static double cpuMs()
    {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    }

    QTimer m_timer;
    double m_last = cpuMs(), m_longest = 0;
};

} // namespace gpuledger::tests
