// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/activity/actioncontroller.h"

#include <QPointer>

#include <algorithm>

namespace gpuledger::ui {

ActionController::ActionController(services::ActionService &actions, TaskRunner &tasks, QObject *parent)
    : QObject(parent)
    , m_actions(actions)
    , m_tasks(tasks)
{
}

ActionController::~ActionController()
{
    m_checkStop.request_stop();
}

void ActionController::check(const std::vector<std::string> &holders, const std::vector<std::string> &despite)
{
    using PlanAnswer = base::Result<actions::Plan>;
    m_checkStop.request_stop();
    m_checking = true;
    const quint64 question = ++m_question;
    m_checkStop = m_tasks.run<PlanAnswer>(
        this,
        [actions = &m_actions, holders, despite](const std::stop_token &stop) {
            return actions->plan({holders, true, despite}, stop);
        },
        [this, question](PlanAnswer answer) {
            if (question != m_question)
                return;
            m_checking = false;
            if (answer)
                Q_EMIT planned(*answer);
            else if (answer.error().code != base::ErrorCode::Cancelled)
                Q_EMIT checkFailed(answer.error());
        });
}

void ActionController::stop(const actions::Plan &plan, const actions::Confirmation &confirmation)
{
    run([plan, confirmation](services::ActionService &desk, const std::stop_token &stop,
                             const actions::RunProgress &progress) {
        return desk.stop(plan, confirmation, stop, progress);
    });
}

void ActionController::undo(const std::vector<std::int64_t> &ids, const QString &reason)
{
    run([ids, reason = reason.toStdString()](services::ActionService &desk, const std::stop_token &stop,
                                             const actions::RunProgress &progress) {
        return desk.undo(ids, reason, stop, progress);
    });
}

void ActionController::run(Work work)
{
    if (m_running)
        return;
    m_running = true;
    m_records.clear();
    const QPointer<ActionController> self(this);
    m_runStop = m_tasks.run<Answer>(
        this,
        [actions = &m_actions, tasks = &m_tasks, self, work = std::move(work)](const std::stop_token &stop) {
            return work(*actions, stop, [tasks, self](const model::ActionRecord &record) {
                tasks->deliver([self, record] {
                    if (self)
                        self->take(record);
                });
            });
        },
        [this](Answer answer) {
            m_running = false;
            if (answer) {
                m_records = std::move(*answer);
                Q_EMIT finished();
            } else {
                Q_EMIT failed(answer.error());
            }
        });
    Q_EMIT recordsChanged();
}

void ActionController::take(const model::ActionRecord &record)
{
    const auto same = std::find_if(m_records.begin(), m_records.end(),
                                   [&](const model::ActionRecord &known) { return known.id == record.id; });
    if (same != m_records.end())
        *same = record;
    else
        m_records.push_back(record);
    if (m_running)
        Q_EMIT recordsChanged();
}

void ActionController::halt()
{
    m_runStop.request_stop();
}

} // namespace gpuledger::ui
