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

// As kubectl asks when it looks around; a server that wants less answers 429.
inline constexpr int kRequestsPerSecond = 50;
inline constexpr std::size_t kPageItems = 250;
inline constexpr std::size_t kMostObjectBytes = 16u << 20;

// One call that changes something, or that asks what it would do.
struct WriteCall {
    std::string method; // POST, PATCH, DELETE
    std::string path;
    std::string contentType = "application/json";
    Json body;
    bool isDryRun = false; // adds dryRun=All to the query; a body that needs it has it already
    bool hasFieldQuery = true; // fieldManager and fieldValidation
};

struct WriteAnswer {
    ports::WriteOutcome outcome;
    int status = 0; // HTTP; 0: no answer
    std::string reason; // of a Status that is a failure
    Json object; // what the server sent back; null: nothing
};

// One API server: requests within a budget, Status objects turned into errors and outcomes, a refused credential
// renewed once. Reads are sent again when that may help, writes never. Blocks; any thread. Errors of reads: as
// ports::ActionTarget.
class KubeApi {
public:
    KubeApi(std::shared_ptr<auth::KubeCredentials> credentials, std::shared_ptr<http::HttpClient> client,
            std::shared_ptr<http::Pause> pause = std::make_shared<http::SystemPause>());

    // `path` with its query, from "/".
    [[nodiscard]] base::Result<Json> get(const std::string &path, const std::stop_token &stop);
    // What a question that is a POST answers (access reviews).
    [[nodiscard]] base::Result<Json> ask(const std::string &path, const Json &body, const std::stop_token &stop);
    // Every object of a list, page by page; one page is in memory at a time. Gives the list's resourceVersion. A list
    // that expires on the way (410) fails with Refused "expired": begin again.
    using Visitor = std::function<void(const Json &)>;
    [[nodiscard]] base::Result<std::string> list(const std::string &path, const Visitor &visit,
                                                 const std::stop_token &stop);
    // The same, but each object has its metadata alone (PartialObjectMetadata), or all, where the server can't.
    [[nodiscard]] base::Result<std::string> listMetadata(const std::string &path, const Visitor &visit,
                                                         const std::stop_token &stop);
    [[nodiscard]] WriteAnswer write(const WriteCall &call, const std::stop_token &stop);
    // A watch: each piece of the body goes to `consumer` on the network thread. Returns when the stream ends.
    [[nodiscard]] base::Result<http::Response> stream(const std::string &path, base::Seconds atMost,
                                                      std::function<bool(std::string_view)> consumer,
                                                      const std::stop_token &stop);

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

// What a failed answer says, as an error. `what`: verb and path of the request, without its query.
[[nodiscard]] base::Error errorOf(const http::Response &response, const std::string &what);
// True for a Status that says that a version is too old or too new to go on from (the latter is a cause of a time-out).
bool isExpired(const Json &status);
// Percent-encoded for one segment of a path.
std::string segment(std::string_view name);
// A text of the platform for people: one line, no secret that we know, cut.
std::string shown(std::string_view text);

} // namespace gpuledger::kubernetes
