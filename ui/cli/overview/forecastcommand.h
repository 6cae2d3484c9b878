// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

namespace gpuledger::cli {

// What each team or other scope will have cost at the end of the month, and how far its budget is.
class ForecastCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    bool readsReports() const override { return true; }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    CLI::App *m_verb = nullptr;
    std::string m_by = "team", m_period = "month", m_cost;
};

} // namespace gpuledger::cli
