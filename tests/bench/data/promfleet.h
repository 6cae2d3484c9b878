// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/data/benchfleet.h"

#include <filesystem>

namespace gpuledger::bench {

// The fleet of benchfleet.h, with short jobs, as dcgm-exporter and kube-state-metrics show it: four metrics per GPU,
// four per running pod, three per node.
struct PromFleet {
    int gpus = 1000;
    int days = 7;
    int interval = 60; // seconds between two scrapes
};

// A real Prometheus over such a fleet, on a free port of 127.0.0.1. promtool makes its blocks once, one day at a time,
// and they stay in `folder`. The destructor ends the server. One thread.
class PromFleetServer {
public:
    PromFleetServer(const std::filesystem::path &folder, const PromFleet &fleet);
    ~PromFleetServer();
    PromFleetServer(const PromFleetServer &) = delete;
    PromFleetServer &operator=(const PromFleetServer &) = delete;

    // Empty if it could not be started; the reason is on stderr.
    const std::string &url() const { return m_url; }
    base::TimeRange range() const;

private:
    bool makeBlocks();

    std::filesystem::path m_folder;
    PromFleet m_fleet;
    std::string m_url;
};

} // namespace gpuledger::bench
