// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <chrono>
#include <vector>

namespace gpuledger::bench {

// Measures how long the event loop of its thread leaves a timer of 1 ms waiting. GUI thread.
class GapMeter : public QObject {
    Q_OBJECT
public:
    struct Gap {
        double ms = 0;
        double waitedMs = 0; // of it, ready to run without getting a processor: other threads and programs had them
    };

    explicit GapMeter(QObject *parent = nullptr);
    ~GapMeter() override;
    // Forgets what was before.
    void begin();
    Gap longest() const; // by ms
    Gap longestOfOurs() const; // by ms - waitedMs
    double percentile(double share) const; // ms
    std::size_t ticks() const { return m_gaps.size(); }

private:
    void tick();
    double waitedMs() const;

    QTimer m_timer;
    int m_schedstat = -1;
    std::chrono::steady_clock::time_point m_last;
    double m_lastWaited = 0;
    std::vector<Gap> m_gaps;
};

} // namespace gpuledger::bench
