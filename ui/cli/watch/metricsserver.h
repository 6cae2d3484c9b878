// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

namespace gpuledger::cli {

// The answer to a request, whole. `head`: up to its empty line. Only GET and HEAD of /metrics, from a client that calls
// this computer by a name of its own: a page of another site that a browser took here gets nothing. Pure but for
// `metrics`, which is asked only for an answer that has them; no errors.
std::string httpAnswer(std::string_view head, const std::function<std::string()> &metrics);

// Serves the metrics over HTTP on 127.0.0.1, one request per connection, on a thread of its own. A client has five
// seconds and eight KiB for its request, and of more than sixteen at once the oldest is sent away, so that none holds
// up another for long, or the program. `metrics` is called on that thread.
class MetricsServer {
public:
    // Port 0: any free one. Fails with InvalidArgument: the port can't be used.
    [[nodiscard]] static base::Result<std::unique_ptr<MetricsServer>> listen(std::uint16_t port,
                                                                             std::function<std::string()> metrics);
    ~MetricsServer();
    MetricsServer(const MetricsServer &) = delete;
    MetricsServer &operator=(const MetricsServer &) = delete;

    std::uint16_t port() const { return m_port; }

private:
    class Clients;
    MetricsServer(int listener, int wake, std::uint16_t port, std::function<std::string()> metrics);
    void serve(const std::stop_token &stop);

    int m_listener, m_wake; // sockets; m_wake becomes readable when the server ends
    std::uint16_t m_port;
    std::function<std::string()> m_metrics;
    std::jthread m_thread; // the last member
};

} // namespace gpuledger::cli
