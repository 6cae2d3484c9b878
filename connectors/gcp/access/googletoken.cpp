// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/access/googletoken.h"

#include "app/base/text/log.h"
#include "connectors/gcp/access/metadataserver.h"
#include "connectors/gcp/access/signedassertion.h"
#include "connectors/http/url.h"

#include <algorithm>

namespace gpuledger::gcp {

using base::Result;
using Token = std::shared_ptr<const http::Credentials>;

namespace {

constexpr std::int64_t kTokenEndsEarly = 300; // seconds before its end that a token is no longer used

Token credentialsOf(base::Secret secret)
{
    auto out = std::make_shared<http::Credentials>();
    out->bearer = std::move(secret);
    return out;
}

// Of a service account or a user.
Result<http::Request> loginRequest(const GoogleKey &key, const std::string &scope, const TokenWire &wire)
{
    http::Request request = tokenRequest(wire, key.tokenUri);
    if (key.kind == GoogleKey::Kind::User) {
        request.body = http::formEncode({{"grant_type", "refresh_token"},
                                         {"client_id", key.account},
                                         {"client_secret", std::string(key.secret.reveal())},
                                         {"refresh_token", std::string(key.refresh.reveal())}});
        return request;
    }
    auto assertion = signedAssertion(key, scope, wire.realClock->now());
    GPULEDGER_TRY(assertion);
    base::log::redactValue(*assertion);
    request.body = http::formEncode(
        {{"grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"}, {"assertion", std::move(*assertion)}});
    return request;
}

Result<FreshToken> loggedIn(const GoogleKey &key, const std::string &scope, const TokenWire &wire,
                            const std::stop_token &stop)
{
    auto request = loginRequest(key, scope, wire);
    GPULEDGER_TRY(request);
    const auto response = wire.client->perform(std::move(*request), stop);
    GPULEDGER_TRY(response);
    const bool isUser = key.kind == GoogleKey::Kind::User;
    return tokenIn(*response, key.tokenUri, isUser ? base::Remedy::LogInToGoogle : base::Remedy::CreateGoogleKey, wire);
}

} // namespace

GoogleToken::GoogleToken(const model::SourceSettings &settings, std::string api, std::string scope,
                         ports::SecretStore &secrets, std::shared_ptr<http::Pause> pause, TokenWire wire)
    : m_settings(settings)
    , m_api(std::move(api))
    , m_scope(std::move(scope))
    , m_secrets(secrets)
    , m_pause(std::move(pause))
    , m_wire(std::move(wire))
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

// With the token of the login alone, an impersonated account's is asked for.
Result<FreshToken> GoogleToken::tokenWith(const GoogleKey &key, const std::stop_token &stop) const
{
    const std::string scope = key.impersonation ? std::string(kCloudScope) : m_scope;
    auto own = key.kind == GoogleKey::Kind::External ? exchanged(key.external, scope, m_wire, stop)
                                                     : loggedIn(key, scope, m_wire, stop);
    if (!own || !key.impersonation)
        return own;
    return impersonated(*key.impersonation, std::move(own->token), m_scope, m_wire, stop);
}

Result<GoogleToken::Kept> GoogleToken::ask(const std::stop_token &stop)
{
    const http::Milliseconds begin = m_pause->steadyNow();
    const auto keptOf = [&](FreshToken fresh, const std::string &quotaProject) {
        const std::chrono::seconds used(std::max(fresh.seconds - kTokenEndsEarly, fresh.seconds / 2));
        return Kept{credentialsOf(std::move(fresh.token)), begin + used, quotaProject};
    };
    if (m_settings.auth.kind == model::AuthSettings::Kind::None) {
        auto fresh = machineToken(m_wire, stop);
        GPULEDGER_TRY(fresh);
        return keptOf(std::move(*fresh), {});
    }
    const auto text = m_secrets.read(m_settings.auth.token);
    GPULEDGER_TRY(text);
    base::log::redactValue(text->reveal());
    auto key = readGoogleKey(*text, m_api);
    GPULEDGER_TRY(key);
    if (key->kind == GoogleKey::Kind::Token)
        return Kept{credentialsOf(std::move(key->secret)), {}, key->quotaProject};
    auto fresh = tokenWith(*key, stop);
    GPULEDGER_TRY(fresh);
    return keptOf(std::move(*fresh), key->quotaProject);
}

} // namespace gpuledger::gcp
