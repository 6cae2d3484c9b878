// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/actiontarget.h"
#include "connectors/auth/kubecredentials.h"
#include "connectors/http/httpclient.h"
#include "connectors/http/retrypolicy.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace gpuledger::kubernetes {

using Json = nlohmann::json;

// The rate that kubectl uses for discovery; a server that wants less answers 429.
inline constexpr int kRequestsPerSecond = 50;
inline constexpr std::size_t kPageItems = 250;
inline constexpr std::size_t kMostObjectBytes = 16u << 20;

// A call that changes something, or a dry run of one.
struct WriteCall {
    std::string method; // POST, PATCH, DELETE
    std::string path;
    std::string contentType = "application/json";
    Json body;
    bool isDryRun = false; // adds dryRun=All to the query; a body that needs it already contains it
    bool hasFieldQuery = true; // sends fieldManager and fieldValidation
};

// The answer to a WriteCall, judged by its body.
struct WriteAnswer {
    ports::WriteOutcome outcome;
    int status = 0; // HTTP status; 0 if there was no answer
    std::string reason; // from a Status that reports a failure
    Json object; // what the server sent back; null if nothing
};

// An API server: requests within a rate limit, Status objects turned into errors and outcomes, a refused credential
// renewed once. Reads are retried if that may help, writes never. Blocks; any thread. Errors of reads: as
// ports::ActionTarget.
class KubeApi {
public:
    KubeApi(std::shared_ptr<auth::KubeCredentials> credentials, std::shared_ptr<http::HttpClient> client,
            std::shared_ptr<http::Pause> pause = std::make_shared<http::SystemPause>());

    // `path` starts with "/" and includes the query.
    [[nodiscard]] base::Result<Json> get(const std::string &path, const std::stop_token &stop);
    // The answer to a query that is sent as POST (access reviews).
    [[nodiscard]] base::Result<Json> ask(const std::string &path, const Json &body, const std::stop_token &stop);
    // Visits every object of a list page by page, with one page in memory at a time. Returns the list's
    // resourceVersion. A list that expires on the way (410) fails with Refused "expired" and has to be restarted.
    using Visitor = std::function<void(const Json &)>;
    [[nodiscard]] base::Result<std::string> list(const std::string &path, const Visitor &visit,
                                                 const std::stop_token &stop);
    // As list(), but with the metadata of each object only (PartialObjectMetadata), or with the whole objects if the
    // server does not support that.
    [[nodiscard]] base::Result<std::string> listMetadata(const std::string &path, const Visitor &visit,
                                                         const std::stop_token &stop);
    [[nodiscard]] WriteAnswer write(const WriteCall &call, const std::stop_token &stop);

private:
    base::Result<http::Request> makeRequest(const std::string &method, const std::string &path,
                                            const http::Timeouts &timeouts, const char *accept = "application/json");
    base::Result<std::string> listAs(const char *accept, const std::string &path, const Visitor &visit,
                                     const std::stop_token &stop);
    base::Result<http::Response> send(http::Request request, const std::stop_token &stop);
    base::Result<http::Response> sendRepeatedly(const http::Request &request, const std::stop_token &stop);
    base::Result<Json> answerOf(base::Result<http::Response> response, const std::string &what) const;
    bool waitForTurn(const std::stop_token &stop);

    std::shared_ptr<auth::KubeCredentials> m_credentials;
    std::shared_ptr<http::HttpClient> m_client;
    std::shared_ptr<http::Pause> m_pause;
    std::mutex m_mutex;
    http::Milliseconds m_nextTurn{};
};

// Turns a failed answer into an error. `what`: verb and path of the request, without its query.
[[nodiscard]] base::Error errorOf(const http::Response &response, const std::string &what);
// Percent-encodes a name for one path segment.
std::string segment(std::string_view name);
// Platform text for display: one line, known secrets removed, truncated.
std::string shown(std::string_view text);

} // namespace gpuledger::kubernetes
