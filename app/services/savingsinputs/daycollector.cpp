// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/daycollector.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace gpuledger::services {

using base::Result;

Result<void> collectDays(store::AttributionReader &attribution, std::span<DayCollector *const> collectors,
                         const std::stop_token &stop)
{
    std::vector<DayCollector *> all;
    base::TimeRange whole;
    for (DayCollector *one : collectors) {
        if (one->range().empty())
            continue;
        const base::TimeRange own = one->range();
        whole = all.empty() ? own : base::TimeRange{std::min(whole.start, own.start), std::max(whole.end, own.end)};
        all.push_back(one);
    }
    if (all.empty())
        return {};
    std::vector<DayCollector *> today;
    const base::Day last = base::dayOf(whole.end - base::Seconds{1});
    for (base::Day day = base::dayOf(whole.start); day <= last; ++day.number) {
        today.clear();
        std::copy_if(all.begin(), all.end(), std::back_inserter(today), [&](const DayCollector *one) {
            return !one->range().intersect({day.start(), day.end()}).empty();
        });
        if (today.empty())
            continue;
        GPULEDGER_TRY(attribution.walk(day, day, {}, [&](const model::DeviceAttribution &device) -> Result<void> {
            if (stop.stop_requested())
                return base::fail(base::ErrorCode::Cancelled, "cancelled");
            for (DayCollector *one : today)
                GPULEDGER_TRY(one->add(device));
            return {};
        }));
        for (DayCollector *one : today)
            one->endDay(day);
    }
    return {};
}

} // namespace gpuledger::services
