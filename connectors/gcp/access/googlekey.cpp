// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/access/googlekey.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/http/url.h"

#include <string_view>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr const char *kGoogleTokens = "https://oauth2.googleapis.com/token";

auto wrongKey(const std::string &what)
{
    return base::fail(ErrorCode::InvalidConfig, "what auth.token refers to " + what, base::Remedy::UseGoogleCredential);
}

Result<base::Secret> secretIn(const Json &file, const char *name)
{
    std::string text = format::textOf(file, name);
    if (text.empty())
        return wrongKey("is a file without " + std::string(name));
    base::log::redactValue(text);
    return base::Secret(std::move(text));
}

// A service account's key or a user's login.
Result<GoogleKey> loginIn(const Json &file, bool isUser, const std::string &api)
{
    GoogleKey key;
    key.kind = isUser ? GoogleKey::Kind::User : GoogleKey::Kind::ServiceAccount;
    key.tokenUri = format::textOf(file, "token_uri");
    if (key.tokenUri.empty())
        key.tokenUri = kGoogleTokens;
    if (!mayGiveTokens(key.tokenUri, api))
        return base::fail(ErrorCode::InvalidConfig,
                          "the key file would send its credential to " + http::shownUrl(key.tokenUri)
                              + ", which is not Google",
                          base::Remedy::CreateGoogleKey);
    key.account = format::textOf(file, isUser ? "client_id" : "client_email");
    if (!isVisible(key.account))
        return wrongKey("is a file that names no account");
    key.keyId = format::textOf(file, "private_key_id");
    auto secret = secretIn(file, isUser ? "client_secret" : "private_key");
    GPULEDGER_TRY(secret);
    key.secret = std::move(*secret);
    if (!isUser)
        return key;
    auto refresh = secretIn(file, "refresh_token");
    GPULEDGER_TRY(refresh);
    key.refresh = std::move(*refresh);
    return key;
}

Result<GoogleKey> externalIn(const Json &file, const std::string &api)
{
    GoogleKey key;
    key.kind = GoogleKey::Kind::External;
    auto account = externalAccountIn(file, api);
    GPULEDGER_TRY(account);
    key.external = std::move(*account);
    if (format::textOf(file, "service_account_impersonation_url").empty())
        return key;
    auto impersonation = impersonationIn(file, api);
    GPULEDGER_TRY(impersonation);
    key.impersonation = std::move(*impersonation);
    return key;
}

Result<GoogleKey> keyIn(const Json &file, const std::string &api);

// A login that another service account's token is asked for with.
Result<GoogleKey> impersonatingIn(const Json &file, const std::string &api)
{
    auto impersonation = impersonationIn(file, api);
    GPULEDGER_TRY(impersonation);
    const Json &source = format::memberOf(file, "source_credentials");
    if (!source.is_object())
        return wrongKey("is a file without source_credentials");
    auto key = keyIn(source, api);
    GPULEDGER_TRY(key);
    if (key->impersonation)
        return base::fail(ErrorCode::Unsupported, "source_credentials of a credential file impersonate another account",
                          base::Remedy::CreateCredentialFile);
    key->impersonation = std::move(*impersonation);
    return key;
}

Result<GoogleKey> keyIn(const Json &file, const std::string &api)
{
    const std::string type = format::textOf(file, "type");
    const bool isUser = type == "authorized_user", isRobot = type == "service_account";
    Result<GoogleKey> key = base::fail(
        ErrorCode::Unsupported, "credentials of the type \"" + base::printable(type, 64) + "\" can't be used here",
        base::Remedy::UseGoogleCredential);
    if (isUser || isRobot)
        key = loginIn(file, isUser, api);
    else if (type == "external_account")
        key = externalIn(file, api);
    else if (type == "impersonated_service_account")
        key = impersonatingIn(file, api);
    GPULEDGER_TRY(key);
    if (const std::string project = format::textOf(file, "quota_project_id"); !isRobot && isVisible(project))
        key->quotaProject = project;
    return key;
}

} // namespace

Result<GoogleKey> readGoogleKey(const base::Secret &text, const std::string &api)
{
    const std::string_view all = text.reveal();
    const std::size_t first = all.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || all[first] != '{') {
        if (!isVisible(all))
            return wrongKey("is neither a key file nor a token");
        GoogleKey key;
        key.secret = text.clone();
        return key;
    }
    const auto file = format::parseJson(all);
    if (!file || !file->is_object())
        return wrongKey("is a file that can't be read as JSON");
    return keyIn(*file, api);
}

} // namespace gpuledger::gcp
