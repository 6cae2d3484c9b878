// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/query/queryrunner.h"

#include "app/base/remedy.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace gpuledger::prometheus {

namespace {

using base::ErrorCode;

base::Error rateLimited(Connection &connection, const base::Error &error, base::Seconds after)
{
    connection.asksToWait = std::min(after, http::kMaxRetryAfter);
    base::Error out = error;
    out.text = http::shownUrl(connection.endpoint.base) + " is rate limited: try again in "
        + std::to_string(after.count()) + " s";
    out.hint = base::text(base::Remedy::SyncLater);
    return out;
}

base::Error cancelled()
{
    return base::Error::make(ErrorCode::Cancelled, "cancelled");
}

bool refusesPost(int status)
{
    return status == 403 || status == 404 || status == 405;
}

} // namespace

struct QueryRunner::Arrived {
    std::size_t query = 0;
    base::Result<http::Response> result;
};

struct QueryRunner::Shared {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Arrived> arrived;
};

QueryRunner::QueryRunner(Connection &connection, std::vector<Query> queries, std::stop_token stop)
    : m_connection(connection)
    , m_queries(std::move(queries))
    , m_sent(m_queries.size())
    , m_stop(std::move(stop))
    , m_shared(std::make_shared<Shared>())
    , m_policy(connection.retries)
{
}

QueryRunner::~QueryRunner()
{
    drain();
}

void QueryRunner::start()
{
    fill();
}

void QueryRunner::send(std::size_t query)
{
    ++m_outstanding;
    m_sent[query] = {m_connection.endpoint.post && m_queries[query].call.form, m_connection.endpoint.credentials,
                     expectedBytes(query)};
    m_expectedBytes += m_sent[query].expectedBytes;
    m_connection.client.submit(makeRequest(m_connection.endpoint, m_queries[query].call), m_cancel.get_token(),
                               [shared = m_shared, query](base::Result<http::Response> result) {
                                   const std::lock_guard lock(shared->mutex);
                                   shared->arrived.push_back({query, std::move(result)});
                                   shared->changed.notify_one();
                               });
}

void QueryRunner::fill()
{
    while (m_failed.empty() && m_outstanding < kWindow && m_next < m_queries.size() && hasRoomFor(m_next))
        send(m_next++);
}

std::size_t QueryRunner::expectedBytes(std::size_t query) const
{
    const std::string &path = m_queries[query].call.path;
    const auto known = m_connection.largestAnswer.find(path);
    if (known != m_connection.largestAnswer.end())
        return known->second;
    return path == kRangePath ? kMaxBuffered / 2 : 0; // a fleet may be large
}

bool QueryRunner::hasRoomFor(std::size_t query) const
{
    return m_outstanding == 0 || m_expectedBytes + expectedBytes(query) <= kMaxBuffered;
}

QueryRunner::Arrived QueryRunner::wait()
{
    std::unique_lock lock(m_shared->mutex);
    m_shared->changed.wait(lock, [this] { return !m_shared->arrived.empty(); });
    Arrived first = std::move(m_shared->arrived.front());
    m_shared->arrived.pop_front();
    --m_outstanding;
    m_expectedBytes -= m_sent[first.query].expectedBytes;
    return first;
}

void QueryRunner::drain()
{
    m_cancel.request_stop();
    while (m_outstanding > 0)
        wait();
}

base::Result<bool> QueryRunner::retryLater(std::size_t query, base::Error error,
                                           std::optional<base::Seconds> retryAfter)
{
    if (!error.retryable)
        return base::fail(std::move(error));
    m_failed.push_back(query);
    m_lastError = std::move(error);
    if (retryAfter)
        m_retryAfter = retryAfter;
    return false;
}

base::Result<bool> QueryRunner::handle(Arrived arrived)
{
    if (!arrived.result)
        return wantsSmaller(arrived.result.error())
            ? base::Result<bool>(base::fail(std::move(arrived.result).error()))
            : retryLater(arrived.query, std::move(arrived.result).error(), std::nullopt);
    http::Response &response = *arrived.result;
    m_connection.bytes += response.wireBytes;
    if (m_sent[arrived.query].posted && refusesPost(response.status)) {
        m_connection.endpoint.post = false;
        send(arrived.query);
        return false;
    }
    if (response.status == 401) {
        if (!m_renewed && m_connection.renew) {
            m_renewed = true;
            if (auto fresh = m_connection.renew())
                m_connection.endpoint.credentials = std::move(*fresh);
        }
        if (m_sent[arrived.query].credentials != m_connection.endpoint.credentials) {
            send(arrived.query);
            return false;
        }
    }
    if (std::optional<base::Error> error = refusal(m_connection.endpoint, response)) {
        if (wantsSmaller(*error))
            return base::fail(std::move(*error));
        return retryLater(arrived.query, std::move(*error), response.retryAfter);
    }
    std::size_t &largest = m_connection.largestAnswer[m_queries[arrived.query].call.path];
    largest = std::max(largest, response.body.size());
    auto envelope = m_connection.reader.read(response.body, *m_queries[arrived.query].visitor);
    if (!envelope) {
        envelope.error().text = http::shownUrl(m_connection.endpoint.base) + ": " + envelope.error().text;
        return retryLater(arrived.query, std::move(envelope).error(), std::nullopt);
    }
    m_connection.warnings.insert(envelope->warnings.begin(), envelope->warnings.end());
    m_connection.lastAnswer = m_connection.pause.steadyNow();
    return true;
}

base::Result<void> QueryRunner::backOff()
{
    const http::Milliseconds now = m_connection.pause.steadyNow();
    if (m_failures++ == 0)
        m_firstFailure = now;
    const auto delay = m_policy.delay(m_failures, m_lastError, m_retryAfter, now - m_firstFailure);
    if (!delay)
        return base::fail(m_retryAfter ? rateLimited(m_connection, m_lastError, *m_retryAfter) : m_lastError);
    m_retryAfter.reset();
    if (!m_connection.pause.wait(*delay, m_stop))
        return base::fail(cancelled());
    const std::size_t query = m_failed.back();
    m_failed.pop_back();
    send(query);
    return {};
}

base::Result<void> QueryRunner::finish()
{
    const std::stop_callback cancel(m_stop, [this] { m_cancel.request_stop(); });
    for (;;) {
        if (m_stop.stop_requested())
            return base::fail(cancelled());
        fill();
        if (m_outstanding == 0) {
            if (m_failed.empty())
                return {};
            GPULEDGER_TRY(backOff());
        }
        auto used = handle(wait());
        if (!used)
            return base::fail(m_stop.stop_requested() ? cancelled() : std::move(used).error());
        if (*used)
            m_failures = 0;
    }
}

base::Result<std::string> fetchBody(Connection &connection, const ApiCall &call, std::stop_token stop)
{
    http::RetryPolicy policy(connection.retries);
    const http::Milliseconds begin = connection.pause.steadyNow();
    bool renewed = false;
    for (int failures = 0;;) {
        if (stop.stop_requested())
            return base::fail(cancelled());
        auto answer = connection.client.perform(makeRequest(connection.endpoint, call), stop);
        std::optional<base::Error> error;
        std::optional<base::Seconds> retryAfter;
        if (!answer) {
            error = std::move(answer).error();
            if (error->code == ErrorCode::Timeout)
                return base::fail(std::move(*error));
        } else {
            connection.bytes += answer->wireBytes;
            retryAfter = answer->retryAfter;
            if (call.form && connection.endpoint.post && refusesPost(answer->status)) {
                connection.endpoint.post = false;
                continue;
            }
            if (answer->status == 401 && !renewed && connection.renew) {
                renewed = true;
                if (auto fresh = connection.renew()) {
                    connection.endpoint.credentials = std::move(*fresh);
                    continue;
                }
            }
            error = refusal(connection.endpoint, *answer);
            if (!error) {
                connection.lastAnswer = connection.pause.steadyNow();
                return std::move(answer->body);
            }
        }
        const auto delay = policy.delay(++failures, *error, retryAfter, connection.pause.steadyNow() - begin);
        if (!delay)
            return base::fail(retryAfter && error->retryable ? rateLimited(connection, *error, *retryAfter)
                                                             : std::move(*error));
        if (!connection.pause.wait(*delay, stop))
            return base::fail(cancelled());
    }
}

} // namespace gpuledger::prometheus
