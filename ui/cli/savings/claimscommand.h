// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

#include <string>

namespace gpuledger::cli {

// claims: what other tools claim to have saved beside what the bill has before and since. Changes nothing.
class ClaimsCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    CLI::App *m_verb = nullptr;
    std::string m_cost; // as typed
};

} // namespace gpuledger::cli
