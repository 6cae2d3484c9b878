// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/prometheus/kube/kubefacts.h"
#include "connectors/prometheus/usage/usageassembler.h"

#include <set>
#include <vector>

namespace gpuledger::prometheus {

// Distinguishes the exporters' own pods from holders, whatever they are named. With honor_labels, the series of a free
// GPU carries the labels of the scraped target, which look like those of a holder. Created once per chunk; one thread.
class ExporterPods {
public:
    // `targets`: the scraped pods, by the labels of `up`. All arguments must outlive this object.
    ExporterPods(const std::vector<RawSeries> &series, const std::set<PodName> &targets, const KubeFacts &facts);

    // True for a pod for which the scheduler records no GPU request, and which is
    // - the scraped target itself: by the labels of `up`, or because its address is the pod's name; or
    // - on every GPU of its target that no known holder has, provided that the scheduler's records know that node and
    //   who requests GPUs there (a DaemonSet's pod; a holder of a whole node would show up by its request).
    bool has(const SeriesIdentity &id, const SubjectCandidate &candidate) const;

private:
    void findEverywhere(const std::vector<RawSeries> &series);

    const std::set<PodName> &m_targets;
    const KubeFacts &m_facts;
    std::set<PodName> m_everywhere; // the second case of has()
};

} // namespace gpuledger::prometheus
