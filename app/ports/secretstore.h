// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/secret.h"
#include "app/model/settings.h"

namespace gpuledger::ports {

// Turns a reference to a credential into the credential, late, each time it is needed. Any thread.
// Fails with NotFound (no such name), Forbidden (a file that others can read; a command nobody agreed to) or
// Unsupported (no keychain).
class SecretStore {
public:
    virtual ~SecretStore() = default;
    [[nodiscard]] virtual base::Result<base::Secret> read(const model::SecretRef &ref) = 0;
};

} // namespace gpuledger::ports
