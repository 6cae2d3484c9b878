// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/alerts/ruleseries.h"

#include <set>

namespace gpuledger::services {

// Counts interruptions of spot nodes, as the pods on them state them (model::isInterruption). What ended on one node
// within 15 minutes is one interruption. A node that vanishes without a word from its pods is not seen here. One
// thread.
class SpotInterruptionCount {
public:
    explicit SpotInterruptionCount(const std::vector<model::Node> &nodes); // spot: by their labels
    void add(const model::Holder &holder);
    // By day, of one cluster.
    std::map<base::Day, std::int64_t> of(const std::string &cluster) const;
    std::set<std::string> clusters() const; // with a spot node

private:
    using NodeName = std::pair<std::string, std::string>; // cluster, name
    std::map<NodeName, std::vector<base::UtcTime>> m_ends; // of every spot node
};

// For the metric SpotInterruptions: a reading at the end of each whole UTC day of `question.range`, for each cluster
// that ever had a spot node. Unknown if an hour of the day was not fetched (isHourFetched). Fails with Storage… codes.
[[nodiscard]] base::Result<RuleSeries> interruptionSeriesOf(View &view, const SeriesQuestion &question);

} // namespace gpuledger::services
