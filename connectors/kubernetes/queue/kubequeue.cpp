// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/kubernetes/queue/kubequeue.h"

#include <functional>

namespace gpuledger::kubernetes {

using base::ErrorCode;
using base::Result;
using model::WaitingFacts;

namespace {

constexpr int kMostBeginnings = 3; // times to start a list that expires while it is read
constexpr const char *kKueue = "kueue.x-k8s.io";

// Errors that make one list unavailable but not the others.
bool isOfOneList(ErrorCode code)
{
    return code == ErrorCode::Forbidden || code == ErrorCode::Parse || code == ErrorCode::TooMuch;
}

} // namespace

// Reads the lists of one answer, one after the other.
class KubeQueue::Reading {
public:
    Reading(Connection &connection, const std::string &cluster, const std::stop_token &stop)
        : m_connection(connection)
        , m_stop(stop)
        , m_facts(cluster)
    {
    }

    Result<WaitingFacts> all();

private:
    using Begin = void (QueueFacts::*)();
    using Add = Result<void> (QueueFacts::*)(const Json &);
    struct List {
        std::string name; // as an access review names it
        std::string path;
        Begin begin;
        Add add;
    };

    Result<void> read(const List &list);
    Result<bool> tried(const List &list);
    Result<bool> kueue(const char *kind, Begin begin, Add add);
    Result<bool> isPodListRead();

    Connection &m_connection;
    const std::stop_token &m_stop;
    QueueFacts m_facts;
    std::vector<std::string> m_missing;
};

// Starts again at the first page if the list expired on the server meanwhile (410).
Result<void> KubeQueue::Reading::read(const List &list)
{
    for (int beginnings = 1;; ++beginnings) {
        (m_facts.*list.begin)();
        Result<void> added;
        const auto listed = m_connection.api.list(
            list.path,
            [&](const Json &object) {
                if (added)
                    added = (m_facts.*list.add)(object);
            },
            m_stop);
        if (listed)
            return added;
        if (listed.error().code != ErrorCode::Refused || beginnings == kMostBeginnings)
            return base::fail(listed.error());
    }
}

// True if the list was read to its end.
Result<bool> KubeQueue::Reading::tried(const List &list)
{
    const auto done = read(list);
    if (done)
        return true;
    if (!isOfOneList(done.error().code))
        return base::fail(done.error());
    (m_facts.*list.begin)(); // half a list is useless
    const bool isForbidden = done.error().code == ErrorCode::Forbidden;
    m_missing.push_back("list " + list.name + (isForbidden ? std::string() : " (" + done.error().text + ')'));
    return false;
}

// If Kueue is not installed, there is nothing to read.
Result<bool> KubeQueue::Reading::kueue(const char *kind, Begin begin, Add add)
{
    const auto resource = m_connection.discovery.find(kKueue, kind, m_stop);
    if (!resource && resource.error().code == ErrorCode::Forbidden) {
        m_missing.push_back(std::string("get /apis/") + kKueue);
        return false;
    }
    GPULEDGER_TRY(resource);
    if (!*resource)
        return true;
    auto done = tried({(*resource)->plural + '.' + kKueue, (*resource)->listPath({}), begin, add});
    if (!done && done.error().code == ErrorCode::NotFound) // it was uninstalled meanwhile
        return true;
    return done;
}

// Without the pod list there is no answer, so any error other than a missing right fails the whole query.
Result<bool> KubeQueue::Reading::isPodListRead()
{
    const List list{"pods", "/api/v1/pods?fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed",
                    &QueueFacts::beginPods, &QueueFacts::addPod};
    const auto done = read(list);
    if (done)
        return true;
    if (done.error().code != ErrorCode::Forbidden)
        return base::fail(done.error());
    m_facts.beginPods();
    m_missing.push_back("list pods");
    return false;
}

Result<WaitingFacts> KubeQueue::Reading::all()
{
    const auto pods = isPodListRead();
    GPULEDGER_TRY(pods);
    const auto nodes = tried({"nodes", "/api/v1/nodes", &QueueFacts::beginNodes, &QueueFacts::addNode});
    GPULEDGER_TRY(nodes);
    const auto workloads = kueue("Workload", &QueueFacts::beginWorkloads, &QueueFacts::addWorkload);
    GPULEDGER_TRY(workloads);
    if (m_facts.hasWorkloads())
        GPULEDGER_TRY(kueue("LocalQueue", &QueueFacts::beginQueues, &QueueFacts::addQueue));
    if (m_facts.hasWorks())
        GPULEDGER_TRY(
            tried({"namespaces", "/api/v1/namespaces", &QueueFacts::beginNamespaces, &QueueFacts::addNamespace}));
    WaitingFacts facts = m_facts.finish({*pods, *nodes, *workloads});
    facts.missing = std::move(m_missing);
    return facts;
}

KubeQueue::KubeQueue(model::SourceSettings settings, ports::SecretStore &secrets, const base::Clock &clock,
                     std::shared_ptr<http::HttpClient> client, std::shared_ptr<http::Pause> pause)
    : m_settings(std::move(settings))
    , m_secrets(secrets)
    , m_clock(clock)
    , m_client(std::move(client))
    , m_pause(std::move(pause))
{
}

Result<WaitingFacts> KubeQueue::waitingAt(base::UtcTime at, std::stop_token stop)
{
    const auto explained = [&](base::Error error) { return base::fail(std::move(error).withSource(m_settings.name)); };
    if (m_clock.now() - at > kPresent)
        return explained(base::Error::make(ErrorCode::Unsupported, "only the current time is supported"));
    const auto connection = connectTo(m_settings, m_secrets, m_clock, m_client, m_pause);
    if (!connection)
        return explained(connection.error());
    auto facts = Reading(**connection, clusterOf(m_settings), stop).all();
    if (!facts)
        return explained(std::move(facts).error());
    return facts;
}

Result<std::unique_ptr<ports::WaitingSource>> makeKubeQueue(const model::SourceSettings &settings,
                                                            ports::SecretStore &secrets, const base::Clock &clock,
                                                            std::shared_ptr<http::HttpClient> client)
{
    GPULEDGER_TRY(checkAddress(settings));
    return std::make_unique<KubeQueue>(settings, secrets, clock, std::move(client));
}

} // namespace gpuledger::kubernetes
