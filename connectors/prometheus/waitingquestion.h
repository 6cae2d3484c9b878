// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/waiting.h"
#include "connectors/prometheus/exportermapping.h"
#include "connectors/prometheus/queryrunner.h"
#include "connectors/prometheus/seriesnormalizer.h"

namespace gpuledger::prometheus {

// Asks kube-state-metrics what waits for GPUs at an instant and what room the nodes have, and Kueue's metrics how many
// workloads its queues hold back. Somebody waits for it: it is tried again for a few seconds only. Uses up the
// connection. Fails as QueryRunner::finish(); metrics that are not there are named in the answer.
[[nodiscard]] base::Result<model::WaitingFacts> askWaiting(Connection &connection, const KubeMapping &mapping,
                                                           const ClusterNaming &clusters, base::UtcTime at,
                                                           const std::stop_token &stop);

} // namespace gpuledger::prometheus
