// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/googleapi.h"

#include "app/base/remedy.h"
#include "connectors/format/json.h"

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::size_t kMostAnswer = 64u << 20; // bytes of a page; BigQuery ends one at 20 MB

} // namespace

GoogleApi::GoogleApi(const model::SourceSettings &settings, GoogleService service, ports::SecretStore &secrets,
                     std::shared_ptr<http::HttpClient> client, const base::Clock &realClock, const Tuning &tuning)
    : m_service(std::move(service))
    , m_caFile(settings.caFile)
    , m_headers(settings.headers.begin(), settings.headers.end())
    , m_client(std::move(client))
    , m_realClock(realClock)
    , m_failures(tuning.failures)
    , m_timeouts(tuning.timeouts)
    , m_pause(tuning.pause)
    , m_token(settings, m_service.api, m_service.scope, secrets, m_pause,
              {m_client, m_timeouts, settings.caFile, &realClock, tuning.metadataHost})
{
}

Result<http::Response> GoogleApi::send(http::Request request, const std::stop_token &stop)
{
    request.headers = m_headers;
    request.headers.emplace_back("Accept", "application/json");
    request.caFile = m_caFile;
    request.followsRedirects = false; // a token does not leave this server
    request.keepHeaders = {"date"};
    request.timeouts = m_timeouts;
    request.maxBytes = kMostAnswer;
    for (bool isRenewed = false;; isRenewed = true) {
        const auto token = m_token.get(stop);
        GPULEDGER_TRY(token);
        http::Request one = request;
        if (const std::string project = m_token.quotaProject(); !project.empty())
            one.headers.emplace_back("x-goog-user-project", project);
        one.credentials = *token;
        auto response = m_client->perform(std::move(one), stop);
        if (!response || isRenewed || response->status != 401)
            return response;
        m_token.drop();
    }
}

Result<http::Response> GoogleApi::change(const std::string &url, const std::stop_token &stop)
{
    http::Request request;
    request.method = "POST";
    request.url = url;
    request.once = true;
    return send(std::move(request), stop);
}

Result<nlohmann::json> GoogleApi::ask(const std::string &url, const std::string &body, const std::stop_token &stop)
{
    http::RetryPolicy policy(m_failures);
    const http::Milliseconds begin = m_pause->steadyNow();
    for (int failures = 1;; ++failures) {
        http::Request request;
        request.method = body.empty() ? "GET" : "POST";
        request.url = url;
        request.body = body;
        request.contentType = body.empty() ? "" : "application/json";
        auto response = send(std::move(request), stop);
        auto error = response ? m_service.refusal(*response, m_service.api) : std::optional(response.error());
        if (!error) {
            auto reply = format::parseJson(response->body);
            if (!reply || !reply->is_object())
                return base::fail(ErrorCode::Parse, m_service.name + "'s answer can't be read: it is not complete",
                                  base::Remedy::NextSyncTriesAgain);
            return reply;
        }
        if (response)
            nameClock(*error, response->headers, m_realClock);
        const auto delay = policy.delay(failures, *error, response ? response->retryAfter : std::nullopt,
                                        m_pause->steadyNow() - begin);
        if (!delay)
            return base::fail(*error);
        if (!m_pause->wait(*delay, stop))
            return base::fail(ErrorCode::Cancelled, "cancelled");
    }
}

} // namespace gpuledger::gcp
