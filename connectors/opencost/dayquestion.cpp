// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/opencost/dayquestion.h"

#include "app/base/remedy.h"
#include "connectors/format/json.h"
#include "connectors/opencost/allocationrecords.h"

#include <algorithm>
#include <array>
#include <set>
#include <thread>
#include <utility>

namespace gpuledger::opencost {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::size_t kPageRecords = 2'000;
constexpr std::size_t kMostPages = 500;
constexpr std::size_t kMostPagedBytes = 256u << 20;

using Bodies = std::vector<std::string>;

http::Parameters allocationQuestion(base::Day day)
{
    // Each product knows some of these parameters and ignores the others. Costs must not be shared before our own rules
    // do so.
    return {{"window", windowOf(day)}, {"aggregate", "cluster,node,namespace,pod"},
            {"accumulate", "false"},   {"includeIdle", "true"},
            {"idle", "true"},          {"idleByNode", "true"},
            {"shareIdle", "false"},    {"shareTenancyCosts", "false"},
            {"external", "false"}};
}

http::Parameters assetQuestion(base::Day day)
{
    return {{"window", windowOf(day)}, {"accumulate", "false"}};
}

// limit and offset count records only if all sets are accumulated into one.
http::Parameters pageOf(http::Parameters question, std::size_t page)
{
    for (auto &[name, value] : question) {
        if (name == "accumulate")
            value = "true";
    }
    question.emplace_back("limit", std::to_string(kPageRecords));
    question.emplace_back("offset", std::to_string(page * kPageRecords));
    return question;
}

base::Error moved(std::string text)
{
    base::Error error = base::Error::make(ErrorCode::Parse, std::move(text), base::Remedy::NextSyncTriesAgain);
    error.retryable = true;
    return error;
}

// The number of new records on the page; fails if the page repeats records of an earlier one.
Result<std::size_t> countNew(std::string body, std::set<std::string> &seen)
{
    std::size_t records = 0;
    bool again = false;
    format::RecordReader reader({});
    const auto read = reader.read(body, [&](std::string_view name, const format::RecordValues &) {
        ++records;
        const bool isIdle = name.ends_with("__idle__");
        again = (!seen.emplace(name).second && !isIdle) || again;
        return true;
    });
    GPULEDGER_TRY(read);
    if (again)
        return base::fail(moved("the records changed while they were being read page by page"));
    return records;
}

Result<Bodies> fetchPages(Server &server, std::string_view path, const http::Parameters &question,
                          const std::stop_token &stop, const base::Error &tooMuch)
{
    Bodies bodies;
    std::set<std::string> seen;
    std::size_t bytes = 0;
    for (std::size_t page = 0; page < kMostPages; ++page) {
        auto body = server.fetch(path, pageOf(question, page), stop);
        GPULEDGER_TRY(body);
        bytes += body->size();
        const auto records = countNew(*body, seen);
        GPULEDGER_TRY(records);
        if (*records > kPageRecords + 1 || bytes > kMostPagedBytes) // the server has no pages, or too many
            return base::fail(tooMuch);
        bodies.push_back(std::move(*body));
        if (*records < kPageRecords)
            return bodies;
    }
    return base::fail(tooMuch);
}

Result<Bodies> fetchAll(Server &server, std::string_view path, const http::Parameters &question,
                        const std::stop_token &stop)
{
    auto body = server.fetch(path, question, stop);
    if (body) {
        Bodies one;
        one.push_back(std::move(*body));
        return one;
    }
    if (body.error().code != ErrorCode::TooMuch)
        return base::fail(std::move(body).error());
    return fetchPages(server, path, question, stop, body.error());
}

// Reads the bodies of one query. Returns whether the data was a list.
template <typename Add>
Result<bool> readAll(Bodies &bodies, std::span<const std::string_view> members, std::string &warning, Add add)
{
    bool isList = false;
    format::RecordReader reader(members);
    for (std::string &body : bodies) {
        const auto envelope = reader.read(body, add);
        GPULEDGER_TRY(envelope);
        if (!envelope->hasData && (envelope->code.value_or(200) >= 400 || !envelope->message.empty())) {
            const bool client = envelope->code.value_or(500) < 500;
            base::Error error = base::Error::make(ErrorCode::Server, "the server reports: " + envelope->message);
            error.retryable = !client;
            return base::fail(std::move(error));
        }
        isList = isList || envelope->isList;
        warning = envelope->warning.empty() ? warning : envelope->warning;
    }
    return isList;
}

bool isApi(const Result<std::string> &body)
{
    if (!body)
        return false;
    const auto json = format::parseJson(*body);
    return json && json->is_object();
}

// Not an answer of this API but of another service at the address.
bool isElsewhere(const base::Error &error)
{
    return error.code == ErrorCode::NotFound || error.code == ErrorCode::Unauthorized
        || error.code == ErrorCode::Unsupported || error.code == ErrorCode::InvalidConfig
        || (error.code == ErrorCode::Server && !error.retryable);
}

} // namespace

Server::Server(http::HttpClient &client, Endpoint endpoint, http::RetryLimits retries, http::Pause &pause, Renew renew)
    : m_client(client)
    , m_endpoint(std::move(endpoint))
    , m_retries(retries)
    , m_pause(pause)
    , m_renew(std::move(renew))
{
}

Endpoint Server::endpoint() const
{
    const std::lock_guard lock(m_mutex);
    return m_endpoint;
}

void Server::setPrefix(std::string prefix)
{
    const std::lock_guard lock(m_mutex);
    m_endpoint.prefix = std::move(prefix);
}

// True if the credential now differs from the one that the request was sent with.
bool Server::renewed(const std::shared_ptr<const http::Credentials> &used)
{
    const std::lock_guard lock(m_mutex);
    if (m_endpoint.credentials != used)
        return true;
    auto fresh = m_renew ? m_renew() : base::fail(ErrorCode::Unauthorized, "nothing to renew");
    if (!fresh)
        return false;
    m_endpoint.credentials = std::move(*fresh);
    return true;
}

Result<std::string> Server::fetch(std::string_view path, const http::Parameters &parameters,
                                  const std::stop_token &stop)
{
    http::RetryPolicy policy(m_retries);
    const http::Milliseconds begin = m_pause.steadyNow();
    bool triedAgain = false;
    for (int failures = 0;;) {
        if (stop.stop_requested())
            return base::fail(ErrorCode::Cancelled, "cancelled");
        const Endpoint to = endpoint();
        auto answer = m_client.perform(makeRequest(to, path, parameters), stop);
        std::optional<base::Error> error;
        std::optional<base::Seconds> retryAfter;
        if (answer) {
            m_bytes += answer->wireBytes;
            retryAfter = answer->retryAfter;
            if (answer->status == 401 && !std::exchange(triedAgain, true) && renewed(to.credentials))
                continue;
            error = refusal(to, *answer);
            if (!error)
                return std::move(answer->body);
        } else {
            error = std::move(answer).error();
        }
        if (error->code == ErrorCode::Timeout)
            return base::fail(std::move(*error));
        const auto delay = policy.delay(++failures, *error, retryAfter, m_pause.steadyNow() - begin);
        if (!delay) {
            if (retryAfter && error->retryable)
                m_asksToWait = std::min(*retryAfter, http::kMaxRetryAfter).count();
            return base::fail(std::move(*error));
        }
        if (!m_pause.wait(*delay, stop))
            return base::fail(ErrorCode::Cancelled, "cancelled");
    }
}

Result<void> findApi(Server &server, base::Day day, const std::stop_token &stop)
{
    const bool typed = server.endpoint().base.ends_with("/model");
    const std::vector<std::string> prefixes =
        typed ? std::vector<std::string>{""} : std::vector<std::string>{"/model", ""};
    const http::Parameters small{
        {"window", windowOf(day)}, {"aggregate", "cluster"}, {"accumulate", "true"}, {"shareIdle", "false"}};
    std::optional<base::Error> first;
    for (const bool cheap : {true, false}) {
        for (const std::string &prefix : prefixes) {
            server.setPrefix(prefix);
            auto body = cheap ? server.fetch("/clusterInfo", {}, stop) : server.fetch("/allocation", small, stop);
            if (isApi(body))
                return {};
            if (body)
                continue;
            if (!isElsewhere(body.error()))
                return base::fail(std::move(body).error());
            if (!first || first->code == ErrorCode::NotFound) // a login page is more informative than a 404
                first = std::move(body).error();
        }
    }
    if (first)
        return base::fail(std::move(*first));
    return base::fail(ErrorCode::Parse,
                      http::shownUrl(server.endpoint().base) + " responds, but is neither OpenCost nor Kubecost",
                      base::Remedy::CheckOpenCostPath);
}

Result<ports::AllocationAnswer> askDay(Server &server, base::Day day, base::Currency currency,
                                       const std::stop_token &stop)
{
    std::stop_source cancel;
    const std::stop_callback passOn(stop, [&] { cancel.request_stop(); });
    Result<Bodies> allocations, assets;
    {
        const std::jthread other([&] {
            allocations = fetchAll(server, "/allocation", allocationQuestion(day), cancel.get_token());
            if (!allocations)
                cancel.request_stop();
        });
        assets = fetchAll(server, "/assets", assetQuestion(day), cancel.get_token());
        if (!assets)
            cancel.request_stop();
    }
    // Of the two errors, report the one that did not result from cancelling the other query.
    const bool second = !assets && assets.error().code == ErrorCode::Cancelled && !allocations;
    if (second || (assets && !allocations))
        return base::fail(std::move(allocations).error());
    GPULEDGER_TRY(assets);
    AllocationRecords records(day, currency);
    ports::AllocationAnswer out;
    const auto isList =
        readAll(*assets, AllocationRecords::assetMembers(), out.warning,
                [&](std::string_view, const format::RecordValues &values) { return records.addAsset(values); });
    GPULEDGER_TRY(isList);
    const auto read = readAll(
        *allocations, AllocationRecords::allocationMembers(), out.warning,
        [&](std::string_view name, const format::RecordValues &values) { return records.addAllocation(name, values); });
    GPULEDGER_TRY(read);
    if (!records.foreignWindow().empty())
        return base::fail(ErrorCode::Unsupported,
                          "the server returned data for " + records.foreignWindow() + " instead of "
                              + base::toRfc3339(day.start()) + " to " + base::toRfc3339(day.end()),
                          base::Remedy::SetUtcOffset);
    out.day = records.take(*isList ? model::AllocationProduct::Kubecost : model::AllocationProduct::OpenCost);
    out.accepted = records.accepted();
    out.rejected = records.rejected();
    return out;
}

} // namespace gpuledger::opencost
