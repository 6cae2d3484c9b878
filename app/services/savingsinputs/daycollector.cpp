// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/daycollector.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace gpuledger::services {

using base::Result;

namespace {

// What a walk has to load of the fleet is nearly the same for a day and a week, except for its holders.
constexpr std::int32_t kDaysPerWalk = 7;

Result<void> walkDays(store::AttributionReader &attribution, std::span<DayCollector *const> all, base::Day first,
                      base::Day last, const std::stop_token &stop)
{
    std::vector<DayCollector *> today;
    base::Day day = first;
    const auto begin = [&](base::Day next) {
        day = next;
        today.clear();
        std::copy_if(all.begin(), all.end(), std::back_inserter(today), [&](const DayCollector *one) {
            return !one->range().intersect({day.start(), day.end()}).empty();
        });
    };
    const auto endBefore = [&](base::Day next) { // also days without any device
        while (day < next) {
            for (DayCollector *one : today)
                one->endDay(day);
            begin({day.number + 1});
        }
    };
    begin(first);
    GPULEDGER_TRY(attribution.walk(first, last, {}, [&](const model::DeviceAttribution &device) -> Result<void> {
        if (stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "cancelled");
        endBefore(device.day);
        for (DayCollector *one : today)
            GPULEDGER_TRY(one->add(device));
        return {};
    }));
    endBefore({last.number + 1});
    return {};
}

} // namespace

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
    const base::Day last = base::dayOf(whole.end - base::Seconds{1});
    for (base::Day first = base::dayOf(whole.start); first <= last; first.number += kDaysPerWalk)
        GPULEDGER_TRY(
            walkDays(attribution, all, first, {std::min(first.number + kDaysPerWalk - 1, last.number)}, stop));
    return {};
}

} // namespace gpuledger::services
