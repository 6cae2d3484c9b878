// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/access/tokenwire.h"

#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/http/serverclock.h"
#include "connectors/http/url.h"

#include <algorithm>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::size_t kShownAnswer = 300; // bytes

// Numbers in such answers are whole.
std::int64_t lifetimeOf(const nlohmann::json &body)
{
    const nlohmann::json &seconds = format::memberOf(body, "expires_in");
    const std::int64_t lasts = seconds.is_number_integer() ? seconds.get<std::int64_t>() : 0;
    return std::clamp<std::int64_t>(lasts, 0, kLongestToken);
}

} // namespace

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

http::Request tokenRequest(const TokenWire &wire, std::string url)
{
    http::Request request;
    request.method = "POST";
    request.url = std::move(url);
    request.headers.emplace_back("Accept", "application/json");
    request.contentType = "application/x-www-form-urlencoded";
    request.caFile = wire.caFile;
    request.followsRedirects = false;
    request.keepHeaders = {"date"};
    request.timeouts = wire.timeouts;
    request.maxBytes = kMostTokenAnswer;
    return request;
}

// {"error":"invalid_grant","error_description":"Invalid JWT Signature."}
std::string tokenRefusal(const nlohmann::json &body)
{
    std::string text;
    for (const char *name : {"error", "error_description"}) {
        const std::string words = base::log::redacted(format::textOf(body, name));
        if (!words.empty())
            text += ": " + base::printableLine(words, kShownAnswer);
    }
    return text;
}

bool isVisible(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

Result<FreshToken> tokenIn(const http::Response &response, const std::string &url, base::Remedy remedy,
                           const TokenWire &wire)
{
    const auto body = format::parseJson(response.body);
    std::string token = body && response.status == 200 ? format::textOf(*body, "access_token") : std::string();
    if (isVisible(token)) {
        base::log::redactValue(token);
        return FreshToken{base::Secret(std::move(token)), lifetimeOf(*body)};
    }
    base::Error error = http::statusError(response, url)
                            .value_or(base::Error::make(ErrorCode::Parse, http::shownUrl(url) + " sent no token"));
    if (body)
        error.text += tokenRefusal(*body);
    if (!error.retryable && (response.status == 400 || response.status == 401 || response.status == 403)) {
        error.code = ErrorCode::Unauthorized;
        error.hint = base::text(remedy);
    }
    nameClock(error, response.headers, *wire.realClock);
    return base::fail(std::move(error));
}

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

} // namespace gpuledger::gcp
