// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/fleets/scenario.h"

#include <filesystem>
#include <istream>
#include <map>
#include <string>
#include <utility>

namespace gpuledger::tests {

// Where the sources are, and the development trace, which is available only next to a developer's repository.
std::filesystem::path sourceFolder();
std::filesystem::path traceFolder();
// A number from the environment: of whole days at the end of the trace, or of devices; 0: all.
int numberFrom(const char *variable, int usual);

// A part of the development trace as facts: the lines of replay_oracle.py --facts.
class TraceFleet {
public:
    TraceFleet(const std::filesystem::path &file, std::int64_t begin, std::int64_t end);
    const Scenario &fleet() const { return m_fleet; }

private:
    void addNode(std::istream &words);
    void addDevice(std::istream &words);
    void addPod(std::istream &words);
    void addSlot(std::istream &words);

    Scenario m_fleet;
    std::int64_t m_begin;
    std::map<std::string, std::uint32_t> m_nodes, m_subjects;
    std::map<std::pair<std::string, int>, std::uint32_t> m_devices;
    std::map<std::pair<std::uint32_t, std::uint32_t>, ports::FactBatch::Series> m_series;
};

} // namespace gpuledger::tests
