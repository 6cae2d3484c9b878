// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/overview/summary.h"

#include "app/insight/query/measuresums.h"

#include <algorithm>
#include <tuple>

namespace gpuledger::insight {

SummaryRow rowOf(std::string key, const MeasureSums &sums)
{
    return {std::move(key), sums.time(), sums.cost(), sums.utilization(), sums.allocation(), sums.coverage(), {}};
}

void addNotSynced(SummaryRow &row, base::GpuTime time)
{
    row.notSynced += time;
    const double seen = static_cast<double>((row.time.paid() - row.time.unobserved()).ticks);
    const std::int64_t all = (row.time.paid() + row.notSynced).ticks;
    if (all > 0)
        row.coverage = seen / static_cast<double>(all);
}

base::Result<Summary> summarize(store::CubeReader &cube, store::AttributionReader &facts, const Query &query,
                                const Dimension &by, base::Currency currency, const Reach &reach)
{
    Summary out;
    out.range = wholeCells(query.range);
    out.reach = reach;
    const auto expected = expectedTime(cube, facts, reach, query.filter, by);
    GPULEDGER_TRY(expected);
    out.currency = currency;
    std::vector<CellKey> keys;
    std::vector<MeasureSums> sums;
    GPULEDGER_TRY(visitCells(cube, facts, {out.range, query.filter}, {by}, allMeasures(), keys,
                             [&](std::size_t key, base::Day, int, store::Measure measure, std::int64_t amount) {
                                 if (key >= sums.size())
                                     sums.resize(key + 1);
                                 sums[key][measure] += amount;
                             }));
    MeasureSums total;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        total += sums[i];
        if (sums[i].time().paid().ticks > 0)
            out.rows.push_back(rowOf(keys[i].front(), sums[i]));
    }
    out.total = rowOf("total", total);
    for (const auto &[key, time] : notSyncedBy(*expected)) {
        auto row = std::find_if(out.rows.begin(), out.rows.end(),
                                [&name = key](const SummaryRow &r) { return r.key == name; });
        if (row == out.rows.end())
            row = out.rows.insert(row, rowOf(key, {}));
        addNotSynced(*row, time);
        addNotSynced(out.total, time);
    }
    std::sort(out.rows.begin(), out.rows.end(), [](const SummaryRow &a, const SummaryRow &b) {
        return std::tuple(-a.cost.idle, -a.time.idle.ticks, std::string_view(a.key))
            < std::tuple(-b.cost.idle, -b.time.idle.ticks, std::string_view(b.key));
    });
    return out;
}

} // namespace gpuledger::insight
