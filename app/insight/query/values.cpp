// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/query/values.h"

#include "app/insight/query/labels.h"
#include "app/insight/query/measuresums.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace gpuledger::insight {

using base::Result;
using store::Measure;
using Values = std::vector<DimensionValue>;

namespace {

const std::vector<Measure> kPaid{Measure::ActiveTicks, Measure::IdleTicks, Measure::UnallocatedTicks,
                                 Measure::UnobservedHeldTicks, Measure::UnobservedFreeTicks};

Result<Values> fromRollup(store::CubeReader &cube, store::AttributionReader &attribution, base::TimeRange range,
                          const Dimension &dimension)
{
    std::vector<CellKey> keys;
    std::vector<std::int64_t> paid;
    GPULEDGER_TRY(visitCells(cube, attribution, {wholeCells(range), {}}, {dimension}, kPaid, keys,
                             [&](std::size_t key, base::Day, int, Measure, std::int64_t ticks) {
                                 if (key >= paid.size())
                                     paid.resize(key + 1);
                                 paid[key] += ticks;
                             }));
    double all = 0;
    for (const std::int64_t ticks : paid)
        all += static_cast<double>(ticks);
    Values values;
    for (std::size_t i = 0; i < paid.size(); ++i) {
        if (paid[i] > 0)
            values.push_back({keys[i].front(), static_cast<double>(paid[i]) / all});
    }
    std::sort(values.begin(), values.end(), [](const DimensionValue &a, const DimensionValue &b) {
        return std::tuple(-*a.share, std::string_view(a.value)) < std::tuple(-*b.share, std::string_view(b.value));
    });
    return values;
}

// Holders known only from exporter labels count only where no scheduler provides better data.
Result<void> addWorkloads(store::FactReader &facts, base::TimeRange range, std::set<std::string> &names)
{
    auto holders = facts.holders(range);
    GPULEDGER_TRY(holders);
    for (const model::Holder &who : *holders)
        names.insert(workloadName(who.nameSpace, who.ownerKind, who.ownerName, who.name, who.kind));
    auto recorded = facts.clustersWithHolders();
    GPULEDGER_TRY(recorded);
    auto subjects = facts.subjects();
    GPULEDGER_TRY(subjects);
    for (const model::Subject &who : *subjects) {
        if (std::find(recorded->begin(), recorded->end(), who.cluster) == recorded->end())
            names.insert(workloadName(who.nameSpace, {}, {}, who.name, who.kind));
    }
    names.insert(std::string()); // unallocated time
    return {};
}

Result<Values> fromFacts(store::FactReader &facts, base::TimeRange range, const Dimension &dimension)
{
    std::set<std::string> names;
    if (dimension == Dimension::Workload) {
        GPULEDGER_TRY(addWorkloads(facts, range, names));
    } else if (dimension.isLabel()) {
        auto values = labelValues(facts, dimension);
        GPULEDGER_TRY(values);
        names.insert(values->begin(), values->end());
    } else if (dimension == Dimension::Node) {
        auto nodes = facts.nodes();
        GPULEDGER_TRY(nodes);
        for (const model::Node &node : *nodes)
            names.insert(node.name);
    } else {
        auto devices = facts.devices();
        GPULEDGER_TRY(devices);
        for (const model::Device &device : *devices)
            names.insert(device.uuid);
    }
    Values values;
    for (const std::string &name : names)
        values.push_back({name, std::nullopt});
    return values;
}

} // namespace

Result<Values> dimensionValues(store::CubeReader &cube, store::AttributionReader &attribution, store::FactReader &facts,
                               const Dimension &dimension)
{
    const auto covered = facts.coveredRange();
    GPULEDGER_TRY(covered);
    if (covered->empty())
        return Values{};
    return inRollup(dimension) ? fromRollup(cube, attribution, *covered, dimension)
                               : fromFacts(facts, *covered, dimension);
}

} // namespace gpuledger::insight
