// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

namespace gpuledger::cli {

// rules: shows what each owner rule matches.
class RulesCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    CLI::App *m_verb = nullptr;
    CLI::App *m_test = nullptr;
};

} // namespace gpuledger::cli
