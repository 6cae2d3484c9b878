// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/gcp/billquery.h"
#include "connectors/gcp/googleapi.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>
#include <string>

namespace gpuledger::gcp {

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
    base::Result<nlohmann::json> finished(nlohmann::json reply, const std::stop_token &stop);
    std::string queriesUrl() const;
    base::Result<std::string> resultUrl(const nlohmann::json &reply, const std::string &pageToken) const;

    BillSettings m_bill;
    Tuning m_tuning;
    GoogleApi m_api;
    std::uint64_t m_scanned = 0;
};

} // namespace gpuledger::gcp
