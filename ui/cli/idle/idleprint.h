// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/insight/idle/idle.h"
#include "app/model/actionrecord.h"
#include "ui/cli/program/output.h"

#include <map>
#include <string>
#include <vector>

namespace gpuledger::cli {

// What was done to the workloads of an idle list: "stopped", "stopping" or "marked", by id. Pure; any thread.
using IdleStates = std::map<std::string, std::string>;
// As of `at`, the instant that was asked for. A workload that is still listed long after its stop runs again.
IdleStates idleStatesOf(const insight::IdleList &list, base::UtcTime at, const std::vector<model::ActionRecord> &log,
                        const std::vector<model::Lease> &leases);

Json sumJson(const insight::IdleSum &sum, base::Currency currency);
// Adds "totals", "by_cause", "stopped" and "with_blocked" to the answer: sums of the items that were not stopped, the
// same by cause (they add up to the totals), the sum of those that were, and the totals plus what is blocked.
void addSums(Json &json, const insight::IdleList &list, const IdleStates &states, base::Currency currency,
             const insight::IdleSum &blocked = {});
// The same as text; empty if nothing is idle.
std::string sumsText(const insight::IdleList &list, const IdleStates &states, base::Currency currency, bool bold);

// Of holders of which only a part is idle, which is in none of the sums: why it isn't idle as a whole ("works on its
// other GPUs; 3 of 8 are idle"), all of them as JSON, and as a table with their sum (empty: there are none).
std::string partlyReason(const insight::IdleItem &item);
Json partlyJson(const insight::IdleList &list);
std::string partlyText(const insight::IdleList &list, const base::TimeZone &zone, base::Currency currency, bool bold);

} // namespace gpuledger::cli
