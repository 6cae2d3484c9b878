// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/spot/spotestimate.h"
#include "ui/cli/program/command.h"

#include <string>

namespace gpuledger::cli {

// estimate: what work would cost on spot machines, and when it would end. Reads the files it is given and no cache.
class EstimateCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    base::Result<savings::SpotQuestion> question(const Session &session) const;
    base::Result<void> readWork(savings::SpotWork &work, base::Currency currency) const;
    base::Result<void> readHistory(savings::SpotQuestion &question) const;
    base::Result<void> readRate(savings::SpotQuestion &question) const;

    CLI::App *m_verb = nullptr;
    // As typed.
    std::string m_model, m_gpus = "1", m_hours, m_every, m_cost = "0", m_restart = "0", m_deadline, m_onDemand, m_spot,
                         m_file, m_rate, m_zone, m_start, m_horizon, m_seed = "1", m_maxCost;
};

} // namespace gpuledger::cli
