// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/alerts/alertsdesk.h"
#include "ui/cli/alerts/alertstransfer.h"
#include "ui/cli/program/command.h"

#include <string>

namespace gpuledger::cli {

// alerts list, evaluate, replay, export-rules: the alert rules of the configuration, which of them fire, when one would
// have fired, and the same as rules of Prometheus; and what AlertsDesk and AlertsTransfer add.
class AlertsCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    base::Result<int> list(Session &session, services::Workspace &workspace) const;
    base::Result<int> evaluate(Session &session, services::Workspace &workspace) const;
    base::Result<int> replay(Session &session, services::Workspace &workspace) const;

    CLI::App *m_verb = nullptr;
    CLI::App *m_list = nullptr, *m_evaluate = nullptr, *m_replay = nullptr, *m_export = nullptr;
    std::string m_name;
    AlertsDesk m_desk;
    AlertsTransfer m_transfer;
    std::string m_folder; // of export-rules; empty: stdout
};

} // namespace gpuledger::cli
