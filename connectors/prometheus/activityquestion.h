// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/activity.h"
#include "connectors/prometheus/query/queryrunner.h"
#include "connectors/prometheus/series/exportermapping.h"
#include "connectors/prometheus/series/seriesnormalizer.h"

#include <functional>
#include <set>
#include <stop_token>
#include <string>

namespace gpuledger::prometheus {

// Returns the targets that export percentages under the name of a ratio, judged over a longer time than a question
// about the present covers. Empty if the server cannot answer.
using LearnUnits =
    std::function<std::set<std::string>(const std::vector<ExporterMapping> &exporters, base::UtcTime now)>;

// Asks for the raw samples of all activity signals and request counters. `ours`: the time of this computer. Fails with
// Unsupported (the question goes too far back), with Server if the answer may be incomplete, and otherwise as
// QueryRunner::finish. A server without metrics of a known exporter yields an answer without devices.
[[nodiscard]] base::Result<ports::ActivityAnswer> askActivity(Connection &connection, const Mappings &mappings,
                                                              const ClusterNaming &clusters, base::UtcTime ours,
                                                              const ports::ActivityQuestion &question,
                                                              const LearnUnits &learn, const std::stop_token &stop);

} // namespace gpuledger::prometheus
