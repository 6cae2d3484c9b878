// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/probereport.h"
#include "connectors/kubernetes/kubeapi.h"

namespace gpuledger::kubernetes {

// What `sources test` says of a cluster: its version, and which of the rights of contract section 5 it gives in all
// namespaces, those to tell what waits among them. Access reviews only; nothing is changed. `mayStop`: whether the
// configuration lets it be changed at all. Errors: as KubeApi::get.
[[nodiscard]] base::Result<ports::ProbeReport> probeCluster(KubeApi &api, bool mayStop, const std::stop_token &stop);

} // namespace gpuledger::kubernetes
