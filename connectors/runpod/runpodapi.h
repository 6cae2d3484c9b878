// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"
#include "app/ports/secretstore.h"
#include "connectors/http/httpclient.h"
#include "connectors/http/retrypolicy.h"

#include <memory>
#include <string>

namespace gpuledger::runpod {

// Parameters that tests reduce or replace.
struct Tuning {
    http::RetryLimits failures{.maxTries = 4,
                               .firstDelay = http::Milliseconds{500},
                               .maxDelay = http::Milliseconds{8'000},
                               .budget = http::Milliseconds{20'000}};
    // While the service asks us to wait.
    http::RetryLimits throttled{.maxTries = 8,
                                .firstDelay = http::Milliseconds{2'000},
                                .maxDelay = http::Milliseconds{60'000},
                                .budget = http::Milliseconds{300'000}};
    http::Timeouts timeouts{};
    std::shared_ptr<http::Pause> pause = std::make_shared<http::SystemPause>();
};

// Asks RunPod's API v2 with retries and pauses. Only GET: each may be sent again. One thread.
class RunpodApi {
public:
    // `base` is the address before "/v2". `secrets` must outlive it.
    RunpodApi(const model::SourceSettings &settings, std::string base, ports::SecretStore &secrets,
              std::shared_ptr<http::HttpClient> client, Tuning tuning);

    // The body of a JSON answer. Fails with the errors of auth::resolve, HttpClient::perform and refusalOf, and with
    // Cancelled. The key is read again after it was rejected.
    [[nodiscard]] base::Result<std::string> get(const std::string &path, const http::Parameters &parameters,
                                                const std::stop_token &stop);

private:
    base::Result<http::Response> once(const std::string &url, const std::stop_token &stop);

    model::AuthSettings m_auth;
    std::string m_base, m_caFile;
    http::Parameters m_headers;
    ports::SecretStore &m_secrets;
    std::shared_ptr<http::HttpClient> m_client;
    Tuning m_tuning;
    std::shared_ptr<const http::Credentials> m_key; // null: not read
};

// Why an answer can't be used; std::nullopt: it can. Words of the server are printable, short and
// without the key.
std::optional<base::Error> refusalOf(const http::Response &response, const std::string &url);

} // namespace gpuledger::runpod
