// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/prometheus/kubefacts.h"
#include "connectors/prometheus/usageassembler.h"

#include <set>
#include <vector>

namespace gpuledger::prometheus {

// Tells the exporters' own pods from holders, whatever they are called. With honor_labels a series of a free GPU
// carries the labels of the target that was scraped, which look like those of a holder. Made once a chunk; one thread.
class ExporterPods {
public:
    // `targets`: pods that were scraped, by the labels of `up`. All of it outlives this.
    ExporterPods(const std::vector<RawSeries> &series, const std::set<PodName> &targets, const KubeFacts &facts);

    // A pod of which the scheduler does not say that it requests GPUs, and which is
    // - the scraped target itself: by the labels of `up`, or because its address is the pod's name; or
    // - on every GPU of its target that no known holder has, where the scheduler's records know that node and who
    //   requests GPUs there (a DaemonSet's pod; who holds a whole node says so by a request).
    bool has(const SeriesIdentity &id, const SubjectCandidate &candidate) const;

private:
    void findEverywhere(const std::vector<RawSeries> &series);

    const std::set<PodName> &m_targets;
    const KubeFacts &m_facts;
    std::set<PodName> m_everywhere; // of the second kind
};

} // namespace gpuledger::prometheus
