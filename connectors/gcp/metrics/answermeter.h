// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "connectors/http/httpclient.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace gpuledger::gcp {

// Passes requests on, and notes of the answers of one service how long they were and when it gave the last one. Any
// thread.
class AnswerMeter final : public http::HttpClient {
public:
    AnswerMeter(std::shared_ptr<http::HttpClient> client, std::string address);

    void submit(http::Request request, std::stop_token stop, Completion done) override;

    std::uint64_t bytes() const { return m_seen->bytes; } // received so far
    // By the service's clock; std::nullopt: it did not tell.
    std::optional<base::UtcTime> answeredAt() const;

private:
    struct Seen {
        std::atomic<std::uint64_t> bytes{0};
        std::atomic<std::int64_t> date{0}; // Unix time; 0: not told
    };

    std::shared_ptr<http::HttpClient> m_client;
    std::string m_address;
    std::shared_ptr<Seen> m_seen = std::make_shared<Seen>(); // answers come on another thread
};

} // namespace gpuledger::gcp
