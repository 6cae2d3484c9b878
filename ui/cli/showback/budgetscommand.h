// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

#include <string>

namespace gpuledger::cli {

// budgets: the budgets that are set up at clouds beside what the bill has of their period. Changes nothing. Those of
// teams, which the configuration has, are in statements.
class BudgetsCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    CLI::App *m_verb = nullptr;
    std::string m_cost; // as typed
};

} // namespace gpuledger::cli
