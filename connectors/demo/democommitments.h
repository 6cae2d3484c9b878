// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/model/settings.h"
#include "app/ports/commitmentsource.h"
#include "connectors/demo/fleet/fleetplan.h"

#include <memory>
#include <string>

namespace gpuledger::demo {

// What the demo company's clouds say of the commitments that DemoBills bills, which takes the same options: their use
// in the last 30 billed days, or in as many as there are, and for each machine type that a commitment is used for how
// much of its use was covered, spot machines aside. Shares are rounded down to a tenth of a percent. All figures follow
// from the lines of the bills. Threads and errors: see ports::CommitmentSource.
class DemoCommitments final : public ports::CommitmentSource {
public:
    // Fails with InvalidConfig. The clock must outlive the source.
    [[nodiscard]] static base::Result<std::unique_ptr<ports::CommitmentSource>>
    create(const model::SourceSettings &settings, const base::Clock &clock);

    DemoCommitments(std::string name, const Options &options, const base::Clock &clock);

    const std::string &name() const override { return m_name; }
    [[nodiscard]] base::Result<ports::CommitmentReport> read(base::UtcTime now, std::stop_token stop) override;
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(std::stop_token stop) override;

private:
    std::string m_name;
    Options m_options;
    const base::Clock &m_clock;
    FleetPlan m_plan;
};

} // namespace gpuledger::demo
