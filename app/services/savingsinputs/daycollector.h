// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time.h"
#include "app/model/attribution.h"
#include "app/store/facts/attributionreader.h"

#include <span>
#include <stop_token>

namespace gpuledger::services {

// Something that is computed from attributed time, a day at a time, so that several share one walk. One thread.
class DayCollector {
public:
    virtual ~DayCollector() = default;
    // What it needs; add() gets all of the UTC days that overlap. Empty: nothing.
    virtual base::TimeRange range() const = 0;
    [[nodiscard]] virtual base::Result<void> add(const model::DeviceAttribution &device) = 0;
    // After all devices of a day. Days come in order.
    virtual void endDay(base::Day day) = 0;
};

// Gives each collector its days. Blocking; memory has the usage of one day, and the names and records of holders of a
// week. Fails with Cancelled, as add() does, and with Storage… codes.
[[nodiscard]] base::Result<void> collectDays(store::AttributionReader &attribution,
                                             std::span<DayCollector *const> collectors, const std::stop_token &stop);

} // namespace gpuledger::services
