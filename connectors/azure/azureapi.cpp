// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/azureapi.h"

#include "app/base/text/text.h"
#include "connectors/format/json.h"

#include <algorithm>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::size_t kShownRefusal = 300; // bytes
constexpr std::size_t kMostRefusal = 64u << 10; // bytes of an error that are read
constexpr std::size_t kMostPage = 64u << 20;

// Each quota says how long it is used up; the names that end in "-consumed" and "-remaining" are no waits.
const std::vector<std::string> kWaitHeaders{"x-ms-ratelimit-microsoft.costmanagement-qpu-retry-after",
                                            "x-ms-ratelimit-microsoft.costmanagement-entity-retry-after",
                                            "x-ms-ratelimit-microsoft.costmanagement-tenant-retry-after",
                                            "x-ms-ratelimit-microsoft.costmanagement-client-retry-after",
                                            "x-ms-ratelimit-microsoft.costmanagement-clienttype-retry-after",
                                            "x-ms-ratelimit-microsoft.consumption-retry-after"};

struct Refusal {
    std::string code, message; // printable
};

// {"error":{"code","message"}}; some services leave out the outer object.
Refusal refusalIn(const std::string &body)
{
    if (body.size() > kMostRefusal)
        return {};
    const auto json = format::parseJson(body);
    if (!json || !json->is_object())
        return {};
    const auto inner = json->find("error");
    const auto &object = inner != json->end() && inner->is_object() ? *inner : *json;
    return {base::printableLine(format::textOf(object, "code"), kShownRefusal),
            base::printableLine(format::textOf(object, "message"), kShownRefusal)};
}

} // namespace

std::optional<base::Seconds> waitOf(const http::Response &response)
{
    std::optional<base::Seconds> longest = response.retryAfter;
    for (const auto &[name, value] : response.headers) {
        const auto seconds = base::parseInt(value);
        if (!seconds || *seconds < 0 || std::find(kWaitHeaders.begin(), kWaitHeaders.end(), name) == kWaitHeaders.end())
            continue;
        const base::Seconds wait{std::min(*seconds, http::kMaxRetryAfter.count())};
        longest = std::max(longest.value_or(base::Seconds{0}), wait);
    }
    return longest;
}

std::optional<base::Error> refusalOf(const http::Response &response, const std::string &url, const std::string &scope)
{
    std::optional<base::Error> error = http::statusError(response, url);
    if (!error) {
        if (response.status == 200 || response.status == 204)
            return std::nullopt;
        return base::Error::make(
            ErrorCode::Server, http::shownUrl(url) + " gave no answer (HTTP " + std::to_string(response.status) + ')');
    }
    const Refusal said = refusalIn(response.body);
    for (const std::string &words : {said.code, said.message}) {
        if (!words.empty())
            error->text += ": " + words;
    }
    if (response.status == 403) {
        error->text += "; nothing of this bill is shown without the role Cost Management Reader";
        error->hint = std::string("assign the role Cost Management Reader on ") + scope
            + " to the account of this source; under an enterprise agreement, \"view charges\" must be switched on, "
              "too";
    } else if (response.status == 404) {
        error->hint = std::string("check scope of this source: ") + scope;
    }
    return error;
}

AzureApi::AzureApi(const model::SourceSettings &settings, const CostSettings &costs, ports::SecretStore &secrets,
                   std::shared_ptr<http::HttpClient> client, Tuning tuning)
    : m_base(costs.resourceManager)
    , m_scope(costs.scope)
    , m_caFile(settings.caFile)
    , m_headers(settings.headers.begin(), settings.headers.end())
    , m_client(std::move(client))
    , m_tuning(std::move(tuning))
    , m_token(settings, costs, secrets, m_client, m_tuning.pause, m_tuning.timeouts, m_tuning.realClock)
{
}

Result<http::Response> AzureApi::once(const std::string &url, const std::string &body, const std::stop_token &stop)
{
    for (bool isRenewed = false;; isRenewed = true) {
        const auto token = m_token.get(stop);
        GPULEDGER_TRY(token);
        http::Request request;
        request.method = "POST";
        request.url = url;
        request.headers = m_headers;
        request.headers.emplace_back("Accept", "application/json");
        request.headers.emplace_back("ClientType", "GPULedger"); // a quota of its own
        request.body = body;
        request.contentType = "application/json";
        request.credentials = *token;
        request.caFile = m_caFile;
        request.followsRedirects = false; // a token does not leave this server
        request.keepHeaders = kWaitHeaders;
        request.keepHeaders.emplace_back("date");
        request.timeouts = m_tuning.timeouts;
        request.maxBytes = kMostPage;
        ++m_requests;
        auto response = m_client->perform(std::move(request), stop);
        if (!response || isRenewed || response->status != 401)
            return response;
        m_token.drop();
    }
}

Result<http::Response> AzureApi::post(const std::string &url, const std::string &body, const std::stop_token &stop)
{
    http::RetryPolicy failing(m_tuning.failures), throttled(m_tuning.throttled);
    const http::Milliseconds begin = m_tuning.pause->steadyNow();
    http::Milliseconds waited{}; // because we were asked to
    for (int failures = 0, refusals = 0;;) {
        auto response = once(url, body, stop);
        auto error = response ? refusalOf(*response, m_base, m_scope) : std::optional(response.error());
        if (!error)
            return response;
        if (response)
            nameClock(*error, response->headers, m_tuning.realClock);
        const auto asked = response ? waitOf(*response) : std::nullopt;
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

} // namespace gpuledger::azure
