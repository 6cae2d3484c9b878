// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/model/settings.h"
#include "app/ports/budgetsource.h"
#include "connectors/demo/fleet/fleetplan.h"

#include <memory>
#include <string>

namespace gpuledger::demo {

// The budgets of the demo company for what DemoBills bills, which takes the same options: one of everything and two of
// single AWS services, whose spending is that of the bill one day before, and one of a Google Cloud account, which says
// only its limit, as Google Cloud does. A limit follows from the cost of the first day of its period. Threads and
// errors: see ports::BudgetSource.
class DemoBudgets final : public ports::BudgetSource {
public:
    // Fails with InvalidConfig. The clock must outlive the source.
    [[nodiscard]] static base::Result<std::unique_ptr<ports::BudgetSource>>
    create(const model::SourceSettings &settings, const base::Clock &clock);

    DemoBudgets(std::string name, const Options &options, const base::Clock &clock);

    const std::string &name() const override { return m_name; }
    [[nodiscard]] base::Result<ports::BudgetList> read(std::stop_token stop) override;

private:
    std::string m_name;
    Options m_options;
    const base::Clock &m_clock;
    FleetPlan m_plan;
};

} // namespace gpuledger::demo
