// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/nebius/nebiusapi.h"

#include "connectors/nebius/grpcanswer.h"

#include <algorithm>

namespace gpuledger::nebius {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::size_t kMostAnswer = 32u << 20; // bytes of a page

std::string addressOf(const std::string &address, std::string_view host)
{
    return address.empty() ? "https://" + std::string(host) + ".api.nebius.cloud" : address;
}

bool isCredentialRejected(const http::Response &response)
{
    return response.status == 401 || statusOf(response) == GrpcCode::Unauthenticated;
}

http::Parameters dateIn(const http::Parameters &headers)
{
    http::Parameters out;
    std::copy_if(headers.begin(), headers.end(), std::back_inserter(out),
                 [](const auto &header) { return header.first == "date"; });
    return out;
}

} // namespace

std::string Method::right() const
{
    const std::string_view all = service;
    return std::string(all.substr(all.rfind('.') + 1)) + '.' + name;
}

NebiusApi::NebiusApi(const model::SourceSettings &settings, std::string address, ports::SecretStore &secrets,
                     std::shared_ptr<http::HttpClient> client, const base::Clock &realClock, const Tuning &tuning)
    : m_address(std::move(address))
    , m_caFile(settings.caFile)
    , m_headers(settings.headers.begin(), settings.headers.end())
    , m_client(std::move(client))
    , m_realClock(realClock)
    , m_failures(tuning.failures)
    , m_timeouts(tuning.timeouts)
    , m_pause(tuning.pause)
    , m_token(settings, addressOf(m_address, "tokens.iam"), secrets, m_client, m_pause, m_timeouts, realClock)
{
}

std::string NebiusApi::urlOf(const Method &method) const
{
    return addressOf(m_address, method.host) + '/' + method.service + '/' + method.name;
}

http::Request NebiusApi::requestOf(const Method &method, const std::string &message) const
{
    http::Request request;
    request.url = urlOf(method);
    request.headers = m_headers;
    request.caFile = m_caFile;
    request.timeouts = m_timeouts;
    request.maxBytes = kMostAnswer;
    makeCall(request, message);
    return request;
}

Result<http::Response> NebiusApi::send(const http::Request &request, const std::stop_token &stop)
{
    for (bool isRenewed = false;; isRenewed = true) {
        const auto token = m_token.get(stop);
        GPULEDGER_TRY(token);
        http::Request one = request;
        one.credentials = *token;
        auto response = m_client->perform(std::move(one), stop);
        if (!response || isRenewed || !isCredentialRejected(*response))
            return response;
        m_token.drop(*token);
    }
}

Result<std::string> NebiusApi::ask(const Method &method, const std::string &message, const std::stop_token &stop)
{
    http::RetryPolicy policy(m_failures);
    const http::Milliseconds begin = m_pause->steadyNow();
    const http::Request request = requestOf(method, message);
    for (int failures = 1;; ++failures) {
        auto response = send(request, stop);
        auto error = response ? refusalOf(*response, request.url) : std::optional(response.error());
        if (!error) {
            m_answerDate = dateIn(response->headers);
            return messageIn(response->body);
        }
        if (response)
            nameClock(*error, response->headers, m_realClock);
        const auto delay = policy.delay(failures, *error, response ? response->retryAfter : std::nullopt,
                                        m_pause->steadyNow() - begin);
        if (!delay)
            return base::fail(std::move(*error));
        if (!m_pause->wait(*delay, stop))
            return base::fail(ErrorCode::Cancelled, "cancelled");
    }
}

Result<http::Response> NebiusApi::change(const Method &method, const std::string &message, const std::string &requestId,
                                         const std::stop_token &stop)
{
    http::Request request = requestOf(method, message);
    request.headers.emplace_back("X-Idempotency-Key", requestId);
    request.once = true;
    return send(request, stop);
}

} // namespace gpuledger::nebius
