// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/finding.h"
#include "connectors/prometheus/query/queryrunner.h"
#include "connectors/prometheus/series/exportermapping.h"

#include <set>
#include <string>
#include <vector>

namespace gpuledger::prometheus {

// A share metric whose values do not fit its name.
struct UnitDoubt {
    enum class Kind {
        PercentNamedRatio, // known to happen: read as percentages on these targets
        RatioNamedPercent, // would be read as almost idle
        PercentNamedShare // larger than a share can be: not used
    };
    Kind kind = Kind::PercentNamedRatio;
    std::string metric;
    double greatest = 0;
    std::set<std::string> instances; // affected targets; empty for RatioNamedPercent

    std::string text() const; // for the notes of a fetch
    ports::Finding finding() const;
};

// Compares the maxima of all share metrics of `exporters` in `range`, sampled at a few hundred instants, with what
// their names promise. Fails as QueryRunner::finish.
[[nodiscard]] base::Result<std::vector<UnitDoubt>> checkUnits(Connection &connection,
                                                              const std::vector<ExporterMapping> &exporters,
                                                              base::TimeRange range, std::stop_token stop);

} // namespace gpuledger::prometheus
