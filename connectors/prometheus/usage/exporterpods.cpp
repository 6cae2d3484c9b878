// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/usage/exporterpods.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace gpuledger::prometheus {

namespace {

PodName nameOf(const SeriesIdentity &id, const SubjectCandidate &candidate)
{
    return {id.cluster, candidate.nameSpace, candidate.name};
}

// The devices and pods that one target reports.
struct Target {
    std::set<std::string> devices, held; // all of them, and those with a known holder
    std::map<PodName, std::set<std::string>> pods; // from the labels that may name the target's own pod
};

} // namespace

ExporterPods::ExporterPods(const std::vector<RawSeries> &series, const std::set<PodName> &targets,
                           const KubeFacts &facts)
    : m_targets(targets)
    , m_facts(facts)
{
    findEverywhere(series);
}

void ExporterPods::findEverywhere(const std::vector<RawSeries> &series)
{
    std::map<std::pair<std::string, std::string>, Target> byTarget; // cluster and instance
    std::map<std::string, bool> asked; // by cluster: each answer looks at all pods
    const auto knowsRequests = [&](const std::string &cluster) {
        const auto [at, isNew] = asked.try_emplace(cluster);
        if (isNew)
            at->second = m_facts.knowsRequests(cluster);
        return at->second;
    };
    for (const RawSeries &one : series) {
        const SeriesIdentity &id = one.identity;
        const auto isNode = [&](const std::string &name) { return m_facts.isNode(id.cluster, name); };
        const bool isKnown = std::any_of(id.nodes.begin(), id.nodes.end(), isNode)
            || (!id.address.empty() && !m_facts.nodeAt(id.cluster, id.address).empty());
        if (!isKnown || id.claim || !knowsRequests(id.cluster))
            continue;
        Target &target = byTarget[{id.cluster, id.instance}];
        target.devices.insert(id.uuid);
        for (const SubjectCandidate &candidate : id.subjects) {
            if (candidate.kind != model::SubjectKind::Pod)
                continue;
            const PodName name = nameOf(id, candidate);
            if (m_facts.verdict(name) == PodVerdict::Holder)
                target.held.insert(id.uuid);
            else if (!candidate.exported)
                target.pods[name].insert(id.uuid);
        }
    }
    for (const auto &[where, target] : byTarget) {
        for (const auto &[pod, devices] : target.pods) {
            const auto isCovered = [&](const std::string &device) {
                return devices.contains(device) || target.held.contains(device);
            };
            if (target.devices.size() > 1 && std::all_of(target.devices.begin(), target.devices.end(), isCovered))
                m_everywhere.insert(pod);
        }
    }
}

bool ExporterPods::has(const SeriesIdentity &id, const SubjectCandidate &candidate) const
{
    if (candidate.kind != model::SubjectKind::Pod || candidate.exported)
        return false;
    const PodName name = nameOf(id, candidate);
    if (m_facts.verdict(name) == PodVerdict::Holder)
        return false;
    return m_targets.contains(name) || candidate.name == id.address || m_everywhere.contains(name);
}

} // namespace gpuledger::prometheus
