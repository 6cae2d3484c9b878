// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/activity.h"
#include "connectors/prometheus/exportermapping.h"
#include "connectors/prometheus/queryrunner.h"
#include "connectors/prometheus/seriesnormalizer.h"

#include <functional>
#include <set>
#include <stop_token>
#include <string>

namespace gpuledger::prometheus {

// Which targets export percent under the name of a ratio, over a longer time than a question about now looks at.
// Nothing is known where the server can't tell.
using LearnUnits =
    std::function<std::set<std::string>(const std::vector<ExporterMapping> &exporters, base::UtcTime now)>;

// Asks for the raw samples of all activity signals and request counters. `ours`: this computer's time. Fails with
// Unsupported (the question goes too far back), with Server where the answer may be incomplete, and as
// QueryRunner::finish. A server without metrics of a known exporter answers that it knows no device.
[[nodiscard]] base::Result<ports::ActivityAnswer> askActivity(Connection &connection, const Mappings &mappings,
                                                              const ClusterNaming &clusters, base::UtcTime ours,
                                                              const ports::ActivityQuestion &question,
                                                              const LearnUnits &learn, const std::stop_token &stop);

} // namespace gpuledger::prometheus
