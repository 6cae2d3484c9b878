// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/access/signedassertion.h"

#include "app/base/remedy.h"
#include "connectors/auth/signedjwt.h"

#include <nlohmann/json.hpp>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::int64_t kAssertionSeconds = 3600; // the longest that Google accepts

} // namespace

Result<std::string> signedAssertion(const GoogleKey &key, const std::string &scope, base::UtcTime now)
{
    const std::int64_t begin = base::toUnix(now);
    const Json claims{{"iss", key.account},  {"sub", key.account}, {"scope", scope},
                      {"aud", key.tokenUri}, {"iat", begin},       {"exp", begin + kAssertionSeconds}};
    auto text = auth::signedJwt(claims.dump(), key.keyId, key.secret);
    if (!text && text.error().code == ErrorCode::InvalidConfig)
        return base::fail(ErrorCode::InvalidConfig, text.error().text, base::Remedy::CreateGoogleKey);
    return text;
}

} // namespace gpuledger::gcp
