// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

namespace gpuledger::cli {

// ledger: shows what was billed, split as far as possible; its rows add up to the bill.
class LedgerCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    bool readsReports() const override { return true; }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    [[nodiscard]] base::Result<insight::LedgerQuery> query(Session &session) const;

    CLI::App *m_verb = nullptr;
    std::string m_by = "team", m_per, m_cost = "billed", m_currency, m_split;
};

} // namespace gpuledger::cli
