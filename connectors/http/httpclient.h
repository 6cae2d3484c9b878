// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/crypto/secret.h"
#include "app/base/result.h"
#include "app/base/time/time.h"
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

// The client's credentials. Shared by the requests of one source and never logged; sent over TLS or to a loopback
// address only, and only to the origin of the request.
struct Credentials {
    std::string user; // basic authentication
    base::Secret password;
    base::Secret bearer;
    std::string bearerHeader; // the header that carries it verbatim; empty: Authorization
    std::string certificateFile; // PEM paths of a client certificate
    std::string keyFile;
    base::Secret certificatePem; // the same in memory; used instead of the files
    base::Secret keyPem;

    bool inHeaders() const { return !user.empty() || !password.empty() || !bearer.empty(); }
};

// The time limits of one request.
struct Timeouts {
    std::chrono::milliseconds connect{10'000};
    std::chrono::milliseconds silent{25'000}; // slower than kSlowBytesPerSecond for this long
    std::chrono::milliseconds total{55'000};
};
inline constexpr long kSlowBytesPerSecond = 100;

// One HTTP request, with its credentials and limits.
struct Request {
    std::string method = "GET";
    std::string url;
    Parameters headers; // not for credentials; names such as Authorization are treated as credentials
    std::string body;
    std::string contentType;
    std::shared_ptr<const Credentials> credentials;
    std::string caFile; // PEM; empty: the system's authorities
    std::string caPem; // the same in memory; used instead of the file
    std::string proxy; // http, https or socks5 address; empty: as set in the environment
    // Allows a service of this machine (isMetadataHost) or on loopback: no proxy is used, and a credential may be sent
    // in plain http. Makes no difference for any other address.
    bool toMachine = false;
    // The name that the certificate must match, also sent as SNI; empty: the url's host.
    std::string serverName;
    // Use a new connection, because libcurl resends what a reused one lost; for requests that change something.
    bool once = false;
    bool decodesBody = true; // false: a body that was stored compressed stays as it is
    bool followsRedirects = true; // to the same origin; false: a redirect is a Response as any other
    // Names, in lower case, of the headers and trailers to keep in Response::headers.
    std::vector<std::string> keepHeaders;
    Timeouts timeouts;
    std::size_t maxBytes = 24u << 20; // of the body after decompression
    // Receives the body in chunks on the network thread, in place of Response::body; returns false to end the transfer.
    // Must be fast.
    std::function<bool(std::string_view)> consumer;
    // HTTP/2 from the first byte where it can't be negotiated, which is plain http; https negotiates it as always.
    bool assumesHttp2 = false;
};

// The answer to a Request, whatever its status.
struct Response {
    int status = 0;
    std::string contentType;
    std::optional<base::Seconds> retryAfter;
    std::string body;
    Parameters headers; // those of Request::keepHeaders as they came, trailers last; names in lower case
    std::uint64_t wireBytes = 0; // as received, still compressed
};

// Sends requests. The interface that tests replace. Any thread may call.
class HttpClient {
public:
    using Completion = std::function<void(base::Result<Response>)>;

    virtual ~HttpClient() = default;
    // Returns at once; `done` is called exactly once, on another thread or before this returns, and must be fast. Any
    // HTTP status is a Response. Fails with Cancelled (within 200 ms of the stop request), InvalidConfig, Timeout,
    // Network, Tls, TooMuch (body above maxBytes) or Parse (broken content encoding).
    virtual void submit(Request request, std::stop_token stop, Completion done) = 0;
    // As submit(), but waits for the answer.
    [[nodiscard]] base::Result<Response> perform(Request request, std::stop_token stop);
};

// The error that a status stands for if nothing more specific is known; std::nullopt for 2xx.
std::optional<base::Error> statusError(const Response &response, std::string_view url);

} // namespace gpuledger::http
