// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/prometheus/promrules.h"

#include <string>
#include <vector>

namespace gpuledger::services {

// The alert rules for the Prometheus of one source.
struct SourceRules {
    std::string source;
    std::string rulesFile, testsFile; // names without a folder, different for each source
    alerts::ExportedRules rules;
};

} // namespace gpuledger::services
