// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/crypto/secret.h"
#include "app/base/result.h"

#include <string>

namespace gpuledger::connectors {

// Reads from the desktop keychain (Secret Service); blocks while the user unlocks it, at most kKeychainWait. Fails with
// NotFound (no such entry), Unsupported (no keychain here) or Timeout.
[[nodiscard]] base::Result<base::Secret> readKeychain(const std::string &name);

} // namespace gpuledger::connectors
