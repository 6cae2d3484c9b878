// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

namespace gpuledger::cli {

// watch: syncs on the schedule of the sources, evaluates the alert rules, sends their notices and settles what a crash
// left open, until it is stopped; prints one JSON object per line. It stops only what a user has marked, and only with
// actions.stop_marked in the configuration.
class WatchCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    [[nodiscard]] base::Result<int> run(Session &session) override;
    Ending ending() const override { return Ending::ByItself; }

private:
    base::Result<void> round(Session &session, services::Workspace &workspace);
    base::Result<void> alerts(Session &session, services::Workspace &workspace);
    base::Result<void> deliver(Session &session, services::Workspace &workspace);
    base::Result<bool> waitForRound(Session &session, services::Workspace &workspace);
    base::Result<void> marks(Session &session, services::Workspace &workspace);

    CLI::App *m_verb = nullptr;
    bool m_once = false;
};

} // namespace gpuledger::cli
