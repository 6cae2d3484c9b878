// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/money/costview.h"
#include "app/model/money/plan.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::services {

class Engine;

// Planned machines with GPUs beside what such machines cost by the bills.
struct PlannedRow {
    std::size_t plan = 0; // index in PlannedAnswer::plans
    model::PlannedMachine machine;
    std::string gpuModel; // as the price book or the plan names it; empty: unknown
    std::optional<std::int64_t> gpus; // of one machine; empty: unknown
    // What an hour of a machine of this type cost by the bills, and the planned hours at that price. Empty: no bill
    // has such machines on these terms in the plan's currency, or the hours are unknown.
    std::optional<base::Money> paidPerHour, atPaidPrice;
    // Machines of this type and terms, by the bills, on average. Empty: there is no bill of this cloud, or bills do not
    // tell machines of this type as such.
    std::optional<double> running;
};

struct PlannedPlan {
    std::string source;
    std::string file;
    std::optional<base::UtcTime> made;
    base::Currency currency;
    bool tellsBefore = false; // as model::Plan
    std::uint64_t withoutGpus = 0; // groups of machines that are left out
    // Sums of its rows. Empty: an amount is unknown, or, of `before`, the plan does not tell what there was.
    std::optional<base::Money> planned, before, atPaidPrice;
};

struct PlannedAnswer {
    base::TimeRange billed; // whole days; empty: there are no bills to compare with
    std::vector<PlannedPlan> plans; // by source and file
    std::vector<PlannedRow> rows; // by plan, project and resource
};

// Reads the plans of all sources that tell them, and compares them with the final bill days of the last 28 days of the
// data: cost / machine time over all accounts and regions, spot machines apart from others, and these always at
// their effective cost; in the list view nothing was paid. Machines without GPUs, by their type, are left out. Blocks;
// call from a worker thread. Fails with NotFound (no source tells plans), the errors of ports::PlanSource::read,
// Cancelled, Overflow and Storage… codes.
[[nodiscard]] base::Result<PlannedAnswer> plannedMachines(Engine &engine, model::CostView view,
                                                          const std::stop_token &stop);

} // namespace gpuledger::services
