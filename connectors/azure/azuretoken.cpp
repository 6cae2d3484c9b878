// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/azuretoken.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/auth/credentials.h"
#include "connectors/format/json.h"
#include "connectors/format/numbertext.h"
#include "connectors/http/serverclock.h"

#include <algorithm>
#include <array>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;
using LoginKind = model::AuthSettings::Kind;
using Token = std::shared_ptr<const http::Credentials>;

namespace {

constexpr std::size_t kShownLogin = 300; // bytes
constexpr std::int64_t kLongestToken = 86400; // seconds
constexpr std::int64_t kEarly = 300; // seconds before its end that a token is no longer used

struct LoginFault {
    std::string_view number;
    const char *what;
    base::Remedy remedy;
};
// learn.microsoft.com, Microsoft Entra authentication and authorization error codes.
constexpr std::array<LoginFault, 6> kLoginFaults{
    {{"7000215", "the secret is wrong", base::Remedy::StoreAzureSecretValue},
     {"7000222", "the secret has expired", base::Remedy::CreateAzureSecret},
     {"700016", "the tenant has no such application", base::Remedy::CheckAzureApplication},
     {"90002", "there is no such tenant", base::Remedy::CheckAzureTenant},
     {"700024", "the login is not valid at this time", base::Remedy::CorrectClock},
     {"7000112", "the application is disabled", base::Remedy::EnableAzureApplication}}};

} // namespace

base::Error loginErrorOf(int status, const std::string &text, const std::string &url)
{
    http::Response response;
    response.status = status;
    base::Error error = http::statusError(response, url)
                            .value_or(base::Error::make(ErrorCode::Parse, http::shownUrl(url) + " sent no token"));
    const auto body = format::parseWithNumbersAsText(text);
    const std::string words = body ? format::textOf(*body, "error_description") : std::string();
    if (!words.empty())
        error.text += ": " + base::printableLine(words.substr(0, words.find('\n')), kShownLogin);
    if (error.retryable)
        return error;
    for (const LoginFault &fault : kLoginFaults) {
        bool isThis = words.find("AADSTS" + std::string(fault.number) + ':') != std::string::npos;
        if (body && body->is_object() && body->contains("error_codes") && body->at("error_codes").is_array()) {
            for (const auto &one : body->at("error_codes"))
                isThis = isThis || (one.is_string() && one.get<std::string>() == fault.number);
        }
        if (isThis)
            return base::Error::make(ErrorCode::Unauthorized, std::string(fault.what) + " (" + error.text + ')',
                                     fault.remedy);
    }
    if (status == 400 || status == 401)
        error.code = ErrorCode::Unauthorized;
    if (error.code == ErrorCode::Unauthorized)
        error.hint = base::text(base::Remedy::CheckAuth);
    return error;
}

void nameClock(base::Error &error, const http::Parameters &headers, const base::Clock *realClock)
{
    if (error.code != ErrorCode::Unauthorized || !realClock)
        return;
    const std::string remark = http::clockRemark(headers, realClock->now());
    if (remark.empty())
        return;
    error.text += remark;
    error.hint = base::text(base::Remedy::CorrectClock);
}

AzureToken::AzureToken(const model::SourceSettings &settings, Login login, ports::SecretStore &secrets,
                       std::shared_ptr<http::HttpClient> client, std::shared_ptr<http::Pause> pause,
                       http::Timeouts timeouts, const base::Clock *realClock)
    : m_settings(settings)
    , m_login(std::move(login))
    , m_secrets(secrets)
    , m_client(std::move(client))
    , m_pause(std::move(pause))
    , m_timeouts(timeouts)
    , m_realClock(realClock)
{
}

Token AzureToken::kept()
{
    const std::lock_guard lock(m_mutex);
    const bool isOver = m_kept.ends && m_pause->steadyNow() >= *m_kept.ends;
    return isOver ? nullptr : m_kept.token;
}

void AzureToken::drop()
{
    const std::lock_guard lock(m_mutex);
    m_kept = {};
}

// Several threads may each ask for one: any of them lets in.
Result<void> AzureToken::admit(http::Request &request, const std::stop_token &stop)
{
    request.credentials = kept();
    if (request.credentials)
        return {};
    auto fresh = ask(stop);
    GPULEDGER_TRY(fresh);
    request.credentials = fresh->token;
    const std::lock_guard lock(m_mutex);
    m_kept = std::move(*fresh);
    return {};
}

http::Request AzureToken::requestOf(const http::Credentials &client) const
{
    http::Request request;
    request.headers.emplace_back("Accept", "application/json");
    request.followsRedirects = false;
    request.keepHeaders = {"date"};
    request.timeouts = m_timeouts;
    request.maxBytes = 1u << 20;
    if (m_settings.auth.kind == LoginKind::None) {
        request.url = m_login.address + "/metadata/identity/oauth2/token?"
            + http::formEncode({{"api-version", "2018-02-01"}, {"resource", m_login.audience + '/'}});
        request.headers.emplace_back("Metadata", "true");
        request.toMachine = true;
        request.timeouts.connect = std::chrono::milliseconds{1'000};
        return request;
    }
    request.method = "POST";
    request.url = m_login.address + '/' + m_login.tenant + "/oauth2/v2.0/token";
    request.caFile = m_settings.caFile;
    request.contentType = "application/x-www-form-urlencoded";
    request.body = http::formEncode({{"grant_type", "client_credentials"},
                                     {"client_id", client.user},
                                     {"client_secret", std::string(client.password.reveal())},
                                     {"scope", m_login.audience + "/.default"}});
    return request;
}

Result<AzureToken::Kept> AzureToken::ask(const std::stop_token &stop)
{
    const auto client = auth::resolve(m_settings.auth, m_secrets);
    GPULEDGER_TRY(client);
    if (m_settings.auth.kind == LoginKind::Bearer)
        return Kept{*client, {}};
    const bool isMachine = m_settings.auth.kind == LoginKind::None;
    const http::Milliseconds begin = m_pause->steadyNow();
    auto response = m_client->perform(requestOf(**client), stop);
    if (!response && isMachine && response.error().code != ErrorCode::Cancelled)
        return base::fail(ErrorCode::NotFound, "this machine has no managed identity: " + response.error().text,
                          base::Remedy::CheckAuth);
    GPULEDGER_TRY(response);
    const auto body = format::parseWithNumbersAsText(response->body);
    std::string token = body && response->status == 200 ? format::textOf(*body, "access_token") : std::string();
    const bool isPlain = std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < 0x7f; });
    if (token.empty() || !isPlain) {
        base::Error error = loginErrorOf(response->status, response->body, m_login.address);
        nameClock(error, response->headers, m_realClock);
        return base::fail(std::move(error));
    }
    const std::int64_t lasts =
        std::clamp<std::int64_t>(base::parseInt(format::textOf(*body, "expires_in")).value_or(0), 0, kLongestToken);
    base::log::redactValue(token);
    auto out = std::make_shared<http::Credentials>();
    out->bearer = base::Secret(std::move(token));
    return Kept{std::move(out), begin + std::chrono::seconds(std::max(lasts - kEarly, lasts / 2))};
}

} // namespace gpuledger::azure
