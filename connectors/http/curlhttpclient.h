// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/http/httpclient.h"

#include <memory>

namespace gpuledger::http {

inline constexpr int kMaxInFlightPerHost = 4;

// The real client: one libcurl multi handle in its own thread, with connections kept alive, HTTP/2 if the server has
// it, and at most kMaxInFlightPerHost requests per host. Redirects are followed to the same origin only; certificates
// are always verified. Any thread may submit; the destructor cancels the requests in flight and waits for the thread.
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
