// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/crypto/secret.h"
#include "app/base/remedy.h"
#include "app/base/time/clock.h"
#include "connectors/http/httpclient.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <memory>
#include <string>

// What the questions for a token have in common. Any thread.
namespace gpuledger::gcp {

// How token services are asked.
struct TokenWire {
    std::shared_ptr<http::HttpClient> client;
    http::Timeouts timeouts;
    std::string caFile; // PEM; empty: the system's authorities
    const base::Clock *realClock = nullptr; // dates assertions; must outlive it
    std::string metadataHost; // as GCE_METADATA_HOST names it; empty: the usual one
};

// A token that was given out just now.
struct FreshToken {
    base::Secret token;
    std::int64_t seconds = 0; // how long it is valid
};

inline constexpr std::int64_t kLongestToken = 86400; // seconds
inline constexpr std::size_t kMostTokenAnswer = 1u << 20; // bytes

// Whether a file may name this address to have a credential sent there: a host of Google, or the server of `api`.
bool mayGiveTokens(const std::string &address, const std::string &api);

// A POST that is not redirected, because its body is a credential.
http::Request tokenRequest(const TokenWire &wire, std::string url);

// The token of an answer of OAuth 2.0 (RFC 6749, 5.1 and 5.2), masked in the log from then on. If there is none: why,
// in the words of the service; a refusal is Unauthorized with this remedy, or with that of a wrong clock. Also fails
// with Parse and the errors of http::statusError.
[[nodiscard]] base::Result<FreshToken> tokenIn(const http::Response &response, const std::string &url,
                                               base::Remedy remedy, const TokenWire &wire);
// What such an answer says about its error. Printable, short, and without credentials that are known.
std::string tokenRefusal(const nlohmann::json &body);
// Visible ASCII: what a header may carry.
bool isVisible(std::string_view text);

// If the error is Unauthorized and this computer's clock is wrong by the answer's headers, names the difference.
void nameClock(base::Error &error, const http::Parameters &headers, const base::Clock &realClock);

} // namespace gpuledger::gcp
