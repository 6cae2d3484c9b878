// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/proposals/choice.h"
#include "ui/cli/program/command.h"
#include "ui/cli/savings/savingsquestion.h"

#include <string>
#include <vector>

namespace gpuledger::cli {

// savings accept, dismiss, later, reopen, choices, realized: what was decided about proposals, and what it brought. Its
// verbs belong to the one of SavingsCommand, which must be added before.
class ChoicesCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override;
    bool readsReports() const override { return true; }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    base::Result<int> choose(Session &session, savings::ChoiceState state);
    base::Result<int> list(Session &session) const;
    base::Result<int> realized(Session &session) const;

    CLI::App *m_savings = nullptr; // the verb that these belong to
    CLI::App *m_accept = nullptr, *m_dismiss = nullptr, *m_later = nullptr, *m_reopen = nullptr;
    CLI::App *m_choices = nullptr, *m_realized = nullptr;
    std::string m_id, m_owner, m_day, m_reason, m_cost;
    AssumeOptions m_assume;
};

} // namespace gpuledger::cli
