// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/finding.h"
#include "app/ports/importreport.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::ports {

// The result of a connection test.
struct ProbeReport {
    std::string product; // "Prometheus 2.42.0", "VictoriaMetrics"; empty: not reported
    bool usable = false; // found at least one activity signal with devices, or a readable bill
    std::vector<Finding> findings;
    std::vector<std::string> ownerLabelCandidates; // labels or tags that could name the team, best coverage first
    std::optional<ImportReport> bill; // what an import of the newest delivery would read
};

} // namespace gpuledger::ports
