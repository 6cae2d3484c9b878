// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/kube/kubeassembler.h"

#include <algorithm>

namespace gpuledger::prometheus {

void KubeAssembler::Counted::offer(double n, model::Labels found)
{
    if (n > count || (n == count && found > labels)) {
        count = n;
        labels = std::move(found);
    }
}

KubeAssembler::KubeAssembler(base::TimeRange range, base::UtcTime now, const KubeMapping &mapping,
                             ClusterNaming clusters, const std::set<std::string> &names)
    : m_range(range)
    , m_mapping(mapping)
    , m_clusters(std::move(clusters))
    , m_has([&names](const char *name) { return names.contains(name); })
{
    const base::UtcTime latest = std::max(range.end, base::floorTo(now, base::kBucket));
    m_wide = {range.start - kBridgedBuckets * base::kBucket,
              std::min(range.end + kBridgedBuckets * base::kBucket, latest)};
}

KubeAssembler::PodKey KubeAssembler::podKey(Labels labels) const
{
    return {{m_clusters.of(labels), std::string(exportedOr(labels, "exported_namespace", "namespace")),
             std::string(exportedOr(labels, "exported_pod", "pod"))},
            std::string(exportedOr(labels, "exported_uid", "uid"))};
}

// If one of two records has no uid, they are matched by name.
std::vector<KubeAssembler::Pod *> KubeAssembler::podsOf(Labels labels)
{
    const PodKey key = podKey(labels);
    if (!key.uid.empty())
        return {&m_pods[key]};
    std::vector<Pod *> out;
    for (auto it = m_pods.lower_bound(key); it != m_pods.end() && it->first.name == key.name; ++it)
        out.push_back(&it->second);
    if (out.empty())
        out.push_back(&m_pods[key]);
    return out;
}

void KubeAssembler::takeCounts(Presence &presence, Samples samples) const
{
    presence.firstBucket = base::toUnix(m_wide.start) / base::kBucket.count();
    presence.counts.resize(static_cast<std::size_t>(m_wide.length() / base::kBucket));
    for (const format::Sample &sample : samples) {
        const double bucket = sample.time / 300 - 1 - static_cast<double>(presence.firstBucket);
        if (!(bucket >= 0) || bucket >= static_cast<double>(presence.counts.size()) || !(sample.value > 0)
            || sample.value > 1000)
            continue;
        std::uint16_t &count = presence.counts[static_cast<std::size_t>(bucket)];
        count = std::max(count, static_cast<std::uint16_t>(sample.value)); // of two recorders, take the better one
    }
}

void KubeAssembler::takeOwner(Pod &pod, Labels labels, double count)
{
    if (count > pod.ownerCount && labelValue(labels, "owner_is_controller") != "false") {
        pod.ownerCount = count;
        pod.ownerKind = labelValue(labels, "owner_kind");
        pod.ownerName = labelValue(labels, "owner_name");
    }
}

void KubeAssembler::takeRequest(Labels labels, Samples samples, Pod::Requests Pod::*kind)
{
    const double count = samples.back().value;
    if (!(count > 0) || count > 1e6)
        return;
    Pod &pod = m_pods[podKey(labels)];
    double &known = (pod.*kind)[std::string(labelValue(labels, "resource"))]
                               [std::string(exportedOr(labels, "exported_container", "container"))];
    known = std::max(known, count);
    if (const std::string_view node = exportedOr(labels, "exported_node", "node"); !node.empty())
        pod.node = node;
}

void KubeAssembler::takeNode(Labels labels, Samples samples)
{
    const Name name{m_clusters.of(labels), std::string(exportedOr(labels, "exported_node", "node"))};
    if (name.second.empty())
        return;
    NodeFacts &node = m_nodes[name];
    takeCounts(node.presence, samples);
    if (const std::string_view id = labelValue(labels, "provider_id"); !id.empty())
        node.providerId = id;
    if (const std::string_view address = labelValue(labels, "internal_ip"); !address.empty())
        m_addresses[{name.first, std::string(address)}] = name.second;
}

void KubeAssembler::takeController(std::map<std::pair<Name, std::string>, Controller> &into, const char *label,
                                   Labels labels)
{
    const std::string kind(labelValue(labels, "owner_kind"));
    if (kind.empty() || kind == "<none>")
        return;
    into[{{m_clusters.of(labels), std::string(exportedOr(labels, "exported_namespace", "namespace"))},
          std::string(labelValue(labels, label))}] = {kind, std::string(labelValue(labels, "owner_name"))};
}

PodVerdict KubeAssembler::verdict(const PodName &pod) const
{
    const auto it = m_pods.lower_bound(PodKey{pod, {}});
    if (it != m_pods.end() && it->first.name == pod)
        return PodVerdict::Holder;
    return m_others.contains(pod) ? PodVerdict::Other : PodVerdict::Unknown;
}

bool KubeAssembler::knowsRequests(const std::string &cluster) const
{
    return std::any_of(m_pods.begin(), m_pods.end(), [&](const auto &entry) {
        return entry.first.name.cluster == cluster
            && (!entry.second.requests.empty() || !entry.second.initRequests.empty());
    });
}

bool KubeAssembler::isNode(const std::string &cluster, const std::string &name) const
{
    return m_nodes.contains({cluster, name});
}

std::string KubeAssembler::nodeAt(const std::string &cluster, const std::string &address) const
{
    const auto it = m_addresses.find({cluster, address});
    return it == m_addresses.end() ? std::string() : it->second;
}

std::string KubeAssembler::nodeOfPod(const PodName &pod) const
{
    if (const auto other = m_others.find(pod); other != m_others.end())
        return other->second;
    const auto it = m_pods.lower_bound(PodKey{pod, {}});
    return it != m_pods.end() && it->first.name == pod ? it->second.node : std::string();
}

} // namespace gpuledger::prometheus
