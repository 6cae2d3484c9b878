// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/gcp/access/subjecttoken.h"
#include "connectors/gcp/access/tokenwire.h"

#include <nlohmann/json_fwd.hpp>

#include <stop_token>
#include <string>

namespace gpuledger::gcp {

// An identity of another provider that a pool of workload or workforce identities lets in, as its credential file
// (AIP-4117) describes it. Move-only.
struct ExternalAccount {
    std::string tokenUrl; // of the Security Token Service
    std::string audience, subjectTokenType;
    std::string userProject; // only of workforce pools
    std::string client; // only if the pool is behind an OAuth client
    base::Secret clientSecret;
    SubjectTokenSource source;
};

// `api`: see readGoogleKey. Fails with InvalidConfig (a part is missing, or a credential would go elsewhere) or
// Unsupported (subject tokens of AWS, of a program or of a certificate).
[[nodiscard]] base::Result<ExternalAccount> externalAccountIn(const nlohmann::json &file, const std::string &api);

// Exchanges the subject token, which is read for it, for a token with this scope (RFC 8693). Any thread. Fails with the
// errors of readSubjectToken and tokenIn.
[[nodiscard]] base::Result<FreshToken> exchanged(const ExternalAccount &account, const std::string &scope,
                                                 const TokenWire &wire, const std::stop_token &stop);

} // namespace gpuledger::gcp
