// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <chrono>
#include <vector>

namespace gpuledger::bench {

// Measures by how much the event loop of its thread delays a timer of 1 ms. GUI thread.
class GapMeter : public QObject {
    Q_OBJECT
public:
    struct Gap {
        double ms = 0;
        double waitedMs = 0; // the part in which the thread was ready but other threads and programs had the processors
    };

    explicit GapMeter(QObject *parent = nullptr);
    ~GapMeter() override;
    // Discards all gaps so far.
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
