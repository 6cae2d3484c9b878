// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"
#include "app/savings/crossover/crossover.h"
#include "ui/cli/program/command.h"

#include <string>
#include <vector>

namespace gpuledger::cli {

struct CrossoverAnswer;

// compare crossover: owning a GPU, renting one, or calling an API. Reads the configuration, the price book and the
// stored price lists alone; changes nothing.
class CrossoverCommand final : public Command {
public:
    void addTo(CLI::App &parent) override; // after CompareCommand
    bool chosen() const override { return parsed(m_verb); }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    base::Result<void> readConfigured(const std::vector<model::OwnedMachine> &machines, CrossoverAnswer &answer) const;
    base::Result<void> readOwn(CrossoverAnswer &answer) const;
    base::Result<void> readApi(CrossoverAnswer &answer) const;
    base::Result<void> readRents(Session &session, CrossoverAnswer &answer) const;
    base::Result<void> addListed(Session &session, CrossoverAnswer &answer) const;

    CLI::App *m_compare = nullptr, *m_verb = nullptr;
    // As typed; empty: not given.
    std::string m_model, m_owned, m_buy, m_residual, m_years, m_interest, m_power, m_powerRest, m_pue, m_kwh, m_hosting;
    std::string m_staff, m_onDemand, m_committed, m_spot, m_use, m_apiIn, m_apiOut, m_outShare, m_speed;
};

} // namespace gpuledger::cli
