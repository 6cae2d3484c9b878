// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <string>
#include <vector>

namespace gpuledger::ports {

// The context names in a kubeconfig.
struct KubeContextNames {
    std::vector<std::string> all; // in the order of the files, without duplicates
    std::string current; // empty: the files do not set one
};

// Lists the contexts of a kubeconfig, to choose one from. Implemented by connectors/connectorregistry; any thread.
class KubeContexts {
public:
    virtual ~KubeContexts() = default;
    // `kubeconfig` as given in a source's settings; empty: the usual files. Contacts no server and runs nothing. Fails
    // with NotFound (no such file), InvalidConfig (not a kubeconfig), Forbidden (not readable) or TooMuch.
    [[nodiscard]] virtual base::Result<KubeContextNames> of(const std::string &kubeconfig) const = 0;
};

} // namespace gpuledger::ports
