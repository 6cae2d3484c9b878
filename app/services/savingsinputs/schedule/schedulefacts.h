// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/idle/idle.h"
#include "app/model/fleet/attribution.h"
#include "app/savings/schedule/schedule.h"
#include "app/services/savingsinputs/days/daycollector.h"
#include "app/services/savingsinputs/schedule/schedulable.h"
#include "app/store/facts/factreader.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::services {

struct ScheduleQuestion {
    base::TimeRange range; // as savings::scheduleRange() returns it
    base::TimeZone zone;
    base::Currency currency;
    std::map<std::string, savings::ScheduleCalendar> calendars = {}; // by team
    // What held nothing in the last week gets no proposal: nothing is kept of it but that it was there. The proposals
    // are the same. recent() must then have had its range first.
    bool recentOnly = false;
};

// Every device that was seen in the range, on its newest node. Fails with Storage… codes.
[[nodiscard]] base::Result<std::vector<model::PlacedDevice>> placedDevices(store::FactReader &facts,
                                                                           base::TimeRange range);

// What `terms` say of them at the end of the range. Empty without facts or terms.
[[nodiscard]] base::Result<model::CostTerms> termsOfPlaced(store::FactReader *facts, base::TimeRange range,
                                                           const insight::TermsOf &terms);

// The past of everything that can be scheduled, by cluster and workload, at the cost that the walk gives each device
// and hour. The cost of a machine ends only in hours in which nothing else holds a part of it; the terms are those at
// the end of the range. Memory grows with the hours held by what can be scheduled.
class ScheduleCollector : public DayCollector {
public:
    // Once, after the last day. Fails with Overflow.
    [[nodiscard]] virtual base::Result<savings::SchedulePast> take() = 0;
    // Finds what held something in the last week. Null without `recentOnly`.
    virtual DayCollector *recent() = 0;
};

// `facts` tell where devices were; null: the terms are unknown. Fails with Storage… codes, and as `terms` does.
[[nodiscard]] base::Result<std::unique_ptr<ScheduleCollector>>
scheduleCollector(store::FactReader *facts, const ScheduleQuestion &question, const insight::TermsOf &terms);
// With the terms of every device at the end of the range, as termsOfPlaced() gives them.
std::unique_ptr<ScheduleCollector> scheduleCollector(const ScheduleQuestion &question, model::CostTerms terms);

} // namespace gpuledger::services
