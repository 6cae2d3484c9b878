// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/runpod/runpodapi.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/auth/credentials.h"
#include "connectors/format/json.h"

#include <algorithm>

namespace gpuledger::runpod {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kShownWords = 300; // bytes
constexpr std::size_t kMostProblem = 64u << 10; // bytes of an error that are read
constexpr std::size_t kMostAnswer = 128u << 20;

// RFC 9457: {"title","status","detail","errors":[…]}.
std::string wordsIn(const std::string &body)
{
    if (body.size() > kMostProblem)
        return {};
    const auto json = format::parseJson(body);
    if (!json || !json->is_object())
        return {};
    std::string words = format::textOf(*json, "detail");
    if (words.empty())
        words = format::textOf(*json, "title");
    const Json &errors = format::memberOf(*json, "errors");
    if (errors.is_array() && !errors.empty() && errors.front().is_string())
        words += ": " + errors.front().get<std::string>();
    return base::printableLine(base::log::redacted(words), kShownWords);
}

bool isWebPage(const http::Response &response)
{
    const std::size_t first = response.body.find_first_not_of(" \t\r\n");
    return response.contentType.starts_with("text/html") || (first != std::string::npos && response.body[first] == '<');
}

} // namespace

std::optional<base::Error> refusalOf(const http::Response &response, const std::string &url)
{
    std::optional<base::Error> error = http::statusError(response, url);
    if (!error) {
        if (isWebPage(response))
            return base::Error::make(ErrorCode::Unauthorized,
                                     http::shownUrl(url) + " returned a web page instead of data",
                                     base::Remedy::SetCredentialOrInternalAddress);
        if (response.status == 200)
            return std::nullopt;
        return base::Error::make(
            ErrorCode::Server, http::shownUrl(url) + " gave no answer (HTTP " + std::to_string(response.status) + ')');
    }
    if (const std::string words = wordsIn(response.body); !words.empty())
        error->text += ": " + words;
    if (response.status == 401)
        error->text += "; API keys are made in the settings of the RunPod console";
    else if (response.status == 403)
        error->text += "; the API key needs the permission Read Only";
    else if (response.status == 404)
        error->hint = base::text(base::Remedy::CheckUrl);
    return error;
}

RunpodApi::RunpodApi(const model::SourceSettings &settings, std::string base, ports::SecretStore &secrets,
                     std::shared_ptr<http::HttpClient> client, Tuning tuning)
    : m_auth(settings.auth)
    , m_base(std::move(base))
    , m_caFile(settings.caFile)
    , m_headers(settings.headers.begin(), settings.headers.end())
    , m_secrets(secrets)
    , m_client(std::move(client))
    , m_tuning(std::move(tuning))
{
}

Result<http::Response> RunpodApi::once(const std::string &url, const std::stop_token &stop)
{
    for (bool isRenewed = m_key == nullptr;; isRenewed = true) {
        if (!m_key) {
            auto key = auth::resolve(m_auth, m_secrets);
            GPULEDGER_TRY(key);
            m_key = std::move(*key);
        }
        http::Request request;
        request.url = url;
        request.headers = m_headers;
        request.headers.emplace_back("Accept", "application/json");
        request.credentials = m_key;
        request.caFile = m_caFile;
        request.followsRedirects = false; // the key does not leave this address
        request.timeouts = m_tuning.timeouts;
        request.maxBytes = kMostAnswer;
        auto response = m_client->perform(std::move(request), stop);
        if (!response || response->status != 401)
            return response;
        m_key = nullptr;
        if (isRenewed)
            return response;
    }
}

Result<std::string> RunpodApi::get(const std::string &path, const http::Parameters &parameters,
                                   const std::stop_token &stop)
{
    const std::string url = m_base + "/v2/" + path + (parameters.empty() ? "" : '?' + http::formEncode(parameters));
    http::RetryPolicy failing(m_tuning.failures), throttled(m_tuning.throttled);
    const http::Milliseconds begin = m_tuning.pause->steadyNow();
    http::Milliseconds waited{}; // because we were asked to
    for (int failures = 0, refusals = 0;;) {
        auto response = once(url, stop);
        auto error = response ? refusalOf(*response, m_base) : std::optional(response.error());
        if (!error)
            return std::move(response->body);
        const auto asked = response ? response->retryAfter : std::nullopt;
        const bool isThrottled = response && (response->status == 429 || (response->status == 503 && asked));
        const http::Milliseconds passed = m_tuning.pause->steadyNow() - begin;
        const auto delay = isThrottled ? throttled.delay(++refusals, *error, asked, passed)
                                       : failing.delay(++failures, *error, asked, passed - waited);
        if (!delay)
            return base::fail(*error);
        waited += isThrottled ? *delay : http::Milliseconds{};
        if (!m_tuning.pause->wait(std::max(*delay, m_tuning.failures.firstDelay), stop))
            return base::fail(ErrorCode::Cancelled, "cancelled");
    }
}

} // namespace gpuledger::runpod
