// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/bill.h"
#include "connectors/demo/fleet/fleetplan.h"

#include <string_view>
#include <vector>

// The cloud bills of the demo fleet. A day's lines are a function of (options, day, monthsBefore) alone.
namespace gpuledger::demo {

enum class BillingCloud { Aws, Gcp };
std::string_view toString(BillingCloud cloud); // "aws", "gcp"
std::string_view billingAccountOf(BillingCloud cloud); // its billing account

// How many months before the first one that telemetry covers the commitment began, and its term. It is bought again
// when it ends.
inline constexpr int kCommitmentBegan = 6, kCommitmentMonths = 12;

// A month of one billing account, billed from its first day up to `until` (midnight): monthly charges appear with its
// last day.
struct BillMonth {
    BillingCloud cloud = BillingCloud::Aws;
    base::TimeRange month; // a calendar month, UTC
    base::UtcTime until{}; // no later than the end of the month
    // Whole months before the first one that telemetry covers; 0: telemetry covers it.
    int monthsBefore = 0;
};

// The lines of a bill, in US dollars: machines by the day (on demand, spot at a varying price, and under a commitment
// that is slightly too large), a machine without telemetry, storage, network, an idle load balancer, a model service, a
// control plane; at month end also support, tax and a credit. Before telemetry, the company was smaller: machines
// joined over time, each was tagged with the team that it was handed to, and the negotiated prices and the commitment
// began in the course of the year.
std::vector<model::BillLine> billLines(const FleetPlan &plan, const BillMonth &bill);

} // namespace gpuledger::demo
