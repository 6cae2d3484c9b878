// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/probereport.h"
#include "connectors/kubernetes/api/kubeapi.h"

namespace gpuledger::kubernetes {

// The result of `sources test` for a cluster: its version, and which of the needed permissions it grants in all
// namespaces, including those for reading what waits. Uses only access reviews and changes nothing. `mayStop`: whether
// the configuration allows stopping workloads. Errors: as KubeApi::get.
[[nodiscard]] base::Result<ports::ProbeReport> probeCluster(KubeApi &api, bool mayStop, const std::stop_token &stop);

} // namespace gpuledger::kubernetes
