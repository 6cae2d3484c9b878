// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/gcp/access/tokenwire.h"

#include <nlohmann/json_fwd.hpp>

#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::gcp {

// A service account whose token is given out for another one. Value type.
struct Impersonation {
    std::string url; // ends in :generateAccessToken
    std::vector<std::string> delegates; // service accounts on the way, if any
    std::int64_t seconds = 3600; // how long its token shall be valid
};

// What such a token is asked for with may do; the one that is asked for has its own scope.
inline constexpr char kCloudScope[] = "https://www.googleapis.com/auth/cloud-platform";

// As a credential file describes it (AIP-4117). `api`: see readGoogleKey. Fails with InvalidConfig.
[[nodiscard]] base::Result<Impersonation> impersonationIn(const nlohmann::json &file, const std::string &api);

// Asks the IAM Service Account Credentials API with `own`. Any thread. Fails with Unauthorized (it may not, or the
// account does not exist), Parse, Server, RateLimited and the errors of HttpClient::perform.
[[nodiscard]] base::Result<FreshToken> impersonated(const Impersonation &as, base::Secret own, const std::string &scope,
                                                    const TokenWire &wire, const std::stop_token &stop);

} // namespace gpuledger::gcp
