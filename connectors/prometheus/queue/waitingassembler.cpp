// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/queue/waitingassembler.h"

#include "connectors/prometheus/kube/kubelabels.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::prometheus {

namespace {

using model::WaitingFacts;
using model::WaitingWork;

// The resource name in the spelling of KubeMapping; Kueue's metrics write nvidia.com/gpu.
std::string mangled(std::string_view resource)
{
    std::string out(resource);
    std::replace_if(
        out.begin(), out.end(), [](char c) { return c == '.' || c == '/' || c == '-'; }, '_');
    return out;
}

} // namespace

bool WaitingAssembler::isPlain(std::string_view resource)
{
    return resource == "cpu" || resource == "memory";
}

double WaitingAssembler::sumOf(const Requests &requests, const std::string &resource)
{
    double sum = 0;
    if (const auto containers = requests.find(resource); containers != requests.end()) {
        for (const auto &[container, value] : containers->second)
            sum += value;
    }
    return sum;
}

// Containers run together, init containers one by one before them.
double WaitingAssembler::requested(const Pod &pod, const std::string &resource)
{
    double most = sumOf(pod.requests, resource);
    if (const auto init = pod.initRequests.find(resource); init != pod.initRequests.end()) {
        for (const auto &[container, value] : init->second)
            most = std::max(most, value);
    }
    return most;
}

// If the scrape renamed colliding labels, a plain `node` is that of kube-state-metrics itself.
std::string WaitingAssembler::nodeOf(const Pod &pod) const
{
    return m_hasExportedNodes ? pod.exportedNode : pod.node;
}

std::map<std::string, std::int64_t> WaitingAssembler::gpusOf(const Pod &pod) const
{
    std::map<std::string, std::int64_t> out;
    for (const Requests *requests : {&pod.requests, &pod.initRequests}) {
        for (const auto &[resource, containers] : *requests) {
            const std::int64_t count = isPlain(resource) ? 0 : std::llround(requested(pod, resource));
            if (count > 0)
                out[resource] = count;
        }
    }
    return out;
}

WaitingWork WaitingAssembler::workOf(const PodKey &key, const Pod &pod) const
{
    WaitingWork work;
    work.cluster = key.name.cluster;
    work.nameSpace = key.name.nameSpace;
    work.name = key.name.name;
    work.uid = key.uid;
    if (pod.ownerKind != "<none>") {
        work.ownerKind = pod.ownerKind;
        work.ownerName = pod.ownerName;
    }
    work.labels = pod.labels;
    if (const auto labels = m_namespaces.find({work.cluster, work.nameSpace}); labels != m_namespaces.end())
        work.namespaceLabels = labels->second;
    const auto gpus = gpusOf(pod);
    for (const auto &[resource, count] : gpus) {
        if (!work.gpus || count > *work.gpus) {
            work.resource = resource;
            work.gpus = count;
        }
    }
    work.wantsOthers = gpus.size() > 1;
    work.cpuMilli = std::llround(requested(pod, "cpu") * 1000);
    work.memoryBytes = std::llround(requested(pod, "memory"));
    work.since = pod.created;
    work.tolerations = pod.tolerations;
    if (m_hasSelectors)
        work.selector = pod.selector.value_or(model::Labels{});
    return work;
}

void WaitingAssembler::finishPods(WaitingFacts &facts) const
{
    std::map<std::pair<Name, std::string>, std::int64_t> used;
    for (const auto &[key, pod] : m_pods) {
        const auto gpus = gpusOf(pod);
        if (gpus.empty() || pod.phase == "Succeeded" || pod.phase == "Failed")
            continue;
        const std::string node = nodeOf(pod);
        if (node.empty()) {
            if (pod.phase == "Pending")
                facts.works.push_back(workOf(key, pod));
            continue;
        }
        for (const auto &[resource, count] : gpus)
            used[{{key.name.cluster, node}, resource}] += count;
        facts.holders.push_back({key.name.cluster, key.name.nameSpace, key.name.name, key.uid, node, gpus,
                                 std::llround(requested(pod, "cpu") * 1000), std::llround(requested(pod, "memory"))});
    }
    for (const auto &[name, room] : m_nodes) {
        if (std::all_of(room.gpus.begin(), room.gpus.end(), [](const auto &one) { return one.second == 0; }))
            continue;
        facts.nodes.push_back(room);
        model::NodeRoom &node = facts.nodes.back();
        for (const auto &[resource, count] : node.gpus) {
            if (const auto it = used.find({name, resource}); it != used.end())
                node.gpusUsed[resource] = it->second;
        }
        const auto plainUsed = [this, &key = name](const char *resource, double factor) {
            const auto it = m_nodeUsed.find({key, resource});
            return it == m_nodeUsed.end() ? 0 : std::llround(it->second * factor);
        };
        node.cpuMilliUsed = plainUsed("cpu", 1000);
        node.memoryBytesUsed = plainUsed("memory", 1);
    }
}

void WaitingAssembler::finishQueues(WaitingFacts &facts) const
{
    std::set<Name> told, withGpus;
    for (const auto &[key, quota] : m_quotas) {
        const auto &[queue, both] = key;
        const std::size_t cut = both.find('\n');
        const std::string resource = mangled(both.substr(cut + 1));
        told.insert(queue);
        if (isPlain(resource) || !(quota.nominal && (quota.reserved || quota.used)))
            continue;
        withGpus.insert(queue);
        const double used = quota.reserved ? *quota.reserved : *quota.used;
        facts.quotas.push_back({queue.first, queue.second, both.substr(0, cut), resource, std::llround(*quota.nominal),
                                std::llround(used)});
    }
    for (const auto &[queue, byStatus] : m_queued) {
        double count = 0;
        for (const auto &[status, value] : byStatus)
            count += value;
        if (count < 1 || (told.contains(queue) && !withGpus.contains(queue)))
            continue; // a queue for other resources
        WaitingWork work;
        work.kind = WaitingWork::Kind::Queue;
        work.cluster = queue.first;
        work.name = work.queue = queue.second;
        work.count = std::llround(count);
        facts.works.push_back(std::move(work));
    }
}

std::vector<std::string> WaitingAssembler::missing(const WaitingFacts &facts) const
{
    std::vector<std::string> out;
    const auto lacks = [&](bool isMissing, const char *metric) {
        if (isMissing)
            out.emplace_back(metric);
    };
    lacks(!m_hasPhases, "kube_pod_status_phase");
    lacks(!m_hasRequests, "kube_pod_container_resource_requests");
    lacks(m_nodes.empty(), "kube_node_status_allocatable");
    const auto none = [&](auto has) {
        return !facts.works.empty() && std::none_of(facts.works.begin(), facts.works.end(), has);
    };
    const auto isPod = [](const WaitingWork &work) { return work.kind == WaitingWork::Kind::Pod; };
    if (std::none_of(facts.works.begin(), facts.works.end(), isPod))
        return out;
    lacks(none([](const WaitingWork &work) { return work.since.has_value(); }), "kube_pod_created");
    lacks(none([](const WaitingWork &work) { return work.tolerations.has_value(); }), "kube_pod_tolerations");
    lacks(!m_hasSelectors, "kube_pod_nodeselectors");
    return out;
}

WaitingFacts WaitingAssembler::finish() const
{
    WaitingFacts facts;
    facts.isKnown = m_hasPhases && m_hasRequests && !m_nodes.empty();
    if (facts.isKnown) {
        finishPods(facts);
        finishQueues(facts);
    }
    facts.missing = missing(facts);
    return facts;
}

} // namespace gpuledger::prometheus
