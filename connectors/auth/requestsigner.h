// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/text/redactor.h"
#include "connectors/http/httpclient.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace gpuledger::auth {

// Signs requests with keys that are found when they are needed and that may expire. Any thread; calls may run
// concurrently.
class RequestSigner {
public:
    using UsedKeys = std::shared_ptr<const void>; // those of one signature

    virtual ~RequestSigner() = default;
    // Makes a request without credentials ready to be sent once, now. Adds to `secrets` what must not be shown of the
    // keys. Fails if there are no keys, with the errors of whoever finds them, or with InvalidConfig (an invalid
    // address).
    [[nodiscard]] virtual base::Result<UsedKeys> sign(http::Request &request, base::Redactor &secrets,
                                                      const std::stop_token &stop) = 0;
    // Call when the receiver rejected a signature: looks for keys again, and returns whether there are others now.
    [[nodiscard]] virtual bool renew(const UsedKeys &rejected, const std::stop_token &stop) = 0;
};

// What a signer is for.
struct SigningScope {
    std::string profile, region; // as configured; an empty profile: as the AWS tools choose it
    std::string service; // "aps"
    std::string caFile; // PEM, for the requests that find keys; empty: the system's authorities
    auto operator<=>(const SigningScope &) const = default;
};

// Makes a signer, or returns the one that it made for this scope before, with its keys. Fails with InvalidConfig (not a
// region). Any thread.
using SignerSource = std::function<base::Result<std::shared_ptr<RequestSigner>>(const SigningScope &scope)>;

} // namespace gpuledger::auth
