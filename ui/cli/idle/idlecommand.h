// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

namespace gpuledger::cli {

// idle: lists what costs money while idle, what cannot be determined, and which jobs are waiting for it.
class IdleCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    bool readsReports() const override { return true; }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    base::Result<int> printWaiting(Session &session, services::Workspace &workspace, base::UtcTime at);

    CLI::App *m_verb = nullptr;
    std::string m_at, m_cost;
    bool m_waiting = false;
};

} // namespace gpuledger::cli
