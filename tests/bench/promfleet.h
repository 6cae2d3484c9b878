// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/benchfleet.h"

#include <filesystem>

namespace gpuledger::bench {

// The fleet of benchfleet.h as dcgm-exporter and kube-state-metrics show it: four metrics a GPU, four a running pod,
// three a node.
struct PromFleet {
    int gpus = 1000;
    int days = 7;
    int interval = 60; // seconds between two scrapes
};

// A real Prometheus over such a fleet, on a free port of 127.0.0.1. Its blocks are made once by promtool, a day at a
// time, and kept in `folder`. Ends the server with its life; one thread.
class PromFleetServer {
public:
    PromFleetServer(const std::filesystem::path &folder, const PromFleet &fleet);
    ~PromFleetServer();
    PromFleetServer(const PromFleetServer &) = delete;
    PromFleetServer &operator=(const PromFleetServer &) = delete;

    // Empty when it could not be started; the reason is on stderr.
    const std::string &url() const { return m_url; }
    base::TimeRange range() const;

private:
    bool makeBlocks();

    std::filesystem::path m_folder;
    PromFleet m_fleet;
    std::string m_url;
};

} // namespace gpuledger::bench
