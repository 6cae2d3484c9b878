// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "connectors/gcp/access/googletoken.h"
#include "connectors/gcp/access/metadataserver.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <optional>
#include <string>

namespace gpuledger::gcp {

// Parameters that tests reduce or replace.
struct Tuning {
    http::RetryLimits failures{.maxTries = 5,
                               .firstDelay = http::Milliseconds{1'000},
                               .maxDelay = http::Milliseconds{60'000},
                               .budget = http::Milliseconds{120'000}};
    // Between two questions whether a query is done, and for how long it is waited for.
    http::Milliseconds firstPoll{500}, longestPoll{10'000}, longestQuery{900'000};
    http::Timeouts timeouts{};
    std::shared_ptr<http::Pause> pause = std::make_shared<http::SystemPause>();
    std::string metadataHost = metadataHostOfProcess(); // of a machine's service account
};

// A service of Google, as it is asked.
struct GoogleService {
    std::string name; // for people: "BigQuery"
    std::string api; // address without a path: https://bigquery.googleapis.com
    std::string scope; // of the tokens
    // Why an answer can't be used, with what to do about it; std::nullopt: it can.
    using Refusal = std::optional<base::Error> (*)(const http::Response &response, const std::string &api);
    Refusal refusal = nullptr;
};

// Asks it for JSON, with retries, pauses and the renewal of tokens. Any thread.
class GoogleApi {
public:
    // `secrets` and `realClock` must outlive it.
    GoogleApi(const model::SourceSettings &settings, GoogleService service, ports::SecretStore &secrets,
              std::shared_ptr<http::HttpClient> client, const base::Clock &realClock, const Tuning &tuning);

    // A question, which may be sent again: a POST of JSON, or a GET if there is no body. Fails with the errors of
    // GoogleToken::get, HttpClient::perform and the refusal, and with Parse or Cancelled.
    [[nodiscard]] base::Result<nlohmann::json> ask(const std::string &url, const std::string &body,
                                                   const std::stop_token &stop);

    // A change: a POST without a body, sent once, and once more only if the token was refused, which did nothing. What
    // the answer says is left to the caller. Fails with the errors of GoogleToken::get and HttpClient::perform.
    [[nodiscard]] base::Result<http::Response> change(const std::string &url, const std::stop_token &stop);

private:
    base::Result<http::Response> send(http::Request request, const std::stop_token &stop);

    GoogleService m_service;
    std::string m_caFile;
    http::Parameters m_headers;
    std::shared_ptr<http::HttpClient> m_client;
    const base::Clock &m_realClock;
    http::RetryLimits m_failures;
    http::Timeouts m_timeouts;
    std::shared_ptr<http::Pause> m_pause;
    GoogleToken m_token;
};

} // namespace gpuledger::gcp
