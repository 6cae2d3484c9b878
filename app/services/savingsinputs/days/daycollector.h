// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/fleet/attribution.h"
#include "app/services/savingsinputs/days/hourfacts.h"
#include "app/store/facts/attributionreader.h"

#include <span>
#include <stop_token>

namespace gpuledger::services {

class KeptDays;

// Something that is computed from attributed time, a day at a time, so that several share one walk. One thread at a
// time; a stored day is given to all collectors at once, each on a thread of its own, so they must not share what
// changes.
class DayCollector {
public:
    virtual ~DayCollector() = default;
    // What it needs; add() gets all of the UTC days that overlap. Empty: nothing.
    virtual base::TimeRange range() const = 0;
    [[nodiscard]] virtual base::Result<void> add(const model::DeviceAttribution &device) = 0;
    // Whether it can do with the hours of that day, which overlaps its range: it then gets addHours() instead of add()
    // if the day is stored, with the same effect.
    virtual bool takesHours(base::Day) const { return false; }
    [[nodiscard]] virtual base::Result<void> addHours(const HourPiece &) { return {}; }
    // After all devices of a day. Days come in order.
    virtual void endDay(base::Day day) = 0;
};

// Gives each collector its days: from `kept` (may be null) those that are stored, from attributed time the others,
// which are then stored. Blocking; memory has the usage of one day, or the hours of two, and the names and records of
// holders of a week. Fails with Cancelled, as add() and addHours() do, and with Storage… codes.
[[nodiscard]] base::Result<void> collectDays(store::AttributionReader &attribution,
                                             std::span<DayCollector *const> collectors, const std::stop_token &stop,
                                             KeptDays *kept = nullptr);

} // namespace gpuledger::services
