// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/planner.h"
#include "app/actions/runner.h"
#include "app/services/workspace.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::services {

class LiveWorld;
class WaitingDesk;

// Stopping and bringing back, over the platforms that the configuration's sources reach (app/actions). Made by
// Workspace::actions(), which must outlive it. Every function blocks and belongs on a worker thread; any thread.
class ActionDesk {
public:
    using Records = std::vector<model::ActionRecord>;

    ActionDesk(Workspace &workspace, std::unique_ptr<LiveWorld> world, store::ActionStore store,
               std::filesystem::path dataFolder);
    ~ActionDesk();
    ActionDesk(const ActionDesk &) = delete;
    ActionDesk &operator=(const ActionDesk &) = delete;

    // Whether a source of the configuration may stop anything, and whether all that may are made up.
    struct Reach {
        bool canStop = false;
        bool onlySimulated = false;
    };
    Reach reach() const;

    // See app/actions for what they do and how they fail. stop() and undo() fail with StorageBusy, too, where somebody
    // else is at it.
    [[nodiscard]] base::Result<actions::Plan> plan(const actions::PlanQuestion &question, std::stop_token stop,
                                                   const actions::PlanProgress &progress = {});
    [[nodiscard]] base::Result<Records> stop(const actions::Plan &plan, const actions::Confirmation &confirmation,
                                             std::stop_token stop, const actions::RunProgress &progress = {});
    [[nodiscard]] base::Result<Records> undo(const std::vector<std::int64_t> &actions, const std::string &reason,
                                             std::stop_token stop, const actions::RunProgress &progress = {});
    // What a crash left open is asked for; nothing where somebody else is at it.
    [[nodiscard]] base::Result<Records> settle(std::stop_token stop);

    // Ascending by id.
    [[nodiscard]] base::Result<Records> log();
    // Marks of other people and programs at objects are not in it.
    [[nodiscard]] base::Result<std::vector<model::Lease>> leases();
    // Fails with InvalidArgument (an end that is past), NotFound (that is not idle) too.
    [[nodiscard]] base::Result<model::Lease> grant(model::Lease::Kind kind, const std::string &holder,
                                                   std::optional<base::UtcTime> until, const std::string &reason);
    [[nodiscard]] base::Result<void> endLease(std::int64_t lease);

    // Who waits for what is idle, and could have it.
    WaitingDesk &waiting();

private:
    actions::Engine engine();

    Workspace &m_workspace;
    std::unique_ptr<LiveWorld> m_world;
    store::ActionStore m_store;
    actions::ClockWatch m_clock;
    const std::filesystem::path m_dataFolder;
};

} // namespace gpuledger::services
