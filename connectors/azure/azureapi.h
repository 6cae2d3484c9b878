// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "connectors/azure/azuretoken.h"
#include "connectors/http/httpclient.h"
#include "connectors/http/retrypolicy.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace gpuledger::azure {

// Parameters that tests reduce or replace.
struct Tuning {
    http::RetryLimits failures{.maxTries = 4,
                               .firstDelay = http::Milliseconds{500},
                               .maxDelay = http::Milliseconds{8'000},
                               .budget = http::Milliseconds{20'000}};
    // While the service asks us to wait: about four questions a minute are answered.
    http::RetryLimits throttled{.maxTries = 12,
                                .firstDelay = http::Milliseconds{5'000},
                                .maxDelay = http::Milliseconds{60'000},
                                .budget = http::Milliseconds{600'000}};
    http::Timeouts timeouts{};
    std::shared_ptr<http::Pause> pause = std::make_shared<http::SystemPause>();
    // For comparison with the services' clocks if they refuse the credential; must outlive the api. Null: not compared.
    const base::Clock *realClock = nullptr;
};

// Why an answer can't be used; std::nullopt: it can.
using Judge = std::function<std::optional<base::Error>(const http::Response &)>;

// Sends requests to one of Azure's services, with pauses and the renewal of credentials. As many threads as the access
// allows.
class AzureApi {
public:
    AzureApi(const model::SourceSettings &settings, std::unique_ptr<Access> access, Judge judge,
             std::shared_ptr<http::HttpClient> client, Tuning tuning);

    // A question, which may be sent again: the request, completed by a credential, the headers of the settings and
    // limits of time. Redirects are not followed. Fails with the errors of Access::admit, HttpClient::perform and the
    // judge, and with Cancelled.
    [[nodiscard]] base::Result<http::Response> ask(const http::Request &request, const std::stop_token &stop);
    // A change: sent once, and once more only if the credential was refused, which did nothing. Whatever the answer
    // says is left to the caller. Fails with the errors of Access::admit and HttpClient::perform.
    [[nodiscard]] base::Result<http::Response> send(http::Request request, const std::stop_token &stop);
    int requests() const { return m_requests; } // sent so far

private:
    std::string m_caFile;
    http::Parameters m_headers;
    Judge m_judge;
    std::shared_ptr<http::HttpClient> m_client;
    Tuning m_tuning;
    std::unique_ptr<Access> m_access;
    std::atomic<int> m_requests = 0;
};

// The code that a service of Azure sends with an error in a header ("AuthenticationFailed"); empty: none. Printable.
std::string errorCodeOf(const http::Response &response);
// How long the service asks to wait: the largest of its headers. std::nullopt: it does not say.
std::optional<base::Seconds> waitOf(const http::Response &response);

} // namespace gpuledger::azure
