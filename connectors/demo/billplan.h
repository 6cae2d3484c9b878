// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/bill.h"
#include "connectors/demo/fleetplan.h"

#include <string_view>
#include <vector>

// What the clouds of the demo fleet bill for it. A day's lines are a function of (options, day) alone.
namespace gpuledger::demo {

enum class BillingCloud { Aws, Gcp };
std::string_view toString(BillingCloud cloud); // "aws", "gcp"

// A month of one billing account, told from its first day up to `until` (midnight): what is charged once a month comes
// with its last day.
struct BillMonth {
    BillingCloud cloud = BillingCloud::Aws;
    base::TimeRange month; // a calendar month, UTC
    base::UtcTime until{}; // at most its end
};

// In US dollars. Machines by the day (on demand, spot at a price that wanders, by a commitment that is a little too
// large), a machine that no telemetry knows, storage, network, an idle load balancer, a model service, a control plane;
// with the month's end support, tax and a credit.
std::vector<model::BillLine> billLines(const FleetPlan &plan, const BillMonth &bill);

} // namespace gpuledger::demo
