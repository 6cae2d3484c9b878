// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/http/httpclient.h"

#include <memory>

namespace gpuledger::http {

inline constexpr int kMaxInFlightPerHost = 4;

// The real client: one libcurl multi handle in a thread of its own, connections kept and HTTP/2 where the server has
// it, at most kMaxInFlightPerHost requests a host. Redirects are followed to the same origin only; certificates are
// always checked. Any thread may submit; destruction cancels what is under way and waits for the thread.
class CurlHttpClient final : public HttpClient {
public:
    CurlHttpClient();
    ~CurlHttpClient() override;

    void submit(Request request, std::stop_token stop, Completion done) override;

private:
    class Loop;
    std::unique_ptr<Loop> m_loop;
};

} // namespace gpuledger::http
