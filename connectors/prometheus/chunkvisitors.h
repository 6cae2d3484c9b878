// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/prometheus/usageassembler.h"

#include <map>
#include <string>
#include <vector>

namespace gpuledger::prometheus {

// The usual time between two samples of each of some devices, under whatever labels they came. Two recorders of the
// same thing are kept apart. One use, one thread; the assembler outlives it.
class IntervalVisitor final : public format::SeriesVisitor {
public:
    // `probes` share metric, label of the device's id and bucket.
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

// Targets that could not be scraped all the time.
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

// Probes that one question can measure together, the largest groups first.
std::vector<std::vector<IntervalProbe>> groupProbes(const std::vector<IntervalProbe> &probes);

} // namespace gpuledger::prometheus
