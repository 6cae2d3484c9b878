// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/actions/actionservice.h"
#include "app/services/workspace/workspace.h"
#include "ui/viewmodels/shell/taskrunner.h"

#include <QObject>

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ui {

// Checks, stops and undos off the GUI thread, one at a time, with what they tell meanwhile. What it signals of an
// action is on disk. A stop that runs goes on when this goes away: only what was not begun is left out. GUI thread.
class ActionController : public QObject {
    Q_OBJECT
public:
    // Both must outlive it.
    ActionController(services::Workspace &workspace, TaskRunner &tasks, QObject *parent = nullptr);
    ~ActionController() override;

    using Records = services::ActionService::Records;

    services::ActionService::Reach reach() const { return m_workspace.actions().reach(); }
    bool isChecking() const { return m_checking; }
    bool isRunning() const { return m_running; }
    // Of the run that is under way, or of the last one; in its order.
    const Records &records() const { return m_records; }

    // Asks for a plan; an older question is dropped. `despite`: other controllers that were named.
    void check(const std::vector<std::string> &holders, const std::vector<std::string> &despite = {});
    void stop(const actions::Plan &plan, const actions::Confirmation &confirmation);
    void undo(const std::vector<std::int64_t> &ids, const QString &reason);
    // Nothing more is begun.
    void halt();

Q_SIGNALS:
    void planned(const actions::Plan &plan);
    void checkFailed(const base::Error &error);
    void recordsChanged(); // while it runs
    void finished(); // records() are as they ended
    void failed(const base::Error &error); // nothing, or not all of it, was done

private:
    using Answer = base::Result<Records>;
    using Work =
        std::function<Answer(services::ActionService &, const std::stop_token &, const actions::RunProgress &)>;
    void run(Work work);
    void take(const model::ActionRecord &record);

    services::Workspace &m_workspace;
    TaskRunner &m_tasks;
    bool m_checking = false, m_running = false;
    quint64 m_question = 0;
    std::stop_source m_checkStop, m_runStop;
    Records m_records;
};

} // namespace gpuledger::ui
