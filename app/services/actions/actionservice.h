// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/marks.h"
#include "app/actions/planner.h"
#include "app/actions/runner.h"
#include "app/actions/standing.h"
#include "app/services/actions/fleetquestions.h"
#include "app/store/actions/actionstore.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::services {

class LiveEnvironment;
class QueueService;

// Stopping and bringing back, over the platforms that the configuration's sources reach (app/actions). Made by
// Workspace::actions(); `fleet` must outlive it. Every function blocks and belongs on a worker thread; any thread.
class ActionService {
public:
    using Records = std::vector<model::ActionRecord>;

    ActionService(FleetQuestions &fleet, std::unique_ptr<LiveEnvironment> environment, store::ActionStore store,
                  std::filesystem::path dataFolder);
    ~ActionService();
    ActionService(const ActionService &) = delete;
    ActionService &operator=(const ActionService &) = delete;

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
                                             const std::stop_token &stop, const actions::RunProgress &progress = {});
    // Whether the watch may stop what is marked: the configuration says so, and a source may stop something.
    bool canMark() const { return m_fleet.settings().actions.stopsMarked && reach().canStop; }
    // See app/actions/marks.h.
    [[nodiscard]] base::Result<actions::Marked> mark(const actions::MarkQuestion &question, std::stop_token stop);
    // A round of the watch over the marks; nothing where the configuration does not allow it. Fails with StorageBusy
    // where somebody else is at it, too: then it was no round.
    [[nodiscard]] base::Result<void> stopMarked(std::stop_token stop, const actions::MarkProgress &tell,
                                                const actions::RunProgress &progress = {});
    // When the watch did that the last time; nothing: it is not known.
    std::optional<base::UtcTime> watchedAt() const;
    // What a crash left open is asked for; nothing where somebody else is at it.
    [[nodiscard]] base::Result<Records> settle(const std::stop_token &stop);

    // Ascending by id.
    [[nodiscard]] base::Result<Records> log();
    // How what an action of the log was about stands now, asked of its platform: somebody else may have stopped it or
    // brought it back. Fails with NotFound (no source reaches it any more) or as the platform does.
    [[nodiscard]] base::Result<actions::Standing> standing(const model::TargetRef &target, const std::stop_token &stop);
    // Marks of other people and programs at objects are not in it.
    [[nodiscard]] base::Result<std::vector<model::Lease>> leases();
    // Whoever asks to keep or protect something objects to its mark, which is over then. Fails with InvalidArgument (an
    // end that is past), NotFound (that is not idle) too.
    [[nodiscard]] base::Result<model::Lease> grant(model::Lease::Kind kind, const std::string &holder,
                                                   std::optional<base::UtcTime> until, const std::string &reason);
    [[nodiscard]] base::Result<void> endLease(std::int64_t lease);

    // Who waits for what is idle, and could have it.
    QueueService &waiting();

private:
    actions::ActionContext engine();
    base::Result<void> endMarksOf(const model::Lease &wish);

    FleetQuestions &m_fleet;
    std::unique_ptr<LiveEnvironment> m_environment;
    store::ActionStore m_store;
    actions::ClockWatch m_clock;
    const std::filesystem::path m_dataFolder;
};

} // namespace gpuledger::services
