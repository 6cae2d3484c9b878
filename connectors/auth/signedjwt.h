// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/crypto/secret.h"
#include "app/base/result.h"

#include <string>

namespace gpuledger::auth {

// A JSON Web Token (RFC 7515, RS256) of these claims, a JSON object, signed with the private RSA key of a PEM text, as
// PKCS #1 or #8 and not encrypted. `keyId` may be empty. Any thread. Fails with InvalidConfig (the key can't be read;
// the text names no place) or Internal.
[[nodiscard]] base::Result<std::string> signedJwt(const std::string &claims, const std::string &keyId,
                                                  const base::Secret &privateKey);

} // namespace gpuledger::auth
