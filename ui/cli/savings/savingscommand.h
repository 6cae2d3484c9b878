// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"
#include "ui/cli/savings/savingsquestion.h"

#include <string>
#include <vector>

namespace gpuledger::savings {
class Assumptions;
struct SavingsList;
} // namespace gpuledger::savings
namespace gpuledger::services {
struct SavingsQuery;
} // namespace gpuledger::services

namespace gpuledger::cli {

// savings: what could be saved, or one of these proposals whole.
class SavingsCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override; // false if one of the verbs of ChoicesCommand is
    bool readsReports() const override { return true; }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    base::Result<void> printList(Session &session, const savings::SavingsList &list,
                                 const services::SavingsQuery &query) const;
    base::Result<void> printOne(Session &session, const savings::SavingsList &list,
                                const services::SavingsQuery &query) const;
    // A workbook of the list, or of the one proposal that was asked for.
    base::Result<void> writeWorkbook(Session &session, savings::SavingsList list,
                                     const services::SavingsQuery &query) const;
    base::Result<void> printAssumptions(Session &session, const savings::Assumptions &assumed) const;

    CLI::App *m_verb = nullptr;
    std::string m_what, m_cost, m_workbook;
    AssumeOptions m_assume;
    bool m_all = false, m_assumptions = false;
};

} // namespace gpuledger::cli
