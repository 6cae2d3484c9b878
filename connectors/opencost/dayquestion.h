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

// What a connection to a server needs; owned by the source. Two threads may fetch at once.
class Server {
public:
    using Renew = std::function<base::Result<std::shared_ptr<const http::Credentials>>()>;
    // `client` and `pause` must outlive it. `renew` reads the credential anew after a 401 (a token file was renewed).
    Server(http::HttpClient &client, Endpoint endpoint, http::RetryLimits retries, http::Pause &pause, Renew renew);

    // The body of an answer that is worth parsing. What may pass is tried again, but for a timeout: the server computes
    // each answer anew. Fails as ports::AllocationSource::day().
    [[nodiscard]] base::Result<std::string> fetch(std::string_view path, const http::Parameters &parameters,
                                                  const std::stop_token &stop);
    Endpoint endpoint() const;
    void setPrefix(std::string prefix);
    std::uint64_t bytes() const { return m_bytes; }
    base::Seconds asksToWait() const { return base::Seconds{m_asksToWait}; } // Retry-After too long to sit out

private:
    bool renewed(const std::shared_ptr<const http::Credentials> &used);

    http::HttpClient &m_client;
    mutable std::mutex m_mutex; // of the endpoint
    Endpoint m_endpoint;
    http::RetryLimits m_retries;
    http::Pause &m_pause;
    Renew m_renew;
    std::atomic<std::uint64_t> m_bytes{0};
    std::atomic<std::int64_t> m_asksToWait{0};
};

// Finds out below which prefix the API is. Fails as Server::fetch().
[[nodiscard]] base::Result<void> findApi(Server &server, base::Day day, const std::stop_token &stop);

// Both questions of a day, at once. An answer that is too large is asked for page by page, where the server has pages.
[[nodiscard]] base::Result<ports::AllocationAnswer> askDay(Server &server, base::Day day, base::Currency currency,
                                                           const std::stop_token &stop);

} // namespace gpuledger::opencost
