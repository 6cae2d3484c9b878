// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/attribution.h"
#include "app/model/money/ledgerline.h"

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

// The GPU machines that telemetry saw on a day, and who used the time of their GPUs.
namespace gpuledger::ledger {

// Dimensions by which the GPU time of one node is split.
struct TimeKey {
    std::string team, state, workloadKind, environment, gpuModel;
    std::string nameSpace, workload, instanceType; // empty unless requested
    std::string priceDate; // empty unless requested
    bool sharedEqually = false;
    auto operator<=>(const TimeKey &) const = default;
};

// GPU time of one node with the same dimensions, and its price-book cost.
struct TimeShare {
    std::int64_t ticks = 0; // base::GpuTime
    std::int64_t priced = 0; // by the price book, nano-units of the report currency
    std::int64_t unpricedTicks = 0;
    std::int64_t expected = 0; // at the expected rate, of a node that has one
};

// One GPU machine's day.
struct NodeDay {
    const model::Node *node = nullptr; // null: devices without a record of their node
    std::string cluster;
    std::map<TimeKey, TimeShare> shares;
    std::int64_t ticks = 0;
    std::map<std::int64_t, std::int64_t> devices; // the GPU time of each; by id
    std::set<std::string> machineTeams; // the owners of a machine that holds its GPUs itself
    std::set<int> positions; // of the devices; -1: the position of one is unknown
    // Sources of its devices' prices: of the expected rate, else of the price book's.
    std::set<std::string> priceSources;
    bool expected = false; // no bill covers the day yet, and its rate follows from earlier ones: see NodeRates
    bool hasMig = false, hasAmd = false; // at least one device of that kind
};

// Sums the pieces of one day. The devices passed to it must outlive it.
class NodeDays {
public:
    explicit NodeDays(model::LineDetail detail)
        : m_detail(detail)
    {
    }
    void add(const model::DeviceAttribution &device);
    // Ascending by cluster and name, without nodes that have no time.
    std::vector<NodeDay> take();

private:
    struct Who { // who used one device's time
        std::int32_t holder;
        model::GpuState state;
        bool sharedEqually;
        auto operator<=>(const Who &) const = default;
    };
    static const model::AttributedHolder *holderOf(const model::DeviceAttribution &device,
                                                   const Who &who); // null: nobody
    TimeKey keyOf(const model::DeviceAttribution &device, const Who &who) const;

    model::LineDetail m_detail;
    std::map<std::pair<std::string, std::string>, NodeDay> m_nodes; // by cluster and name
    std::map<Who, TimeShare> m_scratch;
};

} // namespace gpuledger::ledger
