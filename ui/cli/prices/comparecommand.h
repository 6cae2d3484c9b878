// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/crossover/moving.h"
#include "ui/cli/program/command.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::cli {

struct CompareAnswer;

// compare: prices of GPU machines from the price book, the own bills and price lists, per unit. Changes nothing.
class CompareCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override; // false if CrossoverCommand is
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    base::Result<savings::QuoteFilter> filter(const Session &session) const;
    base::Result<std::optional<savings::Moving>> moving(const Session &session) const;
    base::Result<void> addBills(Session &session, CompareAnswer &answer) const;
    base::Result<int> runHistory(Session &session) const;

    CLI::App *m_verb = nullptr;
    // As typed.
    std::string m_model, m_gpus, m_seen, m_most, m_cost;
    std::string m_move, m_egress, m_store, m_months, m_dataAt;
    bool m_history = false;
    std::vector<std::string> m_regions, m_purchases, m_prices, m_own;
};

} // namespace gpuledger::cli
