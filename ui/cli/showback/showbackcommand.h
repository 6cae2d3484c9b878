// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/statement/statement.h"
#include "ui/cli/program/command.h"

namespace gpuledger::cli {

// showback: shows each team's statement of a month, on the terminal or as a document.
class ShowbackCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    bool readsReports() const override { return true; }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    // Returns true if nothing else was requested.
    [[nodiscard]] base::Result<bool> printOther(Session &session, const insight::Month &month) const;
    [[nodiscard]] base::Result<void> signOff(Session &session, const insight::Month &month) const;
    reports::CostView view() const;
    [[nodiscard]] base::Result<void> mayHaveSavings(Session &session) const;
    [[nodiscard]] base::Result<void> addSavings(Session &session, reports::Statement &statement) const;
    [[nodiscard]] base::Result<void> write(const reports::Statement &statement, Session &session) const;
    [[nodiscard]] base::Result<int> writeReport(const insight::Month &month, Session &session) const;
    [[nodiscard]] base::Result<int> writeJournal(const insight::Month &month, reports::CostView view,
                                                 Session &session) const;

    CLI::App *m_verb = nullptr;
    std::string m_month, m_cost = "billed", m_format, m_file, m_reason;
    bool m_review = false, m_close = false, m_yes = false, m_months = false, m_history = false, m_lens = false,
         m_decisions = false, m_withSavings = false;
};

} // namespace gpuledger::cli
