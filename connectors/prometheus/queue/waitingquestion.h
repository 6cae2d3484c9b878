// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/waiting.h"
#include "connectors/prometheus/query/queryrunner.h"
#include "connectors/prometheus/series/exportermapping.h"
#include "connectors/prometheus/series/seriesnormalizer.h"

namespace gpuledger::prometheus {

// Asks kube-state-metrics which pods are waiting for GPUs at an instant and how much room the nodes have, and Kueue's
// metrics how many workloads its queues hold back. The user is waiting for the answer, so it is retried for a few
// seconds only. Uses up the connection. Fails as QueryRunner::finish(); missing metrics are listed in the answer.
[[nodiscard]] base::Result<model::WaitingFacts> askWaiting(Connection &connection, const KubeMapping &mapping,
                                                           const ClusterNaming &clusters, base::UtcTime at,
                                                           const std::stop_token &stop);

} // namespace gpuledger::prometheus
