// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/spotmodels.h"

#include <algorithm>

namespace gpuledger::savings {

template <typename All, typename From> const auto &SpotModels::found(All &all, const From &from, std::int64_t start)
{
    const auto same =
        std::find_if(all.begin(), all.end(), [&](const auto &one) { return one.start == start && one.from == from; });
    return same == all.end() ? all.emplace_back(from, start).model : same->model;
}

const SpotModel &SpotModels::of(const std::vector<SpotTrace> &past, std::int64_t start)
{
    return found(m_traces, past, start);
}

const SpotPoolModel &SpotModels::of(const std::vector<SpotPool> &pools, std::int64_t start)
{
    return found(m_pools, pools, start);
}

} // namespace gpuledger::savings
