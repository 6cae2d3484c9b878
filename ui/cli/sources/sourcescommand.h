// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"
#include "ui/cli/sources/sourceadd.h"

namespace gpuledger::cli {

// sources: lists the sources and their progress, tests one, manages consent to credential commands, and adds sources.
class SourcesCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    [[nodiscard]] base::Result<int> run(Session &session) override;
    Ending ending() const override;

private:
    [[nodiscard]] static base::Result<int> list(Session &session);
    [[nodiscard]] base::Result<int> test(Session &session) const;

    CLI::App *m_verb = nullptr;
    CLI::App *m_test = nullptr;
    CLI::App *m_add = nullptr;
    std::string m_name;
    bool m_agree = false;
    SourceAdd m_newSource;
};

} // namespace gpuledger::cli
