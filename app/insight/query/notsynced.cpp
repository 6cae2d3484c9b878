// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/query/notsynced.h"

#include "app/insight/query/measuresums.h"

namespace gpuledger::insight {

using store::Measure;

namespace {

__extension__ using Wide = __int128;

} // namespace

base::GpuTime expectedOver(base::GpuTime perCell, base::Seconds time)
{
    return {static_cast<std::int64_t>(Wide{perCell.ticks} * time.count() / base::kCell.count())};
}

base::Result<std::vector<ExpectedTime>> expectedTime(store::CubeReader &cube, store::AttributionReader &facts,
                                                     const Reach &reach, const Filter &filter, const Dimension &by,
                                                     bool alsoFresh)
{
    static const std::vector<Measure> kPaid{Measure::ActiveTicks, Measure::IdleTicks, Measure::UnallocatedTicks,
                                            Measure::UnobservedHeldTicks, Measure::UnobservedFreeTicks};
    std::vector<ExpectedTime> out;
    for (const Unsynced &part : unsyncedOf(reach, filter, alsoFresh)) {
        std::vector<CellKey> keys;
        std::vector<base::GpuTime> paid;
        GPULEDGER_TRY(visitCells(cube, facts, {part.lastCell, part.filter}, {by}, kPaid, keys,
                                 [&](std::size_t key, base::Day, int, Measure, std::int64_t amount) {
                                     if (key >= paid.size())
                                         paid.resize(key + 1);
                                     paid[key].ticks += amount;
                                 }));
        ExpectedTime one{part.missing, part.stale, {}};
        for (std::size_t i = 0; i < paid.size(); ++i) {
            if (paid[i].ticks > 0)
                one.perCell.emplace_back(keys[i].front(), paid[i]);
        }
        out.push_back(std::move(one));
    }
    return out;
}

PaidByKey notSyncedBy(const std::vector<ExpectedTime> &expected)
{
    PaidByKey out;
    for (const ExpectedTime &one : expected) {
        if (!one.stale)
            continue;
        for (const auto &[key, perCell] : one.perCell)
            out[key] += expectedOver(perCell, one.missing.length());
    }
    return out;
}

} // namespace gpuledger::insight
