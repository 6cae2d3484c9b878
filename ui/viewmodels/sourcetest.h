// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/workspace.h"
#include "ui/viewmodels/taskrunner.h"

#include <QObject>
#include <QStringList>

#include <optional>
#include <stop_token>
#include <vector>

namespace gpuledger::ui {

// One line of a test's result, in plain words.
struct SourceCheck {
    enum class Level { Found, Missing, Problem };
    Level level = Level::Found;
    QString text; // with foreign names in it
    QString remedy; // empty when nothing is to be done
};

// The live test of one source: runs off the GUI thread, can be stopped, and keeps the last result. Owned by a
// view-model; GUI thread.
class SourceTest : public QObject {
    Q_OBJECT
public:
    enum class State { Untested, Running, Usable, NotUsable, Failed, Stopped };

    // Both must outlive it.
    SourceTest(services::Workspace &workspace, TaskRunner &tasks, QObject *parent = nullptr);
    ~SourceTest() override;

    // Starts anew; the answer to an earlier start is dropped.
    void start(const model::SourceSettings &source);
    void stop();
    // Forgets the result: what was tested is another one now.
    void reset();

    State state() const { return m_state; }
    bool isRunning() const { return m_state == State::Running; }
    // What the state says, as a sentence.
    QString summary() const;
    const std::vector<SourceCheck> &checks() const { return m_checks; }
    // Labels that could name the team, best first.
    const QStringList &ownerLabels() const { return m_ownerLabels; }

Q_SIGNALS:
    void changed();

private:
    using Answer = base::Result<ports::ProbeReport>;
    void take(quint64 generation, Answer answer);
    void become(State state);

    services::Workspace &m_workspace;
    TaskRunner &m_tasks;
    State m_state = State::Untested;
    QString m_product;
    QString m_error;
    std::vector<SourceCheck> m_checks;
    QStringList m_ownerLabels;
    quint64 m_generation = 0;
    std::stop_source m_running;
};

} // namespace gpuledger::ui
