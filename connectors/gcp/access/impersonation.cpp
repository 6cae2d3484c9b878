// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/access/impersonation.h"

#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/http/serverclock.h"
#include "connectors/http/url.h"

#include <algorithm>
#include <optional>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::int64_t kShortestLifetime = 600, kLongestLifetime = 43'200; // seconds, by Google
constexpr std::size_t kShownDenial = 300; // bytes

auto wrongImpersonation(const std::string &what)
{
    return base::fail(ErrorCode::InvalidConfig, "the credential file " + what, base::Remedy::CreateCredentialFile);
}

// The end is a moment of the server's clock, so it is compared with that; ours may be wrong.
std::int64_t secondsUntil(base::UtcTime end, const http::Response &response, base::UtcTime ours)
{
    std::optional<base::UtcTime> now;
    for (const auto &[name, value] : response.headers) {
        if (name == "date")
            now = http::timeOf(value);
    }
    return (end - now.value_or(ours)).count();
}

// {"error":{"code","message","status"}}. None of these says that a right of this source is missing: all of its requests
// fail.
base::Error denialOf(const http::Response &response, const std::string &url, const TokenWire &wire)
{
    base::Error error = http::statusError(response, url)
                            .value_or(base::Error::make(ErrorCode::Parse,
                                                        http::shownUrl(url) + " sent no token whose end can be read"));
    const auto body = format::parseJson(response.body);
    const std::string words =
        body ? base::log::redacted(format::textOf(format::memberOf(*body, "error"), "message")) : std::string();
    if (!words.empty())
        error.text += ": " + base::printableLine(words, kShownDenial);
    if (!error.retryable && response.status >= 400) {
        error.code = ErrorCode::Unauthorized;
        error.hint = base::text(base::Remedy::AllowImpersonation);
    }
    nameClock(error, response.headers, *wire.realClock);
    return error;
}

} // namespace

Result<Impersonation> impersonationIn(const Json &file, const std::string &api)
{
    Impersonation as;
    as.url = format::textOf(file, "service_account_impersonation_url");
    if (as.url.empty())
        return wrongImpersonation("has no service_account_impersonation_url");
    if (!mayGiveTokens(as.url, api))
        return wrongImpersonation("would send a token to " + http::shownUrl(as.url) + ", which is not Google");
    if (!as.url.ends_with(":generateAccessToken"))
        return wrongImpersonation("has a service_account_impersonation_url that gives out no access tokens");
    const Json &delegates = format::memberOf(file, "delegates");
    for (std::size_t i = 0; delegates.is_array() && i < delegates.size(); ++i) {
        if (!delegates[i].is_string())
            return wrongImpersonation("has delegates that can't be read");
        as.delegates.push_back(delegates[i].get<std::string>());
    }
    const Json &seconds =
        format::memberOf(format::memberOf(file, "service_account_impersonation"), "token_lifetime_seconds");
    if (!seconds.is_null())
        as.seconds = seconds.is_number_integer() ? seconds.get<std::int64_t>() : 0;
    if (as.seconds < kShortestLifetime || as.seconds > kLongestLifetime)
        return wrongImpersonation("has a token_lifetime_seconds that is not between 600 and 43200");
    return as;
}

Result<FreshToken> impersonated(const Impersonation &as, base::Secret own, const std::string &scope,
                                const TokenWire &wire, const std::stop_token &stop)
{
    http::Request request = tokenRequest(wire, as.url);
    Json body{{"scope", Json::array({scope})}, {"lifetime", std::to_string(as.seconds) + 's'}};
    if (!as.delegates.empty())
        body["delegates"] = as.delegates;
    request.body = body.dump(-1, ' ', false, Json::error_handler_t::replace);
    request.contentType = "application/json";
    auto credentials = std::make_shared<http::Credentials>();
    credentials->bearer = std::move(own);
    request.credentials = std::move(credentials);
    const auto response = wire.client->perform(std::move(request), stop);
    GPULEDGER_TRY(response);
    const auto reply = format::parseJson(response->body);
    std::string token = reply && response->status == 200 ? format::textOf(*reply, "accessToken") : std::string();
    if (!token.empty())
        base::log::redactValue(token);
    const auto end = base::parseTime(reply ? format::textOf(*reply, "expireTime") : std::string());
    if (!isVisible(token) || !end)
        return base::fail(denialOf(*response, as.url, wire));
    const std::int64_t seconds = secondsUntil(*end, *response, wire.realClock->now());
    return FreshToken{base::Secret(std::move(token)), std::clamp<std::int64_t>(seconds, 0, as.seconds)};
}

} // namespace gpuledger::gcp
