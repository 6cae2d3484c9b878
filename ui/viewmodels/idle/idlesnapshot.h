// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/insight/idle/idle.h"
#include "app/insight/queue/blocked.h"
#include "app/model/actionrecord.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gpuledger::ui {

// The idle list at the end of the data, with the additional information on the page. Immutable.
struct IdleSnapshot {
    base::TimeRange covered;
    insight::IdleList list;
    insight::BlockedList blocked; // at the same instant
    std::shared_ptr<const insight::IdleRule> rule; // in use at the end of the data
    std::vector<std::string> sources;
    base::UtcTime asked{};
    base::TimeZone zone;
    base::Currency currency;
    model::CostView cost = model::CostView::Effective;
    double neededShare = 0; // share of the grace window that must be observed
    bool isReadOnly = false; // it is a report
    std::vector<model::Lease> leases; // those currently in effect
    bool stopsMarked = false; // the configuration allows the watch to carry out scheduled stops
    // The state of the last stop of each item, by id; without those that were undone.
    std::map<std::string, model::ActionState> actions;
    const model::Lease *leaseOf(const std::string &id) const; // the strongest one; null: none
    bool isSnoozed(const std::string &id) const;
    // Stopped from here and verified, and still in the list only because the data end too early to show it.
    bool isStopped(const std::string &id) const;
    base::Seconds age() const { return std::max(base::Seconds{0}, asked - covered.end); }
};

} // namespace gpuledger::ui
