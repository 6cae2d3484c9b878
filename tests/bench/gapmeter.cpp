// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/gapmeter.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace gpuledger::bench {

GapMeter::GapMeter(QObject *parent)
    : QObject(parent)
    , m_schedstat(open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC))
{
    m_timer.setTimerType(Qt::PreciseTimer);
    m_timer.setInterval(1);
    connect(&m_timer, &QTimer::timeout, this, &GapMeter::tick);
}

GapMeter::~GapMeter()
{
    if (m_schedstat >= 0)
        close(m_schedstat);
}

void GapMeter::begin()
{
    m_gaps.clear();
    m_gaps.reserve(1u << 18);
    m_last = std::chrono::steady_clock::now();
    m_lastWaited = waitedMs();
    m_timer.start();
}

// The kernel counts for each thread how long it was ready to run but had no processor.
double GapMeter::waitedMs() const
{
    char text[96] = {};
    if (m_schedstat < 0 || pread(m_schedstat, text, sizeof text - 1, 0) <= 0)
        return 0;
    unsigned long long ran = 0, waited = 0;
    return std::sscanf(text, "%llu %llu", &ran, &waited) == 2 ? static_cast<double>(waited) / 1e6 : 0;
}

void GapMeter::tick()
{
    const auto now = std::chrono::steady_clock::now();
    const double waited = waitedMs();
    m_gaps.push_back({std::chrono::duration<double, std::milli>(now - m_last).count(), waited - m_lastWaited});
    m_last = now;
    m_lastWaited = waited;
}

GapMeter::Gap GapMeter::longest() const
{
    const auto it =
        std::max_element(m_gaps.begin(), m_gaps.end(), [](const Gap &a, const Gap &b) { return a.ms < b.ms; });
    return it == m_gaps.end() ? Gap{} : *it;
}

GapMeter::Gap GapMeter::longestOfOurs() const
{
    const auto it = std::max_element(m_gaps.begin(), m_gaps.end(),
                                     [](const Gap &a, const Gap &b) { return a.ms - a.waitedMs < b.ms - b.waitedMs; });
    return it == m_gaps.end() ? Gap{} : *it;
}

double GapMeter::percentile(double share) const
{
    std::vector<double> all;
    for (const Gap &gap : m_gaps)
        all.push_back(gap.ms);
    if (all.empty())
        return 0;
    const auto at = all.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(all.size() - 1));
    std::nth_element(all.begin(), at, all.end());
    return *at;
}

} // namespace gpuledger::bench
