// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/nebius/nebiustoken.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "connectors/http/serverclock.h"
#include "connectors/nebius/grpcanswer.h"
#include "connectors/nebius/serviceaccount.h"

#include <nebius.pb.h>

#include <algorithm>
#include <string_view>

namespace gpuledger::nebius {

using base::ErrorCode;
using base::Result;

namespace {

constexpr const char *kExchangeMethod = "/nebius.iam.v1.TokenExchangeService/Exchange";
// RFC 8693
constexpr const char *kGrantType = "urn:ietf:params:oauth:grant-type:token-exchange";
constexpr const char *kAccessToken = "urn:ietf:params:oauth:token-type:access_token";
constexpr const char *kJwt = "urn:ietf:params:oauth:token-type:jwt";
constexpr std::int64_t kLongestToken = 86400; // seconds
constexpr std::int64_t kTokenEndsEarly = 300; // seconds before its end that a token is no longer used
constexpr std::size_t kMostTokenAnswer = 1u << 20; // bytes

std::shared_ptr<const http::Credentials> tokenOf(base::Secret secret)
{
    auto out = std::make_shared<http::Credentials>();
    out->bearer = std::move(secret);
    return out;
}

bool isBearer(std::string type)
{
    std::transform(type.begin(), type.end(), type.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
    return type.empty() || type == "bearer";
}

std::string exchangeOf(const std::string &assertion)
{
    wire::ExchangeToken request;
    request.set_grant_type(kGrantType);
    request.set_requested_token_type(kAccessToken);
    request.set_subject_token(assertion);
    request.set_subject_token_type(kJwt);
    return request.SerializeAsString();
}

} // namespace

void nameClock(base::Error &error, const http::Parameters &headers, const base::Clock &realClock)
{
    if (error.code == ErrorCode::Unauthorized)
        error.text += http::clockRemark(headers, realClock.now());
}

NebiusToken::NebiusToken(const model::SourceSettings &settings, std::string exchange, ports::SecretStore &secrets,
                         std::shared_ptr<http::HttpClient> client, std::shared_ptr<http::Pause> pause,
                         http::Timeouts timeouts, const base::Clock &realClock)
    : m_settings(settings)
    , m_exchange(std::move(exchange))
    , m_secrets(secrets)
    , m_client(std::move(client))
    , m_pause(std::move(pause))
    , m_timeouts(timeouts)
    , m_realClock(realClock)
{
}

// Several threads may each ask for one: any of them lets in.
Result<std::shared_ptr<const http::Credentials>> NebiusToken::get(const std::stop_token &stop)
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

void NebiusToken::drop(const std::shared_ptr<const http::Credentials> &rejected)
{
    const std::lock_guard lock(m_mutex);
    if (m_kept.token == rejected)
        m_kept.token.reset();
}

Result<NebiusToken::Kept> NebiusToken::ask(const std::stop_token &stop)
{
    const auto text = m_secrets.read(m_settings.auth.token);
    GPULEDGER_TRY(text);
    base::log::redactValue(text->reveal());
    auto credential = readCredential(*text);
    GPULEDGER_TRY(credential);
    if (credential->isToken())
        return Kept{tokenOf(std::move(credential->secret)), {}};
    const auto assertion = assertionOf(*credential, m_realClock.now());
    GPULEDGER_TRY(assertion);
    base::log::redactValue(*assertion);
    return exchanged(*assertion, stop);
}

Result<NebiusToken::Kept> NebiusToken::exchanged(const std::string &assertion, const std::stop_token &stop)
{
    http::Request request;
    request.url = m_exchange + kExchangeMethod;
    request.headers.assign(m_settings.headers.begin(), m_settings.headers.end());
    request.caFile = m_settings.caFile;
    request.timeouts = m_timeouts;
    request.maxBytes = kMostTokenAnswer;
    makeCall(request, exchangeOf(assertion));
    const http::Milliseconds begin = m_pause->steadyNow();
    const auto response = m_client->perform(std::move(request), stop);
    GPULEDGER_TRY(response);
    if (auto error = refusalOf(*response, m_exchange)) {
        // The service that gives tokens has no other reason to refuse an assertion.
        if (statusOf(*response) == GrpcCode::InvalidArgument || error->code == ErrorCode::Forbidden)
            error->code = ErrorCode::Unauthorized;
        if (error->code == ErrorCode::Unauthorized)
            error->hint = base::text(base::Remedy::RenewNebiusCredential);
        nameClock(*error, response->headers, m_realClock);
        return base::fail(std::move(*error));
    }
    const auto message = messageIn(response->body);
    GPULEDGER_TRY(message);
    wire::Token token;
    if (!token.ParseFromString(*message) || token.access_token().empty() || !isBearer(token.token_type())
        || !std::all_of(token.access_token().begin(), token.access_token().end(),
                        [](char c) { return c > ' ' && c < 0x7f; }))
        return base::fail(ErrorCode::Parse, http::shownUrl(m_exchange) + " sent no token",
                          base::Remedy::NextSyncTriesAgain);
    const std::int64_t lasts = std::clamp<std::int64_t>(token.expires_in(), 0, kLongestToken);
    base::log::redactValue(token.access_token());
    return Kept{tokenOf(base::Secret(std::move(*token.mutable_access_token()))),
                begin + std::chrono::seconds(std::max(lasts - kTokenEndsEarly, lasts / 2))};
}

} // namespace gpuledger::nebius
