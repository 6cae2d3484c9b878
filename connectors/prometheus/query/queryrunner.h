// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/seriesreader.h"
#include "connectors/http/retrypolicy.h"
#include "connectors/prometheus/query/promapi.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gpuledger::prometheus {

// A call and the visitor that reads its answer.
struct Query {
    ApiCall call;
    format::SeriesVisitor *visitor = nullptr; // must outlive the run
};

// The dependencies and state of a connection to a server; owned by the source and shared by its runs.
struct Connection {
    Connection(http::HttpClient &c, http::RetryLimits r, http::Pause &p)
        : client(c)
        , retries(r)
        , pause(p)
    {
    }

    http::HttpClient &client;
    Endpoint endpoint;
    http::RetryLimits retries;
    http::Pause &pause;
    // Reads the credential again after a 401 (a token file may have been renewed).
    std::function<base::Result<std::shared_ptr<const http::Credentials>>()> renew;
    std::uint64_t bytes = 0;
    http::Milliseconds lastAnswer{}; // steady time of the last usable one
    base::Seconds asksToWait{}; // a Retry-After that was too long to wait for
    std::set<std::string> warnings;
    std::map<std::string, std::size_t> largestAnswer; // bytes, by the path of the call
    format::SeriesReader reader;
};

// Sends the queries of one piece of work, with at most kWindow answers waiting or in flight, or fewer if they are
// large, and passes each answer to its visitor on the calling thread in the order of arrival. start() only sends, so
// that the network works while the caller does something else. A transient failure is retried as RetryPolicy says, one
// request at a time.
class QueryRunner {
public:
    static constexpr int kWindow = 4;
    // Of the answers waiting or in flight, each taken to be as large as the largest of its kind so far. One answer may
    // be larger.
    static constexpr std::size_t kMaxBuffered = std::size_t{20} << 20;

    QueryRunner(Connection &connection, std::vector<Query> queries, std::stop_token stop);
    ~QueryRunner();
    QueryRunner(const QueryRunner &) = delete;
    QueryRunner &operator=(const QueryRunner &) = delete;

    void start();
    // Blocks until all answers are read. Fails with Cancelled, or with the first permanent failure; the requests in
    // flight are then cancelled.
    [[nodiscard]] base::Result<void> finish();

private:
    struct Shared;
    struct Arrived;

    void send(std::size_t query);
    void fill();
    std::size_t expectedBytes(std::size_t query) const;
    bool hasRoomFor(std::size_t query) const;
    Arrived wait();
    // True if the answer was used; false if the query is waiting for a retry.
    base::Result<bool> handle(Arrived arrived);
    base::Result<bool> retryLater(std::size_t query, base::Error error, std::optional<base::Seconds> retryAfter);
    base::Result<void> backOff();
    void drain();

    Connection &m_connection;
    struct Sent {
        bool posted = false;
        std::shared_ptr<const http::Credentials> credentials;
        std::size_t expectedBytes = 0;
    };
    std::vector<Query> m_queries;
    std::vector<Sent> m_sent; // how each query was last sent
    std::stop_token m_stop;
    std::stop_source m_cancel;
    std::shared_ptr<Shared> m_shared;
    http::RetryPolicy m_policy;
    std::size_t m_next = 0;
    int m_outstanding = 0;
    std::size_t m_expectedBytes = 0; // of the outstanding answers
    std::vector<std::size_t> m_failed; // waiting for a retry
    int m_failures = 0;
    http::Milliseconds m_firstFailure{};
    base::Error m_lastError;
    std::optional<base::Seconds> m_retryAfter;
    bool m_renewed = false;
};

// Makes one call whose answer is a small JSON document, with the same retries, and returns the answer's `data`.
[[nodiscard]] base::Result<std::string> fetchBody(Connection &connection, const ApiCall &call, std::stop_token stop);

} // namespace gpuledger::prometheus
