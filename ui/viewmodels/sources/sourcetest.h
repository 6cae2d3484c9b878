// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/probereport.h"
#include "app/ports/sourcekind.h"
#include "ui/viewmodels/shell/taskrunner.h"
#include "ui/viewmodels/sources/loginports.h"

#include <QObject>
#include <QStringList>

#include <optional>
#include <stop_token>
#include <vector>

namespace gpuledger::base {
class Clock;
}
namespace gpuledger::services {
class SourceService;
}

namespace gpuledger::ui {

// One line of a test result, in plain words.
struct SourceCheck {
    enum class Level { Found, Missing, Problem };
    Level level = Level::Found;
    QString text; // contains names from outside
    QString remedy; // empty if nothing has to be done
};

// The live test of one source: runs off the GUI thread, can be cancelled, and keeps the last result. A source that logs
// in by running a program is not contacted before the user has agreed to that program. Owned by a view-model; GUI
// thread.
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
        NeedsConsent // see commands(); no program was run and no server contacted
    };

    // All arguments must outlive this object.
    SourceTest(const base::Clock &clock, services::SourceService &sources, TaskRunner &tasks,
               const LoginPorts &logins = {}, QObject *parent = nullptr);
    ~SourceTest() override;

    // Starts a new test; the answer to an earlier one is dropped.
    void start(const model::SourceSettings &source);
    void stop();
    // Records that the user has seen commands() and agreed to them, and starts again.
    void agree();
    // Discards the result, because the tested fields have changed.
    void reset();

    State state() const { return m_state; }
    bool isRunning() const { return m_state == State::Running; }
    // The state as a sentence.
    QString summary() const;
    const std::vector<SourceCheck> &checks() const { return m_checks; }
    // Programs that the user has not agreed to yet, each with all its arguments and environment.
    const std::vector<ports::CommandPlan> &commands() const { return m_commands; }
    // The source tested last; std::nullopt if there is none.
    const std::optional<model::SourceSettings> &source() const { return m_source; }
    // When the last result arrived; std::nullopt if there is none.
    const std::optional<base::UtcTime> &time() const { return m_time; }
    // Labels that could name the team, best first.
    const QStringList &ownerLabels() const { return m_ownerLabels; }

Q_SIGNALS:
    void changed();

private:
    struct Outcome {
        std::vector<ports::CommandPlan> commands; // not agreed to yet; if there are any, there is no report
        ports::ProbeReport report;
    };
    using Answer = base::Result<Outcome>;
    static Answer ask(services::SourceService &sources, const LoginPorts &logins, const model::SourceSettings &source,
                      const std::vector<ports::CommandPlan> &agreed, const std::stop_token &stop);
    void begin(const model::SourceSettings &source, std::vector<ports::CommandPlan> agreed);
    void forget();
    void take(quint64 generation, Answer answer);
    void become(State state);
    // The kind of the source that was tested last; without settings if it is unknown.
    ports::SourceKind testedKind() const;

    const base::Clock &m_clock;
    services::SourceService &m_sources;
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
