// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/idle/idle.h"
#include "app/model/attribution.h"
#include "app/savings/schedule/schedule.h"
#include "app/store/facts/attributionreader.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace gpuledger::services {

// Why off-hours can be applied to it: "notebook", "development", or, for what is neither training nor batch work,
// "environment staging" or "namespace team-dev" if a word of that name says so. std::nullopt: they can't, or it is no
// pod.
std::optional<savings::Remark> schedulableAs(const model::AttributedHolder &who);

struct ScheduleQuestion {
    base::TimeRange range; // as savings::scheduleRange() returns it
    base::TimeZone zone;
    base::Currency currency;
};

// Every device that was seen in the range, on its newest node. Fails with Storage… codes.
[[nodiscard]] base::Result<std::vector<model::PlacedDevice>> placedDevices(store::FactReader &facts,
                                                                           base::TimeRange range);

// The past of everything that can be scheduled, by cluster and workload, at the cost that `facts` give each device and
// hour. The cost of a machine ends only in hours in which nothing else holds a part of it; the terms are those at the
// end of the range. Reads a day at a time; memory grows with the hours held by what can be scheduled. Blocking; fails
// with Cancelled, Overflow and Storage… codes, and as `terms` does.
[[nodiscard]] base::Result<savings::SchedulePast> schedulePast(store::AttributionReader &facts,
                                                               const ScheduleQuestion &question,
                                                               const insight::TermsOf &terms,
                                                               const std::stop_token &stop = {});

} // namespace gpuledger::services
