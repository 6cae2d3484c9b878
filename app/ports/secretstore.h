// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/crypto/secret.h"
#include "app/base/result.h"
#include "app/model/settings.h"
#include "app/ports/commandconsent.h"

namespace gpuledger::ports {

// Resolves a reference to a credential as late as possible, each time it is needed. Any thread. Fails with NotFound (no
// such name), Forbidden (a file that others can read; a command that the user has not agreed to) or Unsupported (no
// keychain).
class SecretStore {
public:
    virtual ~SecretStore() = default;
    [[nodiscard]] virtual base::Result<base::Secret> read(const model::SecretRef &ref) = 0;
    // The output of a program that a file other than ours names (the exec plugin of a kubeconfig). It gets its own
    // variables, those that it names and the usual ones; it only runs if the user agreed to it. Fails like read() for a
    // command, or with Timeout or TooMuch.
    [[nodiscard]] virtual base::Result<base::Secret> run(const CredentialCommand &command)
    {
        return base::fail(base::ErrorCode::Unsupported,
                          "credentials from a program are not supported here"
                              + (command.arguments.empty() ? std::string() : ": " + command.arguments.front()));
    }
};

} // namespace gpuledger::ports
