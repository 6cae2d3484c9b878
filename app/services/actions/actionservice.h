// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/environment/standing.h"
#include "app/actions/plan/planner.h"
#include "app/actions/run/marks.h"
#include "app/actions/run/rulemarks.h"
#include "app/actions/run/runner.h"
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

// Stops workloads and undoes the stops, on the platforms that the configured sources reach (app/actions). Created by
// Workspace::actions(); `fleet` must outlive it. Every function blocks and must be called on a worker thread; any
// thread.
class ActionService {
public:
    using Records = std::vector<model::ActionRecord>;

    ActionService(FleetQuestions &fleet, std::unique_ptr<LiveEnvironment> environment, store::ActionStore store,
                  std::filesystem::path dataFolder);
    ~ActionService();
    ActionService(const ActionService &) = delete;
    ActionService &operator=(const ActionService &) = delete;

    // Whether a configured source may stop anything, and whether all that may are simulated.
    struct Reach {
        bool canStop = false;
        bool onlySimulated = false;
    };
    Reach reach() const;

    // See app/actions for what they do and how they fail. stop() and undo() also fail with StorageBusy if another
    // process is executing actions.
    [[nodiscard]] base::Result<actions::Plan> plan(const actions::PlanQuestion &question, std::stop_token stop,
                                                   const actions::PlanProgress &progress = {});
    [[nodiscard]] base::Result<Records> stop(const actions::Plan &plan, const actions::Confirmation &confirmation,
                                             std::stop_token stop, const actions::RunProgress &progress = {});
    [[nodiscard]] base::Result<Records> undo(const std::vector<std::int64_t> &actions, const std::string &reason,
                                             const std::stop_token &stop, const actions::RunProgress &progress = {});
    // True if the watch may stop what is marked: the configuration allows it, and a source may stop something.
    bool canMark() const { return m_fleet.settings().actions.stopsMarked && reach().canStop; }
    // See app/actions/run/marks.h.
    [[nodiscard]] base::Result<actions::Marked> mark(const actions::MarkQuestion &question, std::stop_token stop);
    // Runs a round of the watch over the marks; does nothing if the configuration does not allow it. `rules`: where
    // those that mark fire now. Also fails with StorageBusy if another process is executing actions; then it does not
    // count as a round.
    [[nodiscard]] base::Result<void> stopMarked(const std::vector<actions::MarkingRule> &rules, std::stop_token stop,
                                                const actions::MarkProgress &tell,
                                                const actions::RunProgress &progress = {});
    // See app/actions/run/rulemarks.h. Also fails with StorageBusy if another process is executing actions.
    [[nodiscard]] base::Result<void> markForRules(const std::vector<actions::MarkingRule> &rules, std::stop_token stop,
                                                  const actions::RuleMarkProgress &tell);
    // When the watch last ran a round; std::nullopt if not known.
    std::optional<base::UtcTime> watchedAt() const;
    // Queries the outcome of actions that a crash left open; does nothing if another process is executing actions.
    [[nodiscard]] base::Result<Records> settle(const std::stop_token &stop);

    // Ascending by id.
    [[nodiscard]] base::Result<Records> log();
    // The current state of an action's target, queried from its platform: someone else may have stopped or restored it.
    // Fails with NotFound (no source reaches it any more) or with the platform's error.
    [[nodiscard]] base::Result<actions::Standing> standing(const model::TargetRef &target, const std::stop_token &stop);
    // Without the marks that other people and programs set on objects.
    [[nodiscard]] base::Result<std::vector<model::Lease>> leases();
    // Granting a lease to keep or protect a workload objects to its mark, which then ends. Also fails with
    // InvalidArgument (an end in the past) and NotFound (the workload is not idle).
    [[nodiscard]] base::Result<model::Lease> grant(model::Lease::Kind kind, const std::string &holder,
                                                   std::optional<base::UtcTime> until, const std::string &reason);
    [[nodiscard]] base::Result<void> endLease(std::int64_t lease);

    // The jobs that wait for idle capacity and could use it.
    QueueService &waiting();

private:
    actions::ActionContext engine();
    base::Result<void> endMarksOf(const model::Lease &wish);

    FleetQuestions &m_fleet;
    std::unique_ptr<LiveEnvironment> m_environment;
    store::ActionStore m_store;
    actions::ClockWatch m_clock;
    const std::filesystem::path m_dataFolder;
    actions::RuleMarkMemory m_ruleMarks; // for who holds the ActionLock
};

} // namespace gpuledger::services
