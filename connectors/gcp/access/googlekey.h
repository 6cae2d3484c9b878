// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/crypto/secret.h"
#include "app/base/result.h"
#include "app/base/time/time.h"

#include <string>

namespace gpuledger::gcp {

// What auth.token refers to. Move-only.
struct GoogleKey {
    enum class Kind {
        Token, // an access token as it is
        ServiceAccount, // the key file of a service account
        User, // the file of `gcloud auth application-default login`
    };
    Kind kind = Kind::Token;
    std::string tokenUri; // where tokens are given out
    std::string account; // ServiceAccount: its address; User: the client's id
    std::string keyId; // ServiceAccount; may be empty
    std::string quotaProject; // User: whose quota the requests use; may be empty
    base::Secret secret; // the token, the private key (PEM), or the client's secret
    base::Secret refresh; // User: the refresh token
};

// Reads the text of such a file, or a bare token. `api`: the address of the service. The file may send its credential
// to Google or to the server of `api` only. Fails with InvalidConfig, or Unsupported (another type of file). Parts that
// are secret are masked in the log from then on.
[[nodiscard]] base::Result<GoogleKey> readGoogleKey(const base::Secret &text, const std::string &api);

// A JSON Web Token (RFC 7515, RS256) that asks for a token of the service account with this scope, valid for an hour
// from `now`. Fails with InvalidConfig (the private key can't be read) or Internal.
[[nodiscard]] base::Result<std::string> signedAssertion(const GoogleKey &key, const std::string &scope,
                                                        base::UtcTime now);

} // namespace gpuledger::gcp
