// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

#include <string>
#include <vector>

namespace gpuledger::services {
class SavingsService;
}
namespace gpuledger::store {
struct IntegrityProblem;
}

namespace gpuledger::cli {

// Checks the cache: file, checksums, and roll-up and stored days of savings against recomputation.
class VerifyCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    bool readsReports() const override { return true; }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    base::Result<void> checkDays(services::SavingsService &savings, std::vector<store::IntegrityProblem> &problems,
                                 std::vector<std::string> &remarks) const;

    CLI::App *m_verb = nullptr;
    bool m_confirmLoss = false, m_deep = false, m_repair = false;
};

} // namespace gpuledger::cli
