// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/prometheus/usage/usageassembler.h"

#include <map>
#include <string>
#include <vector>

namespace gpuledger::prometheus {

// Measures the usual time between two samples of the given devices, whatever labels they appear under. Two recorders of
// the same device are kept apart. Used once, on one thread; the assembler must outlive it.
class IntervalVisitor final : public format::SeriesVisitor {
public:
    // All `probes` share the metric, the device id label and the bucket.
    IntervalVisitor(UsageAssembler &usage, std::vector<IntervalProbe> probes);
    void begin() override { m_times.clear(); }
    void refused(std::string_view) override { }
    void series(std::span<const format::Label> labels, std::span<const format::Sample> samples) override;
    void end() override;

private:
    UsageAssembler &m_usage;
    std::vector<IntervalProbe> m_probes;
    std::map<std::string, std::map<std::string, std::vector<double>>> m_times; // by device id and recorder
};

// Collects the targets that could not be scraped all the time.
class DownVisitor final : public format::SeriesVisitor {
public:
    explicit DownVisitor(std::vector<std::string> &down)
        : m_down(down)
    {
    }
    void begin() override { m_down.clear(); }
    void refused(std::string_view) override { }
    void series(std::span<const format::Label> labels, std::span<const format::Sample>) override;

private:
    std::vector<std::string> &m_down;
};

// Groups the probes that a single query can measure together, largest groups first.
std::vector<std::vector<IntervalProbe>> groupProbes(const std::vector<IntervalProbe> &probes);

} // namespace gpuledger::prometheus
