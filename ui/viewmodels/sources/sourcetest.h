// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/probereport.h"
#include "app/services/workspace/workspace.h"
#include "ui/viewmodels/shell/taskrunner.h"
#include "ui/viewmodels/sources/loginports.h"

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

// The live test of one source: runs off the GUI thread, can be stopped, and keeps the last result. A source that runs a
// program to log in is not asked before somebody agreed to that program. Owned by a view-model; GUI thread.
class SourceTest : public QObject {
    Q_OBJECT
public:
    enum class State {
        Untested,
        Running,
        Usable,
        NotUsable,
        Failed,
        Stopped,
        NeedsConsent // see commands(); nothing was run and nobody was asked
    };

    // All must outlive it.
    SourceTest(services::Workspace &workspace, TaskRunner &tasks, const LoginPorts &logins = {},
               QObject *parent = nullptr);
    ~SourceTest() override;

    // Starts anew; the answer to an earlier start is dropped.
    void start(const model::SourceSettings &source);
    void stop();
    // Keeps that a person saw commands() and agreed to them, and starts anew.
    void agree();
    // Forgets the result: what was tested is another one now.
    void reset();

    State state() const { return m_state; }
    bool isRunning() const { return m_state == State::Running; }
    // What the state says, as a sentence.
    QString summary() const;
    const std::vector<SourceCheck> &checks() const { return m_checks; }
    // What nobody agreed to yet: each program with all that it is started with.
    const std::vector<ports::CommandPlan> &commands() const { return m_commands; }
    // What was tested last; nothing: nothing was.
    const std::optional<model::SourceSettings> &source() const { return m_source; }
    // When the last result came; nothing: there is none.
    const std::optional<base::UtcTime> &time() const { return m_time; }
    // Labels that could name the team, best first.
    const QStringList &ownerLabels() const { return m_ownerLabels; }

Q_SIGNALS:
    void changed();

private:
    struct Outcome {
        std::vector<ports::CommandPlan> commands; // to agree to first; else the report counts
        ports::ProbeReport report;
    };
    using Answer = base::Result<Outcome>;
    static Answer ask(services::Workspace &workspace, const LoginPorts &logins, const model::SourceSettings &source,
                      const std::vector<ports::CommandPlan> &agreed, const std::stop_token &stop);
    void begin(const model::SourceSettings &source, std::vector<ports::CommandPlan> agreed);
    void forget();
    void take(quint64 generation, Answer answer);
    void become(State state);
    bool onlyStops() const;

    services::Workspace &m_workspace;
    TaskRunner &m_tasks;
    const LoginPorts m_logins;
    State m_state = State::Untested;
    std::optional<model::SourceSettings> m_source;
    std::optional<base::UtcTime> m_time;
    std::vector<ports::CommandPlan> m_commands;
    QString m_product;
    QString m_error;
    std::vector<SourceCheck> m_checks;
    QStringList m_ownerLabels;
    quint64 m_generation = 0;
    std::stop_source m_running;
};

} // namespace gpuledger::ui
