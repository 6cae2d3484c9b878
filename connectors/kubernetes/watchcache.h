// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/kubernetes/kubeapi.h"

#include <map>

namespace gpuledger::kubernetes {

// What is kept of an object; nothing: it is of no interest. Called on the network thread too, so it must be quick.
using KeepOf = std::function<std::optional<Json>(const Json &)>;

// The objects of one list (pods, nodes), kept up to date by a watch: listed once, followed by events and bookmarks, and
// listed anew when the server says 410, in whichever form. A stream that ends is taken up again at once, a broken one
// after 1 to 30 s. Never to be asked before a stop: it may be behind. Memory is what `keep` gives; of the stream one
// line is held, at most kMostObjectBytes. run() on one thread, everything else on any.
class WatchCache {
public:
    WatchCache(KubeApi &api, std::string path, KeepOf keep,
               std::shared_ptr<http::Pause> pause = std::make_shared<http::SystemPause>());

    // Blocks until asked to stop.
    void run(const std::stop_token &stop);

    std::vector<Json> objects() const; // as kept, in no order
    bool isComplete() const; // listed once
    std::uint64_t lists() const; // how often it was listed
    std::optional<base::Error> lastError() const; // since the last event or list; nothing: all is well

    static constexpr base::Seconds kWatchTime{300};

private:
    enum class Ended { AtItsTime, Expired, Broken };
    // Takes a stream apart; lives as long as one watch.
    class Stream;
    base::Result<void> listAnew(const std::stop_token &stop);
    Ended watch(const std::stop_token &stop);
    void fail(base::Error error);
    // False: the stream must be left.
    bool apply(const Json &event);
    void store(const Json &object);

    KubeApi &m_api;
    std::string m_path;
    KeepOf m_keep;
    std::shared_ptr<http::Pause> m_pause;
    mutable std::mutex m_mutex;
    std::map<std::string, Json> m_objects; // by uid
    std::string m_version; // to go on from; empty: list first
    bool m_isExpired = false; // the stream said so
    bool m_isBroken = false;
    std::uint64_t m_lists = 0, m_events = 0;
    std::optional<base::Error> m_error;
};

} // namespace gpuledger::kubernetes
