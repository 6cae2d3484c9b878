// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/nebius/serviceaccount.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/auth/signedjwt.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <string_view>

namespace gpuledger::nebius {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::int64_t kAssertionSeconds = 300; // it only serves one exchange
constexpr const char *kAudience = "token-service.iam.new.nebiuscloud.net"; // as in nebius/gosdk, auth/exchangable.go

bool isVisible(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

auto wrongCredential(const std::string &what)
{
    return base::fail(ErrorCode::InvalidConfig, "what auth.token refers to " + what, base::Remedy::UseNebiusCredential);
}

// {"subject-credentials":{"type":"JWT","alg":"RS256","private-key":PEM,"kid":"publickey-…","iss":"serviceaccount-…",
// "sub":"serviceaccount-…"}} (nebius/gosdk, auth/service_account.go)
Result<Credential> accountIn(const Json &subject)
{
    const std::string type = format::textOf(subject, "type"), algorithm = format::textOf(subject, "alg");
    if ((!type.empty() && type != "JWT") || algorithm != "RS256")
        return base::fail(ErrorCode::Unsupported,
                          "a credentials file with the algorithm \"" + base::printable(algorithm, 64)
                              + "\" can't be used here",
                          base::Remedy::CreateNebiusKey);
    Credential out;
    out.account = format::textOf(subject, "sub");
    out.keyId = format::textOf(subject, "kid");
    std::string key = format::textOf(subject, "private-key");
    if (!isVisible(out.account) || format::textOf(subject, "iss") != out.account)
        return wrongCredential("is a file that names no service account");
    if (!isVisible(out.keyId) || key.empty())
        return wrongCredential("is a file without kid or private-key");
    base::log::redactValue(key);
    out.secret = base::Secret(std::move(key));
    return out;
}

} // namespace

Result<Credential> readCredential(const base::Secret &text)
{
    const std::string_view all = text.reveal();
    const std::size_t first = all.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || all[first] != '{') {
        if (!isVisible(all))
            return wrongCredential("is neither a credentials file nor a token");
        Credential token;
        token.secret = text.clone();
        return token;
    }
    const auto file = format::parseJson(all);
    if (!file || !file->is_object())
        return wrongCredential("is a file that can't be read as JSON");
    const Json &subject = format::memberOf(*file, "subject-credentials");
    if (!subject.is_object())
        return wrongCredential("is a file without subject-credentials");
    return accountIn(subject);
}

Result<std::string> assertionOf(const Credential &credential, base::UtcTime now)
{
    const std::int64_t begin = base::toUnix(now);
    const Json claims{{"iss", credential.account},
                      {"sub", credential.account},
                      {"aud", Json::array({kAudience})},
                      {"iat", begin},
                      {"exp", begin + kAssertionSeconds}};
    auto text = auth::signedJwt(claims.dump(), credential.keyId, credential.secret);
    if (!text && text.error().code == ErrorCode::InvalidConfig)
        return base::fail(ErrorCode::InvalidConfig, text.error().text, base::Remedy::CreateNebiusKey);
    return text;
}

} // namespace gpuledger::nebius
