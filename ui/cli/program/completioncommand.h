// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

namespace gpuledger::cli {

// Prints the completion script of a shell, generated from the parser itself.
class CompletionCommand final : public Command {
public:
    // The parser must outlive it.
    explicit CompletionCommand(const CLI::App &root)
        : m_root(root)
    {
    }
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    const CLI::App &m_root;
    CLI::App *m_verb = nullptr;
    std::string m_shell;
};

} // namespace gpuledger::cli
