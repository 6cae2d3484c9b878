// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "connectors/azure/azuretoken.h"
#include "connectors/http/httpclient.h"
#include "connectors/http/retrypolicy.h"

#include <memory>
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

// Sends questions to the Resource Manager, with retries, pauses and the renewal of tokens. Questions only: each may be
// sent again. One thread.
class AzureApi {
public:
    // `secrets` must outlive it.
    AzureApi(const model::SourceSettings &settings, const CostSettings &costs, ports::SecretStore &secrets,
             std::shared_ptr<http::HttpClient> client, Tuning tuning);

    // POST of a JSON body to an address of the Resource Manager. Status 200 or 204. Fails with the errors of
    // AzureToken::get, HttpClient::perform and refusalOf, and with Cancelled.
    [[nodiscard]] base::Result<http::Response> post(const std::string &url, const std::string &body,
                                                    const std::stop_token &stop);
    int requests() const { return m_requests; } // sent so far

private:
    base::Result<http::Response> once(const std::string &url, const std::string &body, const std::stop_token &stop);

    std::string m_base, m_scope, m_caFile;
    http::Parameters m_headers;
    std::shared_ptr<http::HttpClient> m_client;
    Tuning m_tuning;
    AzureToken m_token;
    int m_requests = 0;
};

// Why an answer can't be used; std::nullopt: it can. Forbidden names the role that is missing on the scope.
std::optional<base::Error> refusalOf(const http::Response &response, const std::string &url, const std::string &scope);
// How long the service asks to wait: the largest of its headers. std::nullopt: it does not say.
std::optional<base::Seconds> waitOf(const http::Response &response);

} // namespace gpuledger::azure
