// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

#include <string>

namespace gpuledger::cli {

// The proof of a figure, identified by the id that JSON answers contain.
class ExplainCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    bool readsReports() const override { return true; }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    CLI::App *m_verb = nullptr;
    std::string m_figure;
};

} // namespace gpuledger::cli
