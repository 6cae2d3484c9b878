// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/crypto/secret.h"
#include "app/base/text/redactor.h"
#include "app/base/time/clock.h"
#include "app/ports/noticetarget.h"
#include "connectors/auth/requestsigner.h"
#include "connectors/http/httpclient.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::notify {

// One POST of JSON.
struct HttpMessage {
    std::string path; // after the address of the target
    http::Parameters headers;
    std::string body;
};

// What a kind of target sends, and how it confirms. Immutable; any thread.
class HttpProtocol {
public:
    virtual ~HttpProtocol() = default;
    virtual ports::TargetTraits traits() const = 0;
    // Sent in this order; the first that is not delivered ends the attempt. `group` has a notice. `now` is the real
    // time.
    virtual std::vector<HttpMessage> messages(const model::NoticeGroup &group, base::UtcTime now) const = 0;
    // Of a 2xx answer: std::nullopt if it confirms, otherwise what it says instead.
    virtual std::optional<std::string> objection(const http::Response &) const { return std::nullopt; }
    // What a delivery means, where that is less than it seems.
    virtual std::string confirmation() const { return {}; }
};

// Where messages go, and how to sign in there.
struct Destination {
    base::Secret address; // without a slash at the end
    std::shared_ptr<const http::Credentials> credentials;
    base::Redactor secrets; // never shown, even if the receiver sends them back
    std::string caFile; // PEM; empty: the system's authorities
    std::shared_ptr<auth::RequestSigner> signer{}; // null: requests are not signed; otherwise without `credentials`
};

// Sends over http without following redirects; certificates are verified. At most 20 s for each message.
class HttpTarget final : public ports::NoticeTarget {
public:
    // `clock` is the real one and outlives this object.
    HttpTarget(std::shared_ptr<http::HttpClient> client, std::unique_ptr<HttpProtocol> protocol,
               Destination destination, const base::Clock &clock);
    ports::TargetTraits traits() const override { return m_protocol->traits(); }
    [[nodiscard]] ports::Delivery send(const model::NoticeGroup &group, std::stop_token stop) override;

private:
    ports::Delivery sendOne(HttpMessage message, const std::stop_token &stop) const;
    ports::Delivery sendSigned(const http::Request &request, const std::stop_token &stop) const;
    ports::Delivery outcomeOf(const http::Response &response, const base::Redactor &secrets) const;

    std::shared_ptr<http::HttpClient> m_client;
    std::unique_ptr<HttpProtocol> m_protocol;
    Destination m_destination;
    const base::Clock &m_clock;
};

} // namespace gpuledger::notify
