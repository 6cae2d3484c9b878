// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/secret.h"
#include "app/base/time.h"
#include "connectors/http/url.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::http {

// What proves who we are. Shared by the requests of one source, never logged; sent over TLS or to a loopback address
// only, and only to the origin that was asked for.
struct Credentials {
    std::string user; // basic
    base::Secret password;
    base::Secret bearer;
    std::string bearerHeader; // the header that carries it as it is; empty: Authorization
    std::string certificateFile; // PEM paths of a client certificate
    std::string keyFile;
    base::Secret certificatePem; // the same in memory; used instead of the files
    base::Secret keyPem;

    bool inHeaders() const { return !user.empty() || !password.empty() || !bearer.empty(); }
};

struct Timeouts {
    std::chrono::milliseconds connect{10'000};
    std::chrono::milliseconds silent{25'000}; // slower than kSlowBytesPerSecond for so long
    std::chrono::milliseconds total{55'000};
};
inline constexpr long kSlowBytesPerSecond = 100;

struct Request {
    std::string method = "GET";
    std::string url;
    Parameters headers; // no credentials; names such as Authorization are treated as one
    std::string body;
    std::string contentType;
    std::shared_ptr<const Credentials> credentials;
    std::string caFile; // PEM; empty: the system's authorities
    std::string caPem; // the same in memory; used instead of the file
    std::string proxy; // http, https or socks5 address; empty: as the environment says
    // A service of this machine (isMetadataHost) or of loopback: never through a proxy, and a credential may go there
    // in plain http. To any other address it makes no difference.
    bool toMachine = false;
    // The certificate must be for this name, which is sent as SNI too; empty: the url's host.
    std::string serverName;
    bool once = false; // on a new connection, because libcurl sends again what a kept one lost; for what changes things
    std::vector<std::string> keepHeaders; // names, in lower case, of the headers that Response::headers has
    Timeouts timeouts;
    std::size_t maxBytes = 24u << 20; // of the body after decompression
    // Takes the body piece by piece on the network thread instead of Response::body; false ends the transfer. Must be
    // quick.
    std::function<bool(std::string_view)> consumer;
};

struct Response {
    int status = 0;
    std::string contentType;
    std::optional<base::Seconds> retryAfter;
    std::string body;
    Parameters headers; // those of Request::keepHeaders, names in lower case
    std::uint64_t wireBytes = 0; // as received, still compressed
};

// Sends requests. The seam that tests replace. Any thread may call.
class HttpClient {
public:
    using Completion = std::function<void(base::Result<Response>)>;

    virtual ~HttpClient() = default;
    // Returns at once; `done` is called exactly once, on another thread or before the return, and must be quick. Any
    // HTTP status is a Response. Fails with Cancelled (within 200 ms of the request to stop), InvalidConfig, Timeout,
    // Network, Tls, TooMuch (body above maxBytes) or Parse (broken content encoding).
    virtual void submit(Request request, std::stop_token stop, Completion done) = 0;
    // The same, waiting for the answer.
    [[nodiscard]] base::Result<Response> perform(Request request, std::stop_token stop);
};

// The error that a status stands for when nothing better is known about it; 2xx gives none.
std::optional<base::Error> statusError(const Response &response, std::string_view url);

} // namespace gpuledger::http
