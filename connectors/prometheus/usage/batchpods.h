// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/factbatch.h"
#include "connectors/format/seriesreader.h"
#include "connectors/prometheus/series/seriesnormalizer.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace gpuledger::prometheus {

// Finds the pod of a batch that a series is about, by its labels. `clusters` must outlive it; one thread.
class BatchPods {
public:
    BatchPods(const ClusterNaming &clusters, const ports::FactBatch &batch);
    // The index of the subject; std::nullopt: no pod of the batch.
    std::optional<std::uint32_t> of(std::span<const format::Label> labels) const;

private:
    const ClusterNaming &m_clusters;
    std::map<std::string, std::uint32_t> m_pods;
};

} // namespace gpuledger::prometheus
