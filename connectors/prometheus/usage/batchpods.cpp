// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/usage/batchpods.h"

namespace gpuledger::prometheus {

namespace {

std::string podKey(std::string_view cluster, std::string_view nameSpace, std::string_view name)
{
    return std::string(cluster).append(1, '\n').append(nameSpace).append(1, '\n').append(name);
}

} // namespace

BatchPods::BatchPods(const ClusterNaming &clusters, const ports::FactBatch &batch)
    : m_clusters(clusters)
{
    for (std::uint32_t i = 0; i < batch.subjects.size(); ++i) {
        const model::Subject &subject = batch.subjects[i];
        if (subject.kind == model::SubjectKind::Pod)
            m_pods[podKey(subject.cluster, subject.nameSpace, subject.name)] = i;
    }
}

std::optional<std::uint32_t> BatchPods::of(std::span<const format::Label> labels) const
{
    const auto found = m_pods.find(podKey(m_clusters.of(labels), exportedOr(labels, "exported_namespace", "namespace"),
                                          exportedOr(labels, "exported_pod", "pod")));
    return found == m_pods.end() ? std::nullopt : std::optional(found->second);
}

} // namespace gpuledger::prometheus
