// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/azureapi.h"

#include "app/base/text/text.h"

#include <algorithm>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::size_t kShownCode = 100; // bytes
constexpr const char *kErrorCodeHeader = "x-ms-error-code";

// Each quota says how long it is used up; the names that end in "-consumed" and "-remaining" are no waits.
const std::vector<std::string> kWaitHeaders{"x-ms-ratelimit-microsoft.costmanagement-qpu-retry-after",
                                            "x-ms-ratelimit-microsoft.costmanagement-entity-retry-after",
                                            "x-ms-ratelimit-microsoft.costmanagement-tenant-retry-after",
                                            "x-ms-ratelimit-microsoft.costmanagement-client-retry-after",
                                            "x-ms-ratelimit-microsoft.costmanagement-clienttype-retry-after",
                                            "x-ms-ratelimit-microsoft.consumption-retry-after"};

// A credential that was refused; one with too few rights is none.
bool isRefused(const http::Response &response)
{
    return response.status == 401 || (response.status == 403 && errorCodeOf(response) == "AuthenticationFailed");
}

} // namespace

std::string errorCodeOf(const http::Response &response)
{
    for (const auto &[name, value] : response.headers) {
        if (name == kErrorCodeHeader)
            return base::printableLine(value, kShownCode);
    }
    return {};
}

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

AzureApi::AzureApi(const model::SourceSettings &settings, std::unique_ptr<Access> access, Judge judge,
                   std::shared_ptr<http::HttpClient> client, Tuning tuning)
    : m_caFile(settings.caFile)
    , m_headers(settings.headers.begin(), settings.headers.end())
    , m_judge(std::move(judge))
    , m_client(std::move(client))
    , m_tuning(std::move(tuning))
    , m_access(std::move(access))
{
}

Result<http::Response> AzureApi::send(http::Request request, const std::stop_token &stop)
{
    request.headers.insert(request.headers.begin(), m_headers.begin(), m_headers.end());
    request.caFile = m_caFile;
    request.followsRedirects = false; // a credential does not leave this server
    request.keepHeaders = kWaitHeaders;
    request.keepHeaders.emplace_back("date");
    request.keepHeaders.emplace_back(kErrorCodeHeader);
    request.timeouts = m_tuning.timeouts;
    for (bool isRenewed = false;; isRenewed = true) {
        http::Request one = request;
        GPULEDGER_TRY(m_access->admit(one, stop));
        ++m_requests;
        auto response = m_client->perform(std::move(one), stop);
        if (!response || isRenewed || !isRefused(*response))
            return response;
        m_access->drop();
    }
}

Result<http::Response> AzureApi::ask(const http::Request &request, const std::stop_token &stop)
{
    http::RetryPolicy failing(m_tuning.failures), throttled(m_tuning.throttled);
    const http::Milliseconds begin = m_tuning.pause->steadyNow();
    http::Milliseconds waited{}; // because we were asked to
    for (int failures = 0, refusals = 0;;) {
        auto response = send(request, stop);
        auto error = response ? m_judge(*response) : std::optional(response.error());
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
