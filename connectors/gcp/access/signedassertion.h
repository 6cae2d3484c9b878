// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "connectors/gcp/access/googlekey.h"

#include <string>

namespace gpuledger::gcp {

// A JSON Web Token (RFC 7515, RS256) that asks for a token of the service account with this scope, valid for an hour
// from `now`. Fails with InvalidConfig (the private key can't be read) or Internal.
[[nodiscard]] base::Result<std::string> signedAssertion(const GoogleKey &key, const std::string &scope,
                                                        base::UtcTime now);

} // namespace gpuledger::gcp
