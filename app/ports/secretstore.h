// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/secret.h"
#include "app/model/settings.h"
#include "app/ports/commandconsent.h"

namespace gpuledger::ports {

// Turns a reference to a credential into the credential, late, each time it is needed. Any thread.
// Fails with NotFound (no such name), Forbidden (a file that others can read; a command nobody agreed to) or
// Unsupported (no keychain).
class SecretStore {
public:
    virtual ~SecretStore() = default;
    [[nodiscard]] virtual base::Result<base::Secret> read(const model::SecretRef &ref) = 0;
    // What a program prints that another file than ours names (the exec plugin of a kubeconfig). It sees its variables,
    // those that it names and the usual ones; run only when the user agreed to it. Fails as read() does for a command,
    // with Timeout or TooMuch.
    [[nodiscard]] virtual base::Result<base::Secret> run(const CredentialCommand &command)
    {
        return base::fail(base::ErrorCode::Unsupported,
                          "no program is run for a credential here"
                              + (command.arguments.empty() ? std::string() : ": " + command.arguments.front()));
    }
};

} // namespace gpuledger::ports
