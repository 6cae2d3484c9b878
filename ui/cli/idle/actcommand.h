// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/plan/plan.h"
#include "app/services/actions/actionservice.h"
#include "ui/cli/program/command.h"

namespace gpuledger::cli {

// act plan|stop|mark|undo|log|keep|release: stops idle workloads, now or later, and restores them.
class ActCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    [[nodiscard]] base::Result<int> run(Session &session) override;
    Ending ending() const override { return Ending::ByItself; }

private:
    using Desk = services::ActionService;
    base::Result<int> plan(Session &session, services::Workspace &workspace);
    base::Result<int> stop(Session &session, services::Workspace &workspace);
    base::Result<int> mark(Session &session, services::Workspace &workspace);
    base::Result<int> undo(Session &session, Desk &desk);
    base::Result<int> log(Session &session, services::Workspace &workspace);
    base::Result<int> keep(Session &session, services::Workspace &workspace);
    base::Result<int> release(Session &session, Desk &desk);
    base::Result<actions::Plan> planned(Session &session, services::Workspace &workspace, bool rehearse);

    CLI::App *m_verb = nullptr;
    CLI::App *m_plan = nullptr, *m_stop = nullptr, *m_undo = nullptr, *m_log = nullptr, *m_keep = nullptr,
             *m_release = nullptr, *m_mark = nullptr;
    std::vector<std::string> m_ids, m_names, m_despite;
    std::vector<std::int64_t> m_actions;
    std::string m_reason, m_until, m_after, m_kind = "keep-until";
    int m_count = 0;
    bool m_yes = false, m_dryRun = false, m_live = false;
};

} // namespace gpuledger::cli
