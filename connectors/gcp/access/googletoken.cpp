// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/access/googletoken.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/http/serverclock.h"

#include <algorithm>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;
using Token = std::shared_ptr<const http::Credentials>;

namespace {

constexpr std::size_t kShownAnswer = 300; // bytes
constexpr std::int64_t kLongestToken = 86400; // seconds
constexpr std::int64_t kTokenEndsEarly = 300; // seconds before its end that a token is no longer used

// {"error":"invalid_grant","error_description":"Invalid JWT Signature."}
base::Error tokenErrorOf(const http::Response &response, const GoogleKey &key)
{
    base::Error error =
        http::statusError(response, key.tokenUri)
            .value_or(base::Error::make(ErrorCode::Parse, http::shownUrl(key.tokenUri) + " sent no token"));
    const auto body = format::parseJson(response.body);
    const std::string kind = body ? format::textOf(*body, "error") : std::string();
    for (const std::string &words : {kind, body ? format::textOf(*body, "error_description") : std::string()}) {
        if (!words.empty())
            error.text += ": " + base::printableLine(words, kShownAnswer);
    }
    if (error.retryable || (response.status != 400 && response.status != 401 && response.status != 403))
        return error;
    error.code = ErrorCode::Unauthorized;
    error.hint =
        base::text(key.kind == GoogleKey::Kind::User ? base::Remedy::LogInToGoogle : base::Remedy::CreateGoogleKey);
    return error;
}

Result<http::Request> tokenRequestOf(const GoogleKey &key, const std::string &scope, base::UtcTime now)
{
    http::Request request;
    request.method = "POST";
    request.url = key.tokenUri;
    request.headers.emplace_back("Accept", "application/json");
    request.followsRedirects = false;
    request.keepHeaders = {"date"};
    request.maxBytes = 1u << 20;
    request.contentType = "application/x-www-form-urlencoded";
    if (key.kind == GoogleKey::Kind::User) {
        request.body = http::formEncode({{"grant_type", "refresh_token"},
                                         {"client_id", key.account},
                                         {"client_secret", std::string(key.secret.reveal())},
                                         {"refresh_token", std::string(key.refresh.reveal())}});
        return request;
    }
    auto assertion = signedAssertion(key, scope, now);
    GPULEDGER_TRY(assertion);
    base::log::redactValue(*assertion);
    request.body = http::formEncode(
        {{"grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"}, {"assertion", std::move(*assertion)}});
    return request;
}

Token tokenOf(base::Secret secret)
{
    auto out = std::make_shared<http::Credentials>();
    out->bearer = std::move(secret);
    return out;
}

// Numbers in such answers are whole.
std::int64_t lifetimeOf(const nlohmann::json &body)
{
    const nlohmann::json &seconds = format::memberOf(body, "expires_in");
    const std::int64_t lasts = seconds.is_number_integer() ? seconds.get<std::int64_t>() : 0;
    return std::clamp<std::int64_t>(lasts, 0, kLongestToken);
}

} // namespace

void nameClock(base::Error &error, const http::Parameters &headers, const base::Clock &realClock)
{
    if (error.code != ErrorCode::Unauthorized)
        return;
    const std::string remark = http::clockRemark(headers, realClock.now());
    if (remark.empty())
        return;
    error.text += remark;
    error.hint = base::text(base::Remedy::CorrectClock);
}

GoogleToken::GoogleToken(const model::SourceSettings &settings, std::string api, std::string scope,
                         ports::SecretStore &secrets, std::shared_ptr<http::HttpClient> client,
                         std::shared_ptr<http::Pause> pause, http::Timeouts timeouts, const base::Clock &realClock)
    : m_settings(settings)
    , m_api(std::move(api))
    , m_scope(std::move(scope))
    , m_secrets(secrets)
    , m_client(std::move(client))
    , m_pause(std::move(pause))
    , m_timeouts(timeouts)
    , m_realClock(realClock)
{
}

// Several threads may each ask for one: any of them lets in.
Result<Token> GoogleToken::get(const std::stop_token &stop)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_kept.token && (!m_kept.ends || m_pause->steadyNow() < *m_kept.ends))
            return m_kept.token;
    }
    auto fresh = ask(stop);
    GPULEDGER_TRY(fresh);
    const std::lock_guard lock(m_mutex);
    m_kept = std::move(*fresh);
    return m_kept.token;
}

void GoogleToken::drop()
{
    const std::lock_guard lock(m_mutex);
    m_kept.token.reset();
}

std::string GoogleToken::quotaProject() const
{
    const std::lock_guard lock(m_mutex);
    return m_kept.quotaProject;
}

Result<GoogleToken::Kept> GoogleToken::ask(const std::stop_token &stop)
{
    const auto text = m_secrets.read(m_settings.auth.token);
    GPULEDGER_TRY(text);
    base::log::redactValue(text->reveal());
    auto key = readGoogleKey(*text, m_api);
    GPULEDGER_TRY(key);
    if (key->kind == GoogleKey::Kind::Token)
        return Kept{tokenOf(std::move(key->secret)), {}, key->quotaProject};
    auto request = tokenRequestOf(*key, m_scope, m_realClock.now());
    GPULEDGER_TRY(request);
    request->timeouts = m_timeouts;
    request->caFile = m_settings.caFile;
    const http::Milliseconds begin = m_pause->steadyNow();
    const auto response = m_client->perform(std::move(*request), stop);
    GPULEDGER_TRY(response);
    const auto body = format::parseJson(response->body);
    std::string token = body && response->status == 200 ? format::textOf(*body, "access_token") : std::string();
    const bool isPlain = std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < 0x7f; });
    if (token.empty() || !isPlain) {
        base::Error error = tokenErrorOf(*response, *key);
        nameClock(error, response->headers, m_realClock);
        return base::fail(std::move(error));
    }
    const std::int64_t lasts = lifetimeOf(*body);
    base::log::redactValue(token);
    return Kept{tokenOf(base::Secret(std::move(token))),
                begin + std::chrono::seconds(std::max(lasts - kTokenEndsEarly, lasts / 2)), key->quotaProject};
}

} // namespace gpuledger::gcp
