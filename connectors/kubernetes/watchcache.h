// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/kubernetes/kubeapi.h"

#include <map>

namespace gpuledger::kubernetes {

// The part of an object that is kept; std::nullopt drops the object. Also called on the network thread, so it must be
// fast.
using KeepOf = std::function<std::optional<Json>(const Json &)>;

// The objects of one list (pods, nodes), kept up to date by a watch: listed once, then updated from events and
// bookmarks, and listed again when the server answers 410 in any form. A stream that ends is resumed at once, a broken
// one after 1 to 30 s. Must not be relied on before a stop, because it may lag behind. Memory use is what `keep`
// returns plus one line of the stream, at most kMostObjectBytes. run() on one thread, everything else on any.
class WatchCache {
public:
    WatchCache(KubeApi &api, std::string path, KeepOf keep,
               std::shared_ptr<http::Pause> pause = std::make_shared<http::SystemPause>());

    // Blocks until stopped.
    void run(const std::stop_token &stop);

    std::vector<Json> objects() const; // as kept, unordered
    bool isComplete() const; // has been listed once
    std::uint64_t lists() const; // number of list calls so far
    std::optional<base::Error> lastError() const; // since the last event or list; std::nullopt if all is well

    static constexpr base::Seconds kWatchTime{300};

private:
    enum class Ended { AtItsTime, Expired, Broken };
    // Parses a stream; lives as long as one watch.
    class Stream;
    base::Result<void> listAnew(const std::stop_token &stop);
    Ended watch(const std::stop_token &stop);
    void fail(base::Error error);
    // Returns false if the stream must be abandoned.
    bool apply(const Json &event);
    void store(const Json &object);

    KubeApi &m_api;
    std::string m_path;
    KeepOf m_keep;
    std::shared_ptr<http::Pause> m_pause;
    mutable std::mutex m_mutex;
    std::map<std::string, Json> m_objects; // by uid
    std::string m_version; // to resume from; if empty, list first
    bool m_isExpired = false; // reported by the stream
    bool m_isBroken = false;
    std::uint64_t m_lists = 0, m_events = 0;
    std::optional<base::Error> m_error;
};

} // namespace gpuledger::kubernetes
