// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"
#include "ui/cli/savings/savingsquestion.h"

#include <string>

namespace gpuledger::cli {

// savings scenarios: lists named assumptions, saves one or removes one. Its verb belongs to the one of SavingsCommand,
// which must be added before.
class ScenariosCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    bool readsReports() const override { return true; }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    CLI::App *m_savings = nullptr, *m_verb = nullptr;
    std::string m_save, m_remove;
    AssumeOptions m_assume;
};

} // namespace gpuledger::cli
