// SPDX-License-Identifier: GPL-3.0-or-later
// The second half of KubeAssembler: from what was collected to facts.
#include "connectors/prometheus/kube/kubeassembler.h"

#include "app/base/text/text.h"
#include "connectors/prometheus/kube/kubelabels.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::prometheus {

namespace {

using ports::FactBatch;

// The number of samples in a full bucket: the most frequent count, because jitter gives some buckets one more.
std::uint16_t usualCount(const std::map<std::uint16_t, std::size_t> &histogram)
{
    std::uint16_t usual = 1;
    std::size_t most = 0;
    for (const auto &[count, times] : histogram) {
        if (times >= most) {
            most = times;
            usual = count;
        }
    }
    return usual;
}

template <typename Map, typename Member> std::uint16_t usualCountOf(const Map &all, Member member)
{
    std::map<std::uint16_t, std::size_t> histogram;
    for (const auto &[key, one] : all) {
        for (const std::uint16_t count : (one.*member).counts) {
            if (count)
                ++histogram[count];
        }
    }
    return usualCount(histogram);
}

std::string cloudOf(const std::string &providerId)
{
    const std::string scheme = providerId.substr(0, providerId.find("://"));
    if (scheme == providerId)
        return {};
    return scheme == "gce" ? "gcp" : scheme;
}

} // namespace

void KubeAssembler::addGpuNodes(FactBatch &batch) const
{
    std::set<Name> names;
    for (const auto &[name, facts] : m_nodes) {
        if (!facts.capacity.empty())
            names.insert(name);
    }
    for (const auto &[key, pod] : m_pods) {
        if (!pod.node.empty())
            names.insert({key.name.cluster, pod.node});
    }
    for (const Name &name : names) {
        model::Node node;
        node.cluster = name.first;
        node.name = name.second;
        batch.nodes.push_back(std::move(node));
    }
}

void KubeAssembler::describeNode(model::Node &node, const NodeFacts &facts) const
{
    node.labels = facts.labels.labels;
    node.providerId = facts.providerId;
    node.cloud = cloudOf(facts.providerId);
    node.instanceType = labelOr(node.labels, {"node_kubernetes_io_instance_type", "beta_kubernetes_io_instance_type"});
    node.region = labelOr(node.labels, {"topology_kubernetes_io_region", "failure_domain_beta_kubernetes_io_region"});
    node.zone = labelOr(node.labels, {"topology_kubernetes_io_zone", "failure_domain_beta_kubernetes_io_zone"});
    const std::string strategy = labelOr(node.labels, {"nvidia_com_gpu_sharing_strategy"});
    node.sharedGpus = (!strategy.empty() && strategy != "none")
        || base::parseInt(labelOr(node.labels, {"nvidia_com_gpu_replicas"})).value_or(1) > 1
        || labelOr(node.labels, {"nvidia_com_gpu_product"}).ends_with("-SHARED");
    for (const auto &[resource, capacity] : facts.capacity) {
        node.gpuCapacity += std::llround(capacity);
        const auto &shared = m_mapping.sharedResources;
        if (capacity > 0 && std::find(shared.begin(), shared.end(), resource) != shared.end())
            node.sharedGpus = true;
    }
}

std::vector<base::TimeRange> KubeAssembler::timesOf(const Pod &pod, std::uint16_t full) const
{
    if (pod.start && pod.completion && *pod.start < *pod.completion) {
        const base::TimeRange exact = base::TimeRange{*pod.start, *pod.completion}.intersect(m_range);
        return exact.empty() ? std::vector<base::TimeRange>{} : std::vector{exact};
    }
    return spansOf(pod.running, full, pod.start, m_range);
}

model::Holder KubeAssembler::holderOf(const PodKey &key, const Pod &pod) const
{
    model::Holder holder;
    holder.cluster = key.name.cluster;
    holder.nameSpace = key.name.nameSpace;
    holder.name = key.name.name;
    holder.uid = key.uid;
    holder.node = pod.node;
    holder.labels = pod.labels.labels;
    for (const auto &[name, value] : pod.annotations.labels)
        holder.labels.insert_or_assign(name, value);
    holder.startedAt = pod.start;
    holder.completedAt = pod.completion;
    holder.endReason = pod.end;
    const Name space{key.name.cluster, key.name.nameSpace};
    if (const auto labels = m_namespaces.find(space); labels != m_namespaces.end())
        holder.namespaceLabels = labels->second.labels;
    if (pod.ownerKind != "<none>") {
        holder.ownerKind = pod.ownerKind;
        holder.ownerName = pod.ownerName;
    }
    const auto &above = pod.ownerKind == "Job" ? m_jobs : m_replicaSets;
    if (const auto up = above.find({space, pod.ownerName});
        up != above.end() && (pod.ownerKind == "Job" || pod.ownerKind == "ReplicaSet")) {
        holder.ownerKind = up->second.first;
        holder.ownerName = up->second.second;
    }
    holder.gpuRequests = requestsOf(pod);
    return holder;
}

// Requests as the scheduler counts them: containers and sidecars run together, the other init containers one by one
// before them.
std::map<std::string, std::int64_t> KubeAssembler::requestsOf(const Pod &pod)
{
    std::map<std::string, std::int64_t> out;
    std::map<std::string, std::int64_t> alone;
    for (const auto &[resource, containers] : pod.requests) {
        for (const auto &[container, count] : containers)
            out[resource] += std::llround(count);
    }
    for (const auto &[resource, containers] : pod.initRequests) {
        for (const auto &[container, count] : containers) {
            if (pod.sidecars.contains(container))
                out[resource] += std::llround(count);
            else
                alone[resource] = std::max<std::int64_t>(alone[resource], std::llround(count));
        }
    }
    for (const auto &[resource, count] : alone)
        out[resource] = std::max(out[resource], count);
    return out;
}

void KubeAssembler::finish(FactBatch &batch) const
{
    addWaits(batch);
    const std::uint16_t fullNodes = usualCountOf(m_nodes, &NodeFacts::presence);
    for (std::uint32_t i = 0; i < batch.nodes.size(); ++i) {
        const auto facts = m_nodes.find({batch.nodes[i].cluster, batch.nodes[i].name});
        if (facts == m_nodes.end())
            continue;
        describeNode(batch.nodes[i], facts->second);
        for (const base::TimeRange &span : spansOf(facts->second.presence, fullNodes, std::nullopt, m_range))
            batch.nodeSpans.push_back({i, span});
    }
    const std::uint16_t fullPods = usualCountOf(m_pods, &Pod::running);
    for (const auto &[key, pod] : m_pods) {
        if (pod.requests.empty() && pod.initRequests.empty() && !pod.claims)
            continue;
        const std::vector<base::TimeRange> spans = timesOf(pod, fullPods);
        if (spans.empty())
            continue;
        model::Holder holder = holderOf(key, pod);
        holder.seen = {spans.front().start, spans.back().end};
        const auto index = static_cast<std::uint32_t>(batch.holders.size());
        batch.holders.push_back(std::move(holder));
        for (const base::TimeRange &span : spans)
            batch.holderSpans.push_back({index, span});
    }
}

} // namespace gpuledger::prometheus
