// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/model/settings.h"
#include "app/ports/plansource.h"

#include <memory>
#include <string>

namespace gpuledger::demo {

// What the demo company would change next: one plan of a day ago. Threads and errors: see ports::PlanSource.
class DemoPlans final : public ports::PlanSource {
public:
    // `clock` must outlive it.
    DemoPlans(std::string name, const base::Clock &clock);

    const std::string &name() const override { return m_name; }
    [[nodiscard]] base::Result<std::vector<model::Plan>> read(std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;

private:
    std::string m_name;
    const base::Clock &m_clock;
};

} // namespace gpuledger::demo
