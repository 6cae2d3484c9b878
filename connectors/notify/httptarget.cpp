// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/notify/httptarget.h"

#include "connectors/http/url.h"
#include "connectors/notify/answerwords.h"

#include <utility>

namespace gpuledger::notify {

namespace {

using ports::Delivery;
using ports::DeliveryOutcome;

constexpr http::Timeouts kNoticeTimeouts{std::chrono::seconds(10), std::chrono::seconds(20), std::chrono::seconds(20)};
constexpr std::size_t kMostAnswerBytes = 1u << 20;

// The text of the error names the address, which may be secret; so only its code is used.
Delivery notAnswered(const base::Error &error)
{
    using base::ErrorCode;
    switch (error.code) {
    case ErrorCode::Cancelled:
        return {DeliveryOutcome::Retry, std::nullopt, "cancelled"};
    case ErrorCode::Timeout:
        return {DeliveryOutcome::Retry, std::nullopt, "the receiver did not answer in time"};
    case ErrorCode::Tls:
        return {DeliveryOutcome::Retry, std::nullopt, "the receiver's certificate could not be verified"};
    case ErrorCode::Network:
        return {DeliveryOutcome::Retry, std::nullopt, "the receiver can't be reached"};
    case ErrorCode::TooMuch:
        return {DeliveryOutcome::Refused, std::nullopt, "the receiver's answer is too long"};
    case ErrorCode::InvalidConfig:
        return {DeliveryOutcome::Refused, std::nullopt, "the address of the target can't be used"};
    default:
        return {error.retryable ? DeliveryOutcome::Retry : DeliveryOutcome::Refused, std::nullopt,
                "the message could not be sent"};
    }
}

// Nothing was sent. Whatever is wrong with the keys may be mended before the message is given up.
Delivery notSigned(const base::Error &error, const base::Redactor &secrets)
{
    if (error.code == base::ErrorCode::Cancelled)
        return notAnswered(error);
    return {DeliveryOutcome::Retry, std::nullopt, shownWords("the message can't be signed: " + error.text, secrets)};
}

bool isRejected(int status)
{
    constexpr int kUnauthorized = 401, kForbidden = 403;
    return status == kUnauthorized || status == kForbidden;
}

bool isTemporary(int status)
{
    constexpr int kRequestTimeout = 408, kTooEarly = 425, kTooMany = 429;
    return status >= 500 || status == kRequestTimeout || status == kTooEarly || status == kTooMany;
}

} // namespace

HttpTarget::HttpTarget(std::shared_ptr<http::HttpClient> client, std::unique_ptr<HttpProtocol> protocol,
                       Destination destination, const base::Clock &clock)
    : m_client(std::move(client))
    , m_protocol(std::move(protocol))
    , m_destination(std::move(destination))
    , m_clock(clock)
{
}

Delivery HttpTarget::send(const model::NoticeGroup &group, std::stop_token stop)
{
    if (group.notices.empty())
        return {};
    for (HttpMessage &message : m_protocol->messages(group, m_clock.now())) {
        const Delivery one = sendOne(std::move(message), stop);
        if (one.outcome != DeliveryOutcome::Delivered)
            return one;
    }
    return {DeliveryOutcome::Delivered, std::nullopt, m_protocol->confirmation()};
}

Delivery HttpTarget::sendOne(HttpMessage message, const std::stop_token &stop) const
{
    http::Request request;
    request.method = "POST";
    request.url = std::string(m_destination.address.reveal()) + message.path;
    request.headers = std::move(message.headers);
    request.body = std::move(message.body);
    request.contentType = "application/json";
    request.credentials = m_destination.credentials;
    request.caFile = m_destination.caFile;
    request.once = true;
    request.followsRedirects = false;
    request.timeouts = kNoticeTimeouts;
    request.maxBytes = kMostAnswerBytes;
    if (m_destination.signer)
        return sendSigned(request, stop);
    const auto response = m_client->perform(std::move(request), stop);
    return response ? outcomeOf(*response, m_destination.secrets) : notAnswered(response.error());
}

// Once more with other keys if the receiver rejects those of the first time, in which case it did nothing.
Delivery HttpTarget::sendSigned(const http::Request &request, const std::stop_token &stop) const
{
    base::Redactor secrets = m_destination.secrets;
    for (bool isSecond = false;; isSecond = true) {
        http::Request signedRequest = request;
        const auto keys = m_destination.signer->sign(signedRequest, secrets, stop);
        if (!keys)
            return notSigned(keys.error(), secrets);
        const auto response = m_client->perform(std::move(signedRequest), stop);
        if (!response)
            return notAnswered(response.error());
        if (isSecond || !isRejected(response->status) || !m_destination.signer->renew(*keys, stop))
            return outcomeOf(*response, secrets);
    }
}

Delivery HttpTarget::outcomeOf(const http::Response &response, const base::Redactor &secrets) const
{
    const std::string status = "HTTP " + std::to_string(response.status);
    if (response.status >= 200 && response.status < 300) {
        const auto objection = m_protocol->objection(response);
        return objection ? Delivery{DeliveryOutcome::Refused, std::nullopt, shownWords(*objection, secrets)}
                         : Delivery{};
    }
    if (response.status >= 300 && response.status < 400)
        return {DeliveryOutcome::Refused, std::nullopt,
                "the receiver redirects elsewhere, and GPU Ledger does not follow redirects (" + status + ')'};
    const std::string reason = shownWords(answerWords(response), secrets);
    const std::string words = reason.empty() ? status : status + ": " + reason;
    if (isTemporary(response.status))
        return {DeliveryOutcome::Retry, response.retryAfter, "the receiver can't take it now (" + words + ')'};
    return {DeliveryOutcome::Refused, std::nullopt, "the receiver refused it (" + words + ')'};
}

} // namespace gpuledger::notify
