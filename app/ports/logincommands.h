// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"
#include "app/ports/commandconsent.h"

#include <vector>

namespace gpuledger::ports {

// The programs that a source runs to log in that are named not in the configuration but in a file it refers to: the
// user must agree to them as well. Implemented by connectors/connectorregistry; any thread.
class LoginCommands {
public:
    virtual ~LoginCommands() = default;
    // Runs nothing. Fails with NotFound (no such file), InvalidConfig, Forbidden or Unsupported.
    [[nodiscard]] virtual base::Result<std::vector<CredentialCommand>>
    of(const model::SourceSettings &source) const = 0;
};

} // namespace gpuledger::ports
