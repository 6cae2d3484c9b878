// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/crypto/secret.h"
#include "app/base/result.h"
#include "app/base/time/time.h"

#include <string>

namespace gpuledger::nebius {

// What auth.token refers to. Move-only.
struct Credential {
    std::string account, keyId; // of a service account and its authorized key; both empty: it is a token
    base::Secret secret; // the token, or the private key (PEM)

    bool isToken() const { return account.empty(); }
};

// Reads the text of a credentials file, as `nebius iam auth-public-key generate` writes it, or a bare token. Fails with
// InvalidConfig, or Unsupported (another algorithm). What is secret is masked in the log from then on.
[[nodiscard]] base::Result<Credential> readCredential(const base::Secret &text);

// A JSON Web Token that is exchanged for a token of the service account, valid for some minutes from `now`. Fails with
// InvalidConfig (the private key can't be read) or Internal.
[[nodiscard]] base::Result<std::string> assertionOf(const Credential &credential, base::UtcTime now);

} // namespace gpuledger::nebius
