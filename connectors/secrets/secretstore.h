// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/secretstore.h"

#include <memory>

namespace gpuledger::connectors {

// Reads credentials from the environment, from files that only the user can read, and from the desktop's keychain
// (attributes service=gpuledger, name=NAME). Each one is made unprintable in the log before it is handed out. The
// caller owns the store; any thread.
// A command is never run: nobody can agree to one yet, so it fails with Forbidden.
std::unique_ptr<ports::SecretStore> makeSecretStore();

} // namespace gpuledger::connectors
