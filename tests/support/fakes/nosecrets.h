// SPDX-License-Identifier: GPL-3.0-or-later
// An empty keychain.
#pragma once

#include "app/ports/secretstore.h"

namespace gpuledger::tests {

// A secret store without any secrets.
class NoSecrets final : public ports::SecretStore {
public:
    base::Result<base::Secret> read(const model::SecretRef &) override
    {
        return base::fail(base::ErrorCode::NotFound, "no secret");
    }
};

} // namespace gpuledger::tests
