// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/finding.h"
#include "connectors/prometheus/exportermapping.h"
#include "connectors/prometheus/queryrunner.h"

#include <set>
#include <string>
#include <vector>

namespace gpuledger::prometheus {

// A metric of shares whose values do not fit its name.
struct UnitDoubt {
    enum class Kind {
        PercentNamedRatio, // known to happen: read as percent on these targets
        RatioNamedPercent, // would be read as almost idle
        PercentNamedShare // beyond what a share can be: not used
    };
    Kind kind = Kind::PercentNamedRatio;
    std::string metric;
    double greatest = 0;
    std::set<std::string> instances; // targets; empty for RatioNamedPercent

    std::string text() const; // for notes of a fetch
    ports::Finding finding() const;
};

// Compares the greatest values of all share metrics of `exporters` in `range`, taken at a few hundred instants, with
// what their names promise. Fails as QueryRunner::finish.
[[nodiscard]] base::Result<std::vector<UnitDoubt>> checkUnits(Connection &connection,
                                                              const std::vector<ExporterMapping> &exporters,
                                                              base::TimeRange range, std::stop_token stop);

} // namespace gpuledger::prometheus
