// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/time/gputime.h"
#include "app/base/time/time.h"
#include "app/model/money/costview.h"

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuledger::insight {

// What figures are grouped by. The first seven are dimensions of the roll-up; the rest are read from the facts. A label
// is a dimension too: of the workload, of its namespace or of the node, with its key as kube-state-metrics writes it
// (without "label_").
struct Dimension {
    enum Kind {
        Team,
        Cluster,
        Cloud,
        Region,
        GpuModel,
        WorkloadKind,
        Environment,
        NodePool, // "": none
        Workload,
        Node,
        Device,
        WorkloadLabel,
        NamespaceLabel,
        NodeLabel
    };
    Kind kind = Team;
    std::string label; // key; empty unless the dimension is a label

    Dimension() = default;
    Dimension(Kind which) // implicit: a kind without a key is a dimension
        : kind(which)
    {
    }
    Dimension(Kind which, std::string key)
        : kind(which)
        , label(std::move(key))
    {
    }
    bool isLabel() const { return kind >= WorkloadLabel; }
    friend auto operator<=>(const Dimension &, const Dimension &) = default;
};
std::string toString(const Dimension &dimension); // "team", "gpu-model", "label:app", "node-label:pool", …
std::optional<Dimension> dimensionFromString(std::string_view text);
inline bool inRollup(const Dimension &d)
{
    return d.kind <= Dimension::NodePool;
}

// Selects what is counted: everything whose value is included (a dimension missing from `include` admits all) and not
// excluded. Values match exactly; "" stands for no value, e.g. an instance without a region.
struct Filter {
    std::map<Dimension, std::vector<std::string>> include;
    std::map<Dimension, std::vector<std::string>> exclude;
    bool matches(const Dimension &dimension, std::string_view value) const;
    // True if `valueOf(dimension)` passes for every dimension that the filter mentions.
    template <typename ValueOf> bool admits(ValueOf &&valueOf) const
    {
        for (const auto *part : {&include, &exclude}) {
            for (const auto &entry : *part) {
                if (!matches(entry.first, valueOf(entry.first)))
                    return false;
            }
        }
        return true;
    }
    bool empty() const { return include.empty() && exclude.empty(); }
    friend bool operator==(const Filter &, const Filter &) = default;
};

// The time is cut to whole quarter hours: cells that the range only partly covers at its start or end are left out.
struct Query {
    base::TimeRange range;
    Filter filter;
    model::CostView cost = model::CostView::Effective; // what its amounts of money stand for
};

// GPU time by state; the parts add up to the paid time.
struct TimeByState {
    base::GpuTime active, idle, unallocated, unobservedHeld, unobservedFree;
    base::GpuTime held() const { return active + idle + unobservedHeld; }
    base::GpuTime observedHeld() const { return active + idle; }
    base::GpuTime unobserved() const { return unobservedHeld + unobservedFree; }
    base::GpuTime paid() const { return active + idle + unallocated + unobservedHeld + unobservedFree; }
};

// Nano-units of Summary::currency. `unpriced` is paid time whose cost is unknown; it is not in any of the sums.
struct CostByState {
    std::int64_t active = 0, idle = 0, unallocated = 0, unobservedHeld = 0, unobservedFree = 0;
    base::GpuTime unpriced;
    std::int64_t total() const { return active + idle + unallocated + unobservedHeld + unobservedFree; }
};

} // namespace gpuledger::insight
