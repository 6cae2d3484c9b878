// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/kubernetes/discovery.h"

namespace gpuledger::kubernetes {

// One right, as an access review names it.
struct AccessQuestion {
    std::string verb, group, resource, subresource, nameSpace, name;

    // "patch deployments.apps/scale in namespace ml"
    std::string shownRight() const;
};

AccessQuestion rightOn(const Resource &resource, std::string verb, std::string subresource,
                       const std::string &nameSpace, const std::string &name);
// What the cluster says; nobody else is asked. Errors: as KubeApi::ask.
[[nodiscard]] base::Result<bool> mayI(KubeApi &api, const AccessQuestion &question, const std::stop_token &stop);

} // namespace gpuledger::kubernetes
