// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "connectors/gcp/billquery.h"
#include "connectors/gcp/googletoken.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>
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
};

// Runs queries, with retries, pauses and the renewal of tokens. No query runs that would scan more than the settings
// allow. One thread.
class BigQuery {
public:
    // Called with the rows of each page, in order. An error ends the query, and is returned.
    using RowsFn = std::function<base::Result<void>(const nlohmann::json &rows)>;
    static constexpr std::size_t kMostPages = 2000, kMostRows = 1'000'000; // of one answer

    // `secrets` and `realClock` must outlive it.
    BigQuery(const model::SourceSettings &settings, BillSettings bill, ports::SecretStore &secrets,
             std::shared_ptr<http::HttpClient> client, const base::Clock &realClock, Tuning tuning);

    // What the query would scan, in bytes. Free, and checks all permissions that it needs. Fails with the errors of
    // GoogleToken::get, HttpClient::perform and refusalOf, and with Parse or Cancelled.
    [[nodiscard]] base::Result<std::uint64_t> bytesOf(const BillQuery &query, const std::stop_token &stop);
    // Every row, or an error: TooMuch (above the limit of the settings, which is asked for first, or kMostRows), Parse
    // (not the answer to this query, or only a part of it), Timeout, and those of bytesOf().
    [[nodiscard]] base::Result<void> run(const BillQuery &query, const RowsFn &onRows, const std::stop_token &stop);
    std::uint64_t scanned() const { return m_scanned; } // bytes that queries so far are charged for

private:
    base::Result<nlohmann::json> ask(const std::string &url, const std::string &body, const std::stop_token &stop);
    base::Result<http::Response> once(const std::string &url, const std::string &body, const std::stop_token &stop);
    base::Result<nlohmann::json> finished(nlohmann::json reply, const std::stop_token &stop);
    std::string queriesUrl() const;
    base::Result<std::string> resultUrl(const nlohmann::json &reply, const std::string &pageToken) const;

    BillSettings m_bill;
    std::string m_caFile;
    http::Parameters m_headers;
    std::shared_ptr<http::HttpClient> m_client;
    const base::Clock &m_realClock;
    Tuning m_tuning;
    GoogleToken m_token;
    std::uint64_t m_scanned = 0;
};

} // namespace gpuledger::gcp
