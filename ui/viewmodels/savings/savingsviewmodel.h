// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/savings/savingssnapshot.h"
#include "ui/viewmodels/savings/savingstable.h"
#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/tables/tablemodel.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <QUrlQuery>

#include <optional>
#include <string_view>
#include <vector>

namespace gpuledger::ui {

// State and commands of the Savings page: the proposals of the chosen range, what they rest on, what was decided about
// them, and what accepted ones saved. GUI thread; queries on worker threads.
class SavingsViewModel : public QObject {
    Q_OBJECT
public:
    // `tasks` and what `desk` refers to must outlive it.
    SavingsViewModel(SavingsDesk desk, TaskRunner &tasks, QObject *parent = nullptr);

    PageState state() const { return m_state; }
    const std::optional<base::Error> &error() const { return m_asker.error(); }
    std::shared_ptr<const SavingsSnapshot> snapshot() const { return m_asker.snapshot(); }
    bool isAsking() const { return isAskingList() || m_done.isAsking() || m_curve.isAsking() || m_isChoosing; }
    bool isAskingList() const { return m_asker.isAsking() || m_askLater.isActive(); }
    TableModel &table() { return m_table; }

    // Null: not known yet, or it failed.
    std::shared_ptr<const SavingsDone> done() const { return m_done.error() ? nullptr : m_done.snapshot(); }
    const std::optional<base::Error> &doneError() const { return m_done.error(); }

    std::optional<savings::Kind> kind() const { return m_kind; } // std::nullopt: all kinds
    void setKind(std::optional<savings::Kind> kind);

    // As the user wants them, among the defaults of the configuration; those of the list follow with its answer.
    const savings::Assumptions &assumptions() const { return m_assumptions; }
    // Those of the kind; for all kinds, those that were changed.
    std::vector<const savings::AssumptionSpec *> shownAssumptions() const;
    bool isChanged(const savings::AssumptionSpec &spec) const;
    // Asks again soon if that changes something. Fails as Assumptions::set() does, and then changes nothing.
    [[nodiscard]] base::Result<void> setAssumption(std::string_view name, std::string_view value);
    // All of them at once, among the defaults of the configuration; asks at once if that changes something.
    void setAssumptions(const savings::Assumptions &chosen);
    void resetAssumption(std::string_view name); // to its default
    void resetAssumptions(); // the shown ones

    // Ignores an id that is not listed. The first row is current until the user chooses one, and again when the chosen
    // one is gone.
    void setCurrent(const QString &id);
    const QString &currentId() const { return m_current; }
    const savings::Proposal *proposal(const QString &id) const; // null: not listed
    const savings::Proposal *current() const { return proposal(m_current); }
    const savings::Choice *choiceOf(const QString &id) const; // in force; null: none

    // Of the current proposal; while a new list is computed, that of the old one. Null: not known yet, or it failed.
    std::shared_ptr<const SavingsCurve> curve() const;
    const std::optional<base::Error> &curveError() const { return m_curve.error(); }
    // There is a current proposal, and neither its curve nor an error is known yet.
    bool isCurvePending() const;

    bool canChoose() const; // false: a report, nothing listed, or a choice is being recorded
    // Records it about a proposal of `shown`, what the user saw when deciding (null: the newest list), then reads the
    // list again. Every call ends with chosen() or chooseFailed().
    void choose(const savings::ChoiceDraft &draft, std::shared_ptr<const SavingsSnapshot> shown = nullptr);

    const Scope &scope() const { return m_scope; }
    void setScope(const Scope &scope);
    QUrlQuery place() const;
    void restore(const QUrlQuery &place);
    void refresh();
    void setActive(bool active);

Q_SIGNALS:
    void changed(); // state or rows
    void currentChanged();
    void curveChanged();
    void kindChanged();
    void assumptionsChanged(); // as wanted
    void doneChanged();
    void choosingChanged(); // one began or ended
    void chosen(const savings::Choice &choice);
    void chooseFailed(const base::Error &error);

private:
    void assume(savings::Assumptions wanted); // asks soon, if it differs
    savings::Assumptions amongUsual(savings::Assumptions chosen) const;
    void ask();
    void take();
    void showRows();
    void chooseCurrent(const QString &wanted);
    void askCurve();
    QString firstShown() const; // empty: there is no row

    const SavingsDesk m_desk;
    TaskRunner &m_tasks;
    TableModel m_table;
    LatestQuery<SavingsSnapshot> m_asker;
    LatestQuery<SavingsDone> m_done;
    LatestQuery<SavingsCurve> m_curve;
    std::shared_ptr<const SavingsSnapshot> m_curveList; // for which the curve was asked
    QString m_curveId;
    std::shared_ptr<const SavingsTable> m_rows;
    PageState m_state = PageState::Loading;
    std::optional<savings::Kind> m_kind;
    savings::Assumptions m_assumptions;
    Scope m_scope;
    QString m_current;
    QString m_restored; // the row of the restored place
    bool m_isOtherScope = false; // since a place was restored
    QTimer m_askLater; // so that what an editor passes through is not asked
    bool m_isPicked = false; // the current row, by the user
    bool m_isChoosing = false;
};

} // namespace gpuledger::ui
