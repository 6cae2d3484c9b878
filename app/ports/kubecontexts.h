// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <string>
#include <vector>

namespace gpuledger::ports {

struct KubeContextNames {
    std::vector<std::string> all; // in the order of the files, each once
    std::string current; // empty: the files name none
};

// The contexts of a kubeconfig, to choose one from. Implemented by connectors/connectorregistry; any thread.
class KubeContexts {
public:
    virtual ~KubeContexts() = default;
    // `kubeconfig` as a source names it; empty: the usual files. Asks nobody and runs nothing. Fails with NotFound (no
    // such file), InvalidConfig (it is no kubeconfig), Forbidden (it can't be read) or TooMuch.
    [[nodiscard]] virtual base::Result<KubeContextNames> of(const std::string &kubeconfig) const = 0;
};

} // namespace gpuledger::ports
