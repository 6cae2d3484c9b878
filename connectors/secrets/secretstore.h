// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/commandconsent.h"
#include "app/ports/secretstore.h"

#include <memory>

namespace gpuledger::connectors {

// Reads credentials from the environment, from files that only the user can read, from the desktop keychain (attributes
// service=gpuledger, name=NAME), and from programs that the user has consented to. Each credential is masked in the log
// before it is returned. The caller owns the store; `consent` must outlive it; any thread.
// Without `consent`, no program is run.
std::unique_ptr<ports::SecretStore> makeSecretStore(ports::CommandConsent *consent = nullptr);

} // namespace gpuledger::connectors
