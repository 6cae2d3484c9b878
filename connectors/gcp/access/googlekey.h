// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/crypto/secret.h"
#include "app/base/result.h"
#include "connectors/gcp/access/externalaccount.h"
#include "connectors/gcp/access/impersonation.h"

#include <optional>
#include <string>

namespace gpuledger::gcp {

// What auth.token refers to. Move-only.
struct GoogleKey {
    enum class Kind {
        Token, // an access token as it is
        ServiceAccount, // the key file of a service account
        User, // the file of `gcloud auth application-default login`
        External, // an identity of another provider
    };
    Kind kind = Kind::Token;
    std::string tokenUri; // ServiceAccount, User: where tokens are given out
    std::string account; // ServiceAccount: its address; User: the client's id
    std::string keyId; // ServiceAccount; may be empty
    std::string quotaProject; // all but ServiceAccount: whose quota the requests use; may be empty
    base::Secret secret; // the token, the private key (PEM), or the client's secret
    base::Secret refresh; // User: the refresh token
    ExternalAccount external; // External
    std::optional<Impersonation> impersonation; // the service account that requests are sent as, if it is another one
};

// Reads the text of such a file, or a bare token. `api`: the address of the service. The file may send its credential
// to Google or to the server of `api` only. Fails with InvalidConfig, or Unsupported (another type of file, or of
// subject tokens). Parts that are secret are masked in the log from then on.
[[nodiscard]] base::Result<GoogleKey> readGoogleKey(const base::Secret &text, const std::string &api);

} // namespace gpuledger::gcp
