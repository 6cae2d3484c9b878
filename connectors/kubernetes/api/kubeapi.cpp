// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/kubernetes/api/kubeapi.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/kubernetes/api/objects.h"

#include <algorithm>

namespace gpuledger::kubernetes {

using base::ErrorCode;
using base::Result;
using Outcome = ports::WriteOutcome::Kind;

namespace {

constexpr std::size_t kShownBytes = 400;
constexpr int kMostPages = 2'000; // a million objects
constexpr const char *kJson = "application/json";
constexpr const char *kMetadata =
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"; // in order of preference
const http::Timeouts kOneObject{http::Milliseconds{10'000}, http::Milliseconds{25'000}, http::Milliseconds{30'000}};
const http::Timeouts kList{http::Milliseconds{10'000}, http::Milliseconds{30'000}, http::Milliseconds{60'000}};
constexpr http::RetryLimits kRetries{3, http::Milliseconds{500}, http::Milliseconds{5'000}, http::Milliseconds{10'000}};

// The Status object of an answer; null if there is none.
Json statusOf(const http::Response &response)
{
    const auto json = format::parseJson(response.body);
    return json && format::textOf(*json, "kind") == "Status" ? *json : Json();
}

std::optional<base::Seconds> retryAfterOf(const http::Response &response, const Json &status)
{
    if (response.retryAfter)
        return response.retryAfter;
    const auto details = status.is_object() ? status.find("details") : status.end();
    if (!status.is_object() || details == status.end() || !details->is_object())
        return std::nullopt;
    const auto seconds = details->find("retryAfterSeconds");
    if (seconds == details->end() || !seconds->is_number_integer() || seconds->get<std::int64_t>() <= 0)
        return std::nullopt;
    return std::min(base::Seconds(seconds->get<std::int64_t>()), http::kMaxRetryAfter);
}

// The text of `Warning: 299 - "text"`.
std::string warningText(const std::string &value)
{
    const std::size_t from = value.find('"'), to = value.rfind('"');
    return shown(from == std::string::npos || to <= from ? value : value.substr(from + 1, to - from - 1));
}

Outcome kindOf(int status, bool hasStatus)
{
    switch (status) {
    case 404:
        return Outcome::Gone;
    case 409:
    case 422:
        return Outcome::Changed;
    case 410:
        return Outcome::Changed;
    case 429:
        return Outcome::TryLater;
    case 408:
        return Outcome::Unknown;
    default:
        break;
    }
    if (status >= 500)
        return Outcome::Unknown;
    return status >= 200 && status < 300 && hasStatus ? Outcome::Done : Outcome::Refused;
}

// A strict field validation error first quotes the whole object; the relevant part is at its end.
std::string messageOf(const Json &status)
{
    constexpr std::string_view kStrict = "strict decoding error: ";
    const std::string message = format::textOf(status, "message");
    const std::size_t from = message.rfind(kStrict);
    return from == std::string::npos ? message : message.substr(from);
}

// Whether the failure itself shows that nothing was done and that no concurrent change is the reason: a field that the
// kind does not know, a value that it does not allow (422 with causes; a failed `test` of a JSON Patch has none), or
// two disruption budgets for one pod (an answer with code 500).
bool isPlainRefusal(const Json &status, int code)
{
    const std::string message = messageOf(status);
    if (code >= 500)
        return message.find("more than one PodDisruptionBudget") != std::string::npos;
    if (message.starts_with("strict decoding error: ") || message.find("unknown field") != std::string::npos)
        return true;
    const Json &causes = at(status, {"details", "causes"});
    if (code != 422 || !causes.is_array() || causes.empty())
        return false;
    return std::none_of(causes.begin(), causes.end(), [](const Json &cause) { // the object was recreated
        return format::textOf(cause, "field") == "metadata.uid";
    });
}

// The body decides, whatever the HTTP status: a success status can carry a failure.
void judge(const http::Response &response, const std::string &what, WriteAnswer &answer)
{
    auto json = format::parseJson(response.body);
    const bool isObject = json && json->is_object();
    const bool failed =
        isObject && format::textOf(*json, "kind") == "Status" && format::textOf(*json, "status") == "Failure";
    int code = response.status;
    if (failed) {
        answer.reason = format::textOf(*json, "reason");
        const auto told = json->find("code");
        if (code < 300 && told != json->end() && told->is_number_integer())
            code = told->get<int>();
        answer.outcome.retryAfter = retryAfterOf(response, *json);
    }
    const bool isSuccess = response.status >= 200 && response.status < 300;
    answer.outcome.kind = kindOf(code, isObject && !failed);
    if (isSuccess && !failed && !isObject)
        answer.outcome.kind = Outcome::Unknown; // a page from an intermediary: the outcome is unknown
    // The server processed the request and reports, inside a success status, that it did nothing.
    if (isSuccess && failed && answer.outcome.kind == Outcome::Unknown)
        answer.outcome.kind = Outcome::Refused;
    if (answer.outcome.kind == Outcome::Done) {
        answer.object = std::move(*json);
        if (const auto meta = answer.object.find("metadata"); meta != answer.object.end())
            answer.outcome.version = format::textOf(*meta, "resourceVersion");
        return;
    }
    answer.outcome.text = errorOf(response, what).text;
    if (failed && isPlainRefusal(*json, code))
        answer.outcome.kind = Outcome::Refused;
    else if (code == 422) // the server does not say which test of the patch failed
        answer.outcome.text = "it changed after it was checked; " + answer.outcome.text;
    if (!answer.outcome.retryAfter)
        answer.outcome.retryAfter = response.retryAfter;
}

} // namespace

std::string shown(std::string_view text)
{
    return base::printable(base::log::redacted(base::printable(text, 4 * kShownBytes)), kShownBytes);
}

std::string segment(std::string_view name)
{
    const std::string encoded = http::formEncode({{"", std::string(name)}});
    return encoded.substr(1);
}

base::Error errorOf(const http::Response &response, const std::string &what)
{
    const Json status = statusOf(response);
    base::Error error = http::statusError(response, "").value_or(base::Error::make(ErrorCode::Server, ""));
    const std::string message = messageOf(status);
    error.text = what + ": " + (message.empty() ? "HTTP " + std::to_string(response.status) : shown(message));
    switch (response.status) {
    case 401:
        error.hint = base::text(base::Remedy::LogInAgainWithKubectl);
        break;
    case 403:
        error.hint = base::text(base::Remedy::GrantKubernetesPermission);
        break;
    case 404:
        error.hint.clear();
        break;
    case 410:
        error.code = ErrorCode::Refused;
        break;
    default:
        break;
    }
    return error;
}

KubeApi::KubeApi(std::shared_ptr<auth::KubeCredentials> credentials, std::shared_ptr<http::HttpClient> client,
                 std::shared_ptr<http::Pause> pause)
    : m_credentials(std::move(credentials))
    , m_client(std::move(client))
    , m_pause(std::move(pause))
{
}

// Bursts of up to one second are allowed.
bool KubeApi::waitForTurn(const std::stop_token &stop)
{
    using http::Milliseconds;
    constexpr Milliseconds kStep{1000 / kRequestsPerSecond};
    Milliseconds wait{};
    {
        const std::lock_guard lock(m_mutex);
        const Milliseconds now = m_pause->steadyNow();
        m_nextTurn = std::max(m_nextTurn, now - Milliseconds{1000}) + kStep;
        wait = std::max(Milliseconds{}, m_nextTurn - now);
    }
    return wait.count() == 0 ? !stop.stop_requested() : m_pause->wait(wait, stop);
}

Result<http::Request> KubeApi::makeRequest(const std::string &method, const std::string &path,
                                           const http::Timeouts &timeouts, const char *accept)
{
    const auth::KubeAccess &access = m_credentials->access();
    http::Request request;
    request.method = method;
    request.url = access.server + path;
    request.headers = access.headers;
    request.headers.emplace_back("Accept", accept);
    request.caPem = access.caPem;
    request.proxy = access.proxy;
    request.serverName = access.serverName;
    request.timeouts = timeouts;
    request.maxBytes = kMostObjectBytes;
    request.keepHeaders = {"warning", "audit-id"};
    auto credentials = m_credentials->current();
    GPULEDGER_TRY(credentials);
    request.credentials = std::move(*credentials);
    return request;
}

// A 401 means that nothing was done, so even a write may be sent again with a newer credential.
Result<http::Response> KubeApi::send(http::Request request, const std::stop_token &stop)
{
    if (!waitForTurn(stop))
        return base::fail(ErrorCode::Cancelled, "cancelled");
    auto response = m_client->perform(request, stop);
    if (!response || response->status != 401)
        return response;
    auto renewed = m_credentials->renewed(request.credentials);
    GPULEDGER_TRY(renewed);
    if (*renewed == request.credentials)
        return response;
    request.credentials = std::move(*renewed);
    return m_client->perform(std::move(request), stop);
}

Result<http::Response> KubeApi::sendRepeatedly(const http::Request &request, const std::stop_token &stop)
{
    http::RetryPolicy policy(kRetries);
    const http::Milliseconds begin = m_pause->steadyNow();
    for (int failures = 1;; ++failures) {
        auto response = send(request, stop);
        if (response && response->status < 500 && response->status != 429)
            return response;
        const base::Error error = response ? errorOf(*response, "") : response.error();
        const auto wait =
            policy.delay(failures, error, response ? response->retryAfter : std::nullopt, m_pause->steadyNow() - begin);
        if (!wait)
            return response;
        if (!m_pause->wait(*wait, stop))
            return base::fail(ErrorCode::Cancelled, "cancelled");
    }
}

Result<Json> KubeApi::answerOf(Result<http::Response> response, const std::string &what) const
{
    GPULEDGER_TRY(response);
    if (response->status < 200 || response->status >= 300)
        return base::fail(errorOf(*response, what));
    auto json = format::parseJson(response->body);
    if (!json || !json->is_object())
        return base::fail(ErrorCode::Parse, what + ": the response is not a Kubernetes object",
                          base::Remedy::CheckKubernetesServer);
    return json;
}

Result<Json> KubeApi::get(const std::string &path, const std::stop_token &stop)
{
    const auto request = makeRequest("GET", path, kOneObject);
    GPULEDGER_TRY(request);
    return answerOf(sendRepeatedly(*request, stop), "get " + path.substr(0, path.find('?')));
}

Result<Json> KubeApi::ask(const std::string &path, const Json &body, const std::stop_token &stop)
{
    auto request = makeRequest("POST", path, kOneObject);
    GPULEDGER_TRY(request);
    request->contentType = "application/json";
    request->body = body.dump();
    return answerOf(sendRepeatedly(*request, stop), "create " + path);
}

Result<std::string> KubeApi::list(const std::string &path, const Visitor &visit, const std::stop_token &stop)
{
    return listAs(kJson, path, visit, stop);
}

Result<std::string> KubeApi::listMetadata(const std::string &path, const Visitor &visit, const std::stop_token &stop)
{
    return listAs(kMetadata, path, visit, stop);
}

Result<std::string> KubeApi::listAs(const char *accept, const std::string &path, const Visitor &visit,
                                    const std::stop_token &stop)
{
    const std::string first = path + (path.find('?') == std::string::npos ? '?' : '&')
        + http::formEncode({{"limit", std::to_string(kPageItems)}});
    std::string page = first, version;
    for (int pages = 0; pages < kMostPages; ++pages) {
        auto request = makeRequest("GET", page, kList, accept);
        GPULEDGER_TRY(request);
        request->maxBytes = 24u << 20;
        const auto json = answerOf(sendRepeatedly(*request, stop), "list " + path.substr(0, path.find('?')));
        GPULEDGER_TRY(json);
        const auto items = json->find("items");
        const auto meta = json->find("metadata");
        if (items == json->end() || !(items->is_array() || items->is_null()) || meta == json->end())
            return base::fail(ErrorCode::Parse, "list " + path + ": the response is not a list");
        if (version.empty())
            version = format::textOf(*meta, "resourceVersion");
        for (const Json &item : *items)
            visit(item);
        const std::string next = format::textOf(*meta, "continue");
        if (next.empty())
            return version;
        page = first + '&' + http::formEncode({{"continue", next}});
    }
    return base::fail(ErrorCode::TooMuch, "list " + path + " has more than 2,000 pages");
}

WriteAnswer KubeApi::write(const WriteCall &call, const std::stop_token &stop)
{
    WriteAnswer answer;
    std::string path = call.path;
    http::Parameters query;
    if (call.hasFieldQuery)
        query = {{"fieldManager", "gpu-ledger"}, {"fieldValidation", "Strict"}};
    if (call.isDryRun)
        query.emplace_back("dryRun", "All");
    if (!query.empty())
        path += '?' + http::formEncode(query);
    auto request = makeRequest(call.method, path, kOneObject);
    if (!request) { // nothing was sent
        answer.outcome.kind = Outcome::Refused;
        answer.outcome.text = request.error().text;
        return answer;
    }
    request->once = true;
    request->contentType = call.contentType;
    request->body = call.body.dump();
    if (stop.stop_requested()) {
        answer.outcome.kind = Outcome::Refused;
        answer.outcome.text = "cancelled before it was sent";
        return answer;
    }
    const auto response = send(std::move(*request), stop);
    if (!response) {
        const bool never = response.error().code == ErrorCode::InvalidConfig || response.error().code == ErrorCode::Tls;
        answer.outcome.kind = never ? Outcome::Refused : Outcome::Unknown;
        answer.outcome.text = shown(response.error().text);
        return answer;
    }
    answer.status = response->status;
    for (const auto &[name, value] : response->headers) {
        if (name == "audit-id")
            answer.outcome.receipt = base::printable(value, 100);
        else
            answer.outcome.warnings.push_back(warningText(value));
    }
    judge(*response, call.method + ' ' + call.path, answer);
    return answer;
}

} // namespace gpuledger::kubernetes
