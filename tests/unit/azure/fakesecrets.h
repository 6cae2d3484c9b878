// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/secretstore.h"

#include <string>

namespace gpuledger::tests {

// Has the same secret under every reference, and counts how often it was read.
class CountedSecret final : public ports::SecretStore {
public:
    std::string value = "s+e/c=r&t";
    int reads = 0;

    base::Result<base::Secret> read(const model::SecretRef &) override
    {
        ++reads;
        return base::Secret(std::string(value));
    }
};

} // namespace gpuledger::tests
