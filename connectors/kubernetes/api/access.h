// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/kubernetes/api/discovery.h"

namespace gpuledger::kubernetes {

// A single permission, as an access review names it.
struct AccessQuestion {
    std::string verb, group, resource, subresource, nameSpace, name;

    // "patch deployments.apps/scale in namespace ml"
    std::string shownRight() const;
};

AccessQuestion rightOn(const Resource &resource, std::string verb, std::string subresource,
                       const std::string &nameSpace, const std::string &name);
// Asks the cluster whether the right is granted, using its own access review only. Errors: as KubeApi::ask.
[[nodiscard]] base::Result<bool> mayI(KubeApi &api, const AccessQuestion &question, const std::stop_token &stop);

} // namespace gpuledger::kubernetes
