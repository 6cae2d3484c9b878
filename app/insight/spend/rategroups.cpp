// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/spend/rategroups.h"

namespace gpuledger::insight {

using store::Measure;

const std::vector<Dimension> &rateDimensions()
{
    static const std::vector<Dimension> kOfRates{Dimension::Cluster, Dimension::Cloud, Dimension::Region,
                                                 Dimension::GpuModel};
    return kOfRates;
}

std::int64_t pricedTicks(const MeasureSums &sums)
{
    return sums.time().paid().ticks - sums[Measure::UnpricedTicks];
}

std::vector<CostGroup> costGroups(const RateSums &before, const RateSums &after)
{
    std::map<CellKey, CostGroup> groups;
    for (const auto &[key, sums] : before) {
        groups[key].hoursBefore = pricedTicks(sums);
        groups[key].costBefore = sums.cost().total();
        groups[key].activeBefore = sums.time().active.ticks;
    }
    for (const auto &[key, sums] : after) {
        groups[key].hoursAfter = pricedTicks(sums);
        groups[key].costAfter = sums.cost().total();
        groups[key].activeAfter = sums.time().active.ticks;
    }
    std::vector<CostGroup> list;
    for (const auto &entry : groups)
        list.push_back(entry.second);
    return list;
}

} // namespace gpuledger::insight
