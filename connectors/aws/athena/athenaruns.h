// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/costsource.h"
#include "connectors/aws/athena/athenasettings.h"
#include "connectors/aws/athena/athenatable.h"
#include "connectors/aws/awsapi.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace gpuledger::aws {

// Athena's price: USD 5 per TB scanned, each query in whole MB and at least 10 (aws.amazon.com/athena/pricing, as of
// 2026-11; some regions ask for more).
ports::PaidCalls paidForScan(std::uint64_t bytes);

// How long Athena is waited for; tests reduce it.
struct AthenaPauses {
    http::Milliseconds firstPoll{1'000}, longestPoll{10'000};
    http::Milliseconds longestQuery{35 * 60'000}; // Athena ends queries after 30 minutes
};

// How a query ended.
struct QueryEnd {
    enum class State {
        Succeeded,
        Failed, // or was cancelled, or scanned more than the settings allow (TooMuch); `error` says why
        Lost, // Athena does not know it (any more)
    };
    State state = State::Failed;
    std::string location; // of the result, "s3://bucket/key"; of a query that succeeded
    std::uint64_t scanned = 0; // bytes that are charged for; none of a query that failed
    base::Error error{};
};

// Runs queries: starts them, asks until they have ended, and stops them. One thread. Calls fail with Parse, Cancelled,
// Forbidden (naming the right), or with the errors of AwsApi::ask.
class AthenaRuns {
public:
    AthenaRuns(std::unique_ptr<AwsApi> api, AthenaSettings settings, std::shared_ptr<http::Pause> pause,
               AthenaPauses pauses);

    const AthenaSettings &settings() const { return m_settings; }
    base::UtcTime now() const { return m_api->now(); }
    // The right whose absence ended the last call that failed; empty: none.
    const std::string &missingRight() const { return m_missingRight; }

    // Free. Also fails with NotFound (no such table) or as AthenaTable::of().
    [[nodiscard]] base::Result<AthenaTable> table(const std::stop_token &stop);
    // Returns the id. Sent again after a lost answer, it starts no second query. Also fails with InvalidConfig (no
    // place for results).
    [[nodiscard]] base::Result<std::string> start(const std::string &sql, const std::stop_token &stop);
    // Waits for the end. A stop request stops the query, and so does a scan above the limit of the settings. Also fails
    // with Timeout; then the query goes on.
    [[nodiscard]] base::Result<QueryEnd> finish(const std::string &id, const std::stop_token &stop);

private:
    [[nodiscard]] base::Result<std::string> ask(const std::string &action, std::string body,
                                                const std::stop_token &stop);
    [[nodiscard]] base::Result<std::optional<QueryEnd>> look(const std::string &id, const std::stop_token &stop);
    base::Error refusal(const Answer &answer, const std::string &action);
    QueryEnd failed(const std::string &id, const std::string &reason, bool isCancelled, bool isRetryable,
                    std::uint64_t scanned);
    void cancel(const std::string &id);

    std::unique_ptr<AwsApi> m_api;
    AthenaSettings m_settings;
    std::shared_ptr<http::Pause> m_pause;
    AthenaPauses m_pauses;
    std::string m_missingRight;
    bool m_isLost = false; // the last refusal means that the query is not known
};

// "12.3 GB", never less than it is.
std::string scanText(std::uint64_t bytes);
// What to call above the limit.
base::Error aboveScanLimit(const std::string &what, std::uint64_t bytes, std::uint64_t most);

} // namespace gpuledger::aws
