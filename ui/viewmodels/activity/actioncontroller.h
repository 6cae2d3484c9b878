// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/actions/actionservice.h"
#include "ui/viewmodels/shell/taskrunner.h"

#include <QObject>

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ui {

// Runs checks, stops and undos off the GUI thread, one at a time, and reports their progress. Records are on disk
// before they are signalled. When this object is destroyed, a running stop continues with what it has begun and skips
// the rest. GUI thread.
class ActionController : public QObject {
    Q_OBJECT
public:
    // Both must outlive this object.
    ActionController(services::ActionService &actions, TaskRunner &tasks, QObject *parent = nullptr);
    ~ActionController() override;

    using Records = services::ActionService::Records;

    services::ActionService::Reach reach() const { return m_actions.reach(); }
    bool isChecking() const { return m_checking; }
    bool isRunning() const { return m_running; }
    // The records of the current run, or of the last one, in its order.
    const Records &records() const { return m_records; }

    // Requests a plan; an older request is dropped. `despite`: other controllers that were named.
    void check(const std::vector<std::string> &holders, const std::vector<std::string> &despite = {});
    void stop(const actions::Plan &plan, const actions::Confirmation &confirmation);
    void undo(const std::vector<std::int64_t> &ids, const QString &reason);
    // Starts nothing further.
    void halt();

Q_SIGNALS:
    void planned(const actions::Plan &plan);
    void checkFailed(const base::Error &error);
    void recordsChanged(); // during a run
    void finished(); // records() are final
    void failed(const base::Error &error); // nothing, or only a part, was done

private:
    using Answer = base::Result<Records>;
    using Work =
        std::function<Answer(services::ActionService &, const std::stop_token &, const actions::RunProgress &)>;
    void run(Work work);
    void take(const model::ActionRecord &record);

    services::ActionService &m_actions;
    TaskRunner &m_tasks;
    bool m_checking = false, m_running = false;
    quint64 m_question = 0;
    std::stop_source m_checkStop, m_runStop;
    Records m_records;
};

} // namespace gpuledger::ui
