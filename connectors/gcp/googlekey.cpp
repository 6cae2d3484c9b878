// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/googlekey.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/auth/signedjwt.h"
#include "connectors/format/json.h"
#include "connectors/http/url.h"

#include <algorithm>
#include <string_view>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr const char *kGoogleTokens = "https://oauth2.googleapis.com/token";
constexpr std::int64_t kAssertionSeconds = 3600; // the longest that Google accepts

bool isVisible(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

auto wrongKey(const std::string &what)
{
    return base::fail(ErrorCode::InvalidConfig, "what auth.token refers to " + what, base::Remedy::UseGoogleCredential);
}

// A file that was tampered with must not have the credential sent elsewhere.
bool mayGiveTokens(const std::string &address, const std::string &api)
{
    const auto url = http::parseUrl(address), own = http::parseUrl(api);
    if (!url || address.find_first_of("?#") != std::string::npos)
        return false;
    const bool isGoogle = url->scheme == "https" && url->port == "443"
        && (url->host == "accounts.google.com" || url->host.ends_with(".googleapis.com"));
    return isGoogle || (own && http::sameOrigin(*url, *own));
}

Result<base::Secret> secretIn(const Json &file, const char *name)
{
    std::string text = format::textOf(file, name);
    if (text.empty())
        return wrongKey("is a file without " + std::string(name));
    base::log::redactValue(text);
    return base::Secret(std::move(text));
}

} // namespace

Result<GoogleKey> readGoogleKey(const base::Secret &text, const std::string &api)
{
    GoogleKey key;
    const std::string_view all = text.reveal();
    const std::size_t first = all.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || all[first] != '{') {
        if (!isVisible(all))
            return wrongKey("is neither a key file nor a token");
        key.secret = text.clone();
        return key;
    }
    const auto file = format::parseJson(all);
    if (!file || !file->is_object())
        return wrongKey("is a file that can't be read as JSON");
    const std::string type = format::textOf(*file, "type");
    if (type != "service_account" && type != "authorized_user")
        return base::fail(ErrorCode::Unsupported,
                          "credentials of the type \"" + base::printable(type, 64) + "\" can't be used here",
                          base::Remedy::UseGoogleCredential);
    const bool isUser = type == "authorized_user";
    key.kind = isUser ? GoogleKey::Kind::User : GoogleKey::Kind::ServiceAccount;
    key.tokenUri = format::textOf(*file, "token_uri");
    if (key.tokenUri.empty())
        key.tokenUri = kGoogleTokens;
    if (!mayGiveTokens(key.tokenUri, api))
        return base::fail(ErrorCode::InvalidConfig,
                          "the key file would send its credential to " + http::shownUrl(key.tokenUri)
                              + ", which is not Google",
                          base::Remedy::CreateGoogleKey);
    key.account = format::textOf(*file, isUser ? "client_id" : "client_email");
    if (!isVisible(key.account))
        return wrongKey("is a file that names no account");
    key.keyId = format::textOf(*file, "private_key_id");
    auto secret = secretIn(*file, isUser ? "client_secret" : "private_key");
    GPULEDGER_TRY(secret);
    key.secret = std::move(*secret);
    if (!isUser)
        return key;
    auto refresh = secretIn(*file, "refresh_token");
    GPULEDGER_TRY(refresh);
    key.refresh = std::move(*refresh);
    if (const std::string project = format::textOf(*file, "quota_project_id"); isVisible(project))
        key.quotaProject = project;
    return key;
}

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
