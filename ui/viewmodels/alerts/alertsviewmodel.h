// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/config/alertedit.h"
#include "ui/viewmodels/alerts/alerttables.h"
#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/sources/configurationsaver.h"
#include "ui/viewmodels/tables/tablemodel.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <QUrlQuery>

#include <map>
#include <memory>
#include <optional>

namespace gpuledger::ui {

// What is wrong with a rule, by field; sentences for people, empty: nothing.
struct AlertProblems {
    QString name, bound, hours;
    bool isEmpty() const { return name.isEmpty() && bound.isEmpty() && hours.isEmpty(); }
};

// State and commands of the Alerts page: the rules with their states, what fires, the rule being edited with a replay
// over the past, messages and history. GUI thread; queries on worker threads, stale answers are dropped.
class AlertsViewModel : public QObject {
    Q_OBJECT
public:
    static constexpr int kTrialDelay = 300; // ms after an edit

    // All must outlive it. Without a configuration file nothing can be saved.
    AlertsViewModel(AlertsDesk desk, services::ConfigService &config, services::SourceService &sources,
                    TaskRunner &tasks, SyncController &sync, const std::filesystem::path &configFile,
                    QObject *parent = nullptr);

    // Empty: there is no rule, not even a new one, or it is a report.
    PageState state() const { return m_state; }
    const std::optional<base::Error> &error() const { return m_asker.error(); }
    std::shared_ptr<const AlertsSnapshot> snapshot() const { return m_asker.snapshot(); }
    bool isAsking() const { return m_asker.isAsking() || m_working > 0; }

    TableModel &rules() { return m_rules; }
    TableModel &firing() { return m_firing; }
    TableModel &messages() { return m_messages; }
    TableModel &targets() { return m_targets; }
    TableModel &changes() { return m_changes; }
    TableModel &silences() { return m_silences; }
    TableModel &trialRows() { return m_trialRows; }

    // Rows of rules(); AlertTables::newRule() is the one that is not in the configuration. Empty: none.
    const QString &currentId() const { return m_current; }
    void setCurrent(const QString &id); // an unknown id is ignored
    // As edited. Null: there is no current rule.
    const model::AlertRule *draft() const;
    bool isNew() const { return m_current == AlertTables::newRule(); }
    bool isChanged() const { return m_drafts.contains(m_current); } // the current one, and not saved
    AlertProblems problems() const; // of the current rule
    // Adds a rule to be edited, with a proposal, and makes it current; if there is one already, only that.
    void addRule();
    void edit(const model::AlertRule &rule);
    // Asks for a bound from the past and takes it over, unless the current rule is changed meanwhile.
    void proposeBound();
    void discard(); // what was changed in the current rule; a new one goes
    bool canSave() const; // there is a file
    void save(); // the current rule, unless it has problems; figures follow
    void remove(); // the current rule from the configuration
    // Writes the month in which the year of budgets begins, 1 to 12; what is edited stays as it is.
    void saveYearStart(int month);
    ConfigurationSaver &saver() { return m_saver; }
    const ConfigurationSaver &saver() const { return m_saver; }

    // When the current rule, as edited, would have fired. Null: not known yet, it has problems, or the replay failed.
    std::shared_ptr<const services::AlertReplay> trial() const;
    const std::optional<base::Error> &trialError() const { return m_trial.error(); }
    bool isTrying() const { return m_later.isActive() || m_trial.isAsking(); }

    // What fires, by a row of firing(); null: it is not listed.
    struct Firing {
        const services::RuleResult *rule = nullptr;
        const services::FiringScope *scope = nullptr;
    };
    std::optional<Firing> firingOf(const QString &row) const;
    void acknowledge(const QString &row);
    void silence(const QString &row, base::Seconds length, const QString &reason);
    void endSilence(std::int64_t id);
    // Asks what is idle in that scope; ends with idleFound() or told().
    void findIdle(const QString &row);
    const services::OutboxEntry *messageOf(const QString &row) const; // null: not listed
    void retry(std::int64_t message);
    void drop(std::int64_t message); // it is not sent
    void test(const QString &target);

    QUrlQuery place(const QString &firing) const; // `firing`: the current row there
    void restore(const QUrlQuery &place);
    // The row of firing() that the place names, once it is listed; empty: none.
    QString takeWantedFiring();
    void refresh();
    void setActive(bool active);

Q_SIGNALS:
    void changed(); // state and rows
    void currentChanged(); // another rule
    void draftChanged(); // its fields, problems(), isChanged()
    void trialChanged();
    void told(const QString &sentence, bool isWarning); // what a command came to
    void idleFound(const insight::IdleList &list);

private:
    using Work = std::function<base::Result<void>(const std::stop_token &)>;
    void take();
    void takeTrial();
    void showRules();
    void chooseCurrent(const QString &wanted);
    void askTrialSoon();
    void askTrial();
    const model::AlertRule *configured(const QString &id) const;
    void write(std::vector<services::AlertsChange::Rule> after);
    void run(Work work, const QString &done);

    const AlertsDesk m_desk;
    services::SourceService &m_sources;
    services::ConfigService &m_config;
    TaskRunner &m_tasks;
    ConfigurationSaver m_saver;
    TableModel m_rules, m_firing, m_messages, m_targets, m_changes, m_silences, m_trialRows;
    LatestQuery<AlertsSnapshot> m_asker;
    LatestQuery<services::AlertReplay> m_trial;
    QTimer m_later; // so that what an editor passes through is not replayed
    PageState m_state = PageState::Loading;
    AlertTables::Drafts m_drafts;
    QString m_current, m_wanted, m_wantedFiring;
    QString m_tried; // row of the rule that was replayed
    std::optional<QString> m_savedAs; // row of the rule that is being saved, afterwards; std::nullopt: no rule is
    int m_working = 0; // commands that run
};

} // namespace gpuledger::ui
