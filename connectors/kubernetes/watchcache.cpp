// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/kubernetes/watchcache.h"

#include "connectors/format/json.h"
#include "connectors/kubernetes/objects.h"

#include <limits>

namespace gpuledger::kubernetes {

using base::ErrorCode;
using base::Result;
using format::textOf;

namespace {

constexpr http::RetryLimits kBackoff{std::numeric_limits<int>::max(), http::Milliseconds{1'000},
                                     http::Milliseconds{30'000}, http::Milliseconds{60'000}};

base::Error broken(const std::string &path, const std::string &why)
{
    base::Error error = base::Error::make(ErrorCode::Network, "watch " + path + ": " + why);
    error.retryable = true;
    return error;
}

} // namespace

// Splits a stream of chunks of any length into lines of JSON.
class WatchCache::Stream {
public:
    explicit Stream(WatchCache &cache)
        : m_cache(cache)
    {
    }

    bool take(std::string_view piece)
    {
        while (!piece.empty()) {
            const std::size_t end = piece.find('\n');
            m_line.append(piece.substr(0, end));
            if (m_line.size() > kMostObjectBytes)
                return false;
            if (end == std::string_view::npos)
                return true;
            piece.remove_prefix(end + 1);
            if (!finishLine())
                return false;
        }
        return true;
    }
    // An answer that is not a stream does not end with a newline.
    void finish()
    {
        if (!m_line.empty())
            (void)finishLine();
    }

private:
    bool finishLine()
    {
        const auto event = format::parseJson(m_line);
        m_line.clear();
        return event && m_cache.apply(*event);
    }

    WatchCache &m_cache;
    std::string m_line;
};

WatchCache::WatchCache(KubeApi &api, std::string path, KeepOf keep, std::shared_ptr<http::Pause> pause)
    : m_api(api)
    , m_path(std::move(path))
    , m_keep(std::move(keep))
    , m_pause(std::move(pause))
{
}

void WatchCache::fail(base::Error error)
{
    const std::lock_guard lock(m_mutex);
    m_error = std::move(error);
}

void WatchCache::store(const Json &object)
{
    const std::string uid = uidOf(object);
    if (uid.empty())
        return;
    auto kept = m_keep(object);
    if (kept)
        m_objects[uid] = std::move(*kept);
    else
        m_objects.erase(uid);
}

bool WatchCache::apply(const Json &event)
{
    const std::string type = textOf(event, "type");
    const Json &object = at(event, {"object"});
    const std::lock_guard lock(m_mutex);
    if (type == "ERROR" || type.empty()) { // a Status, sent alone if the watch could not start
        const Json &status = type.empty() ? event : object;
        m_isExpired = isExpired(status);
        m_isBroken = !m_isExpired;
        m_error = broken(m_path, shown(textOf(status, "message")));
        return false;
    }
    if (type == "DELETED")
        m_objects.erase(uidOf(object));
    else if (type == "ADDED" || type == "MODIFIED")
        store(object);
    else if (type != "BOOKMARK")
        return true; // from a later version
    if (std::string version = versionOf(object); !version.empty())
        m_version = std::move(version);
    ++m_events;
    m_error.reset();
    return true;
}

Result<void> WatchCache::listAnew(const std::stop_token &stop)
{
    std::map<std::string, Json> fresh;
    const auto version = m_api.list(
        m_path,
        [&](const Json &object) {
            if (auto kept = m_keep(object); kept && !uidOf(object).empty())
                fresh[uidOf(object)] = std::move(*kept);
        },
        stop);
    GPULEDGER_TRY(version);
    const std::lock_guard lock(m_mutex);
    m_objects = std::move(fresh);
    m_version = *version;
    m_error.reset();
    ++m_lists;
    return {};
}

WatchCache::Ended WatchCache::watch(const std::stop_token &stop)
{
    m_isExpired = m_isBroken = false;
    Stream stream(*this);
    std::string path = m_path + (m_path.find('?') == std::string::npos ? '?' : '&');
    path += http::formEncode({{"watch", "1"},
                              {"resourceVersion", m_version},
                              {"allowWatchBookmarks", "true"},
                              {"timeoutSeconds", std::to_string(kWatchTime.count())}});
    const auto response = m_api.stream(
        path, kWatchTime + base::Seconds{30}, [&](std::string_view piece) { return stream.take(piece); }, stop);
    stream.finish();
    if (m_isExpired || (response && response->status == 410))
        return Ended::Expired;
    if (response && response->status == 200 && !m_isBroken)
        return Ended::AtItsTime;
    if (!m_isBroken)
        fail(response ? errorOf(*response, "watch " + m_path) : response.error());
    return Ended::Broken;
}

void WatchCache::run(const std::stop_token &stop)
{
    http::RetryPolicy policy(kBackoff);
    int failures = 0;
    const auto waitAfterFailure = [&] {
        const auto wait = policy.delay(++failures, broken(m_path, ""), std::nullopt, {});
        return m_pause->wait(wait.value_or(kBackoff.maxDelay), stop);
    };
    while (!stop.stop_requested()) {
        if (m_version.empty()) {
            if (auto listed = listAnew(stop); !listed) {
                fail(std::move(listed).error());
                if (!waitAfterFailure())
                    return;
                continue;
            }
        }
        const std::uint64_t events = m_events;
        const Ended ended = watch(stop);
        if (m_events != events)
            failures = 0;
        if (ended == Ended::Expired)
            m_version.clear();
        // A server that ends its streams at once is not contacted again without a pause.
        const bool isHasty = m_events == events;
        if (ended == Ended::Broken || isHasty) {
            if (!waitAfterFailure())
                return;
        }
    }
}

std::vector<Json> WatchCache::objects() const
{
    const std::lock_guard lock(m_mutex);
    std::vector<Json> all;
    for (const auto &[uid, object] : m_objects)
        all.push_back(object);
    return all;
}

bool WatchCache::isComplete() const
{
    return lists() > 0;
}

std::uint64_t WatchCache::lists() const
{
    const std::lock_guard lock(m_mutex);
    return m_lists;
}

std::optional<base::Error> WatchCache::lastError() const
{
    const std::lock_guard lock(m_mutex);
    return m_error;
}

} // namespace gpuledger::kubernetes
