// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/allocationsource.h"
#include "connectors/http/retrypolicy.h"
#include "connectors/opencost/opencostapi.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::opencost {

// The dependencies and state of a connection to a server; owned by the source. Two threads may fetch at the same time.
class Server {
public:
    using Renew = std::function<base::Result<std::shared_ptr<const http::Credentials>>()>;
    // `client` and `pause` must outlive it. `renew` reads the credential again after a 401 (a token file may have been
    // renewed).
    Server(http::HttpClient &client, Endpoint endpoint, http::RetryLimits retries, http::Pause &pause, Renew renew);

    // The body of an answer that is worth parsing. Transient failures are retried, except timeouts: the server computes
    // each answer from scratch. Fails as ports::AllocationSource::day().
    [[nodiscard]] base::Result<std::string> fetch(std::string_view path, const http::Parameters &parameters,
                                                  const std::stop_token &stop);
    Endpoint endpoint() const;
    void setPrefix(std::string prefix);
    std::uint64_t bytes() const { return m_bytes; }
    base::Seconds asksToWait() const { return base::Seconds{m_asksToWait}; } // a Retry-After too long to wait for

private:
    bool renewed(const std::shared_ptr<const http::Credentials> &used);

    http::HttpClient &m_client;
    mutable std::mutex m_mutex; // guards the endpoint
    Endpoint m_endpoint;
    http::RetryLimits m_retries;
    http::Pause &m_pause;
    Renew m_renew;
    std::atomic<std::uint64_t> m_bytes{0};
    std::atomic<std::int64_t> m_asksToWait{0};
};

// Finds the path prefix of the API. Fails as Server::fetch().
[[nodiscard]] base::Result<void> findApi(Server &server, base::Day day, const std::stop_token &stop);

// Sends both queries of a day at the same time. An answer that is too large is requested page by page if the server
// supports paging.
[[nodiscard]] base::Result<ports::AllocationAnswer> askDay(Server &server, base::Day day, base::Currency currency,
                                                           const std::stop_token &stop);

} // namespace gpuledger::opencost
