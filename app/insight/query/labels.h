// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/query/query.h"
#include "app/model/fleet/fleet.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/facts/factreader.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::insight {

// The labels of holders and nodes, for the label dimensions of one query. A holder known only from exporter labels has
// none. Plain value.
class LabelLookup {
public:
    // Reads nothing if no dimension of the filter or of `by` is a label. Fails with Storage… codes.
    [[nodiscard]] static base::Result<LabelLookup> read(store::AttributionReader &attribution, const Filter &filter,
                                                        const std::vector<Dimension> &by);

    // "" if it has no such label. The dimension must be one of the filter's or of `by`.
    const std::string &ofHolder(base::HolderId holder, const Dimension &dimension) const;
    const std::string &ofNode(const std::string &cluster, const std::string &node, const Dimension &dimension) const;

private:
    std::map<std::pair<Dimension, std::int64_t>, std::string> m_holders;
    std::map<std::pair<Dimension, std::pair<std::string, std::string>>, std::string> m_nodes;
};

// A label that occurs, and the share of the workloads (for node labels, of the nodes) that have it.
struct LabelUse {
    Dimension dimension;
    double share = 0; // 0..1
};

// Every label in the data: those of workloads first, then of their namespaces, then of nodes; descending by share, ties
// by key. Blocking; call from a worker thread. Fails with Storage… codes.
[[nodiscard]] base::Result<std::vector<LabelUse>> labelsInUse(store::FactReader &facts);

// The values of a label, including "" if something does not have it; ascending. Blocking; call from a worker thread.
[[nodiscard]] base::Result<std::vector<std::string>> labelValues(store::FactReader &facts, const Dimension &label);

} // namespace gpuledger::insight
