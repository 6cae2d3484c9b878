// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/capacity/capacitycurve.h"

#include <algorithm>

namespace gpuledger::savings {

using base::Result;

namespace {

double meanNodes(const std::vector<std::int32_t> &nodes, std::size_t from, std::size_t to)
{
    std::int64_t sum = 0;
    for (std::size_t hour = from; hour < to; ++hour)
        sum += nodes[hour];
    return static_cast<double>(sum) / static_cast<double>(to - from);
}

} // namespace

Result<std::optional<ProposalCurve>> capacityCurve(const CapacityPool &pool, const CapacityPolicy &policy, bool packed,
                                                   base::UtcTime start)
{
    if (pool.hours == 0)
        return std::optional<ProposalCurve>();
    const auto replay = packed ? replayPackedCapacity(pool, policy) : replayCapacity(pool, policy);
    GPULEDGER_TRY(replay);
    const std::size_t step = pool.hours <= kHourlyCapacityCurve ? 1 : 24;
    ProposalCurve out;
    out.shape = ProposalCurve::Shape::Hours;
    out.title = {RemarkText::CurveOfNodes, {}};
    out.xAxis = {{RemarkText::CurveTime, {}}, CurveUnit::Time, {}};
    out.yAxis = {{RemarkText::CurveNodes, {}}, CurveUnit::Nodes, {}};
    out.lines = {{{RemarkText::CurvePresent, {}}, {}}, {{RemarkText::CurveSufficed, {}}, {}}};
    for (std::size_t from = 0; from < pool.hours; from += step) {
        const std::size_t to = std::min(from + step, pool.hours);
        out.x.push_back(static_cast<double>(start.time_since_epoch().count()) + 3600 * static_cast<double>(from));
        out.lines[0].y.push_back(meanNodes(replay->present, from, to));
        out.lines[1].y.push_back(meanNodes(replay->needed, from, to));
    }
    return std::optional(std::move(out));
}

} // namespace gpuledger::savings
