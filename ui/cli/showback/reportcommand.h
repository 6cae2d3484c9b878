// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

#include <string>

namespace gpuledger::cli {

// report: shows what a report file says about itself, and whether its signer is known.
class ReportCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_info); }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    CLI::App *m_info = nullptr;
    std::string m_file;
    bool m_trust = false;
};

} // namespace gpuledger::cli
