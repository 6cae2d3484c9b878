// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/savings/savingsviewmodel.h"

#include <QObject>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace gpuledger::ui {

// Saved assumptions for the Savings page: which there are, which are in use, and whether they were edited since. The
// same file as that of the command line. GUI thread; the file is read and written on worker threads.
class ScenariosViewModel : public QObject {
    Q_OBJECT
public:
    // Those of `model` are saved and changed; it, `tasks` and what `desk` refers to must outlive this.
    ScenariosViewModel(SavingsDesk desk, SavingsViewModel &model, TaskRunner &tasks, QObject *parent = nullptr);

    const std::vector<savings::Scenario> &scenarios() const; // by name; empty: none, or not known yet
    const std::optional<base::Error> &error() const { return m_list.error(); }
    bool isAsking() const { return m_list.isAsking() || m_isWriting; }
    const savings::Scenario *find(const QString &name) const; // null: there is none
    const savings::Scenario *current() const { return find(m_current); } // in use; null: none
    bool isChanged() const; // one is in use, and the assumptions differ from it
    bool isDefault() const; // all assumptions are the defaults
    bool isOffered() const; // false: nothing was fetched yet, or a report without scenarios
    bool canWrite() const; // false: a report, nothing is known yet, or the file is being written

    // Takes over its values, as if they were edited. Ignores a name that is not listed.
    void use(const QString &name);
    // The assumptions of the tab as by default; no scenario is in use then.
    void reset();
    // The assumptions in use under a name, which is in use then. It replaces one of the same name. Ends with saved() or
    // failed().
    void save(const QString &name);
    void remove(const QString &name); // the assumptions stay; ends with removed() or failed()

    const QString &currentName() const { return m_current; } // of a place, also if it is not listed
    void restore(const QString &name); // of a place, which has the values, too
    void refresh();
    void setActive(bool active) { m_list.setActive(active); }

Q_SIGNALS:
    void changed(); // what is listed, or what can be done
    void currentChanged(); // by use(), reset(), save() or remove()
    void saved(const QString &name);
    void removed(const QString &name);
    void failed(const base::Error &error);

private:
    using List = std::vector<savings::Scenario>;
    struct Written {
        QString name; // as it was saved; empty: it was removed
        List all;
    };
    void write(std::function<base::Result<Written>()> work, std::function<void(const QString &)> done);
    void setCurrent(const QString &name);

    const SavingsDesk m_desk;
    SavingsViewModel &m_model;
    TaskRunner &m_tasks;
    LatestQuery<List> m_list;
    QString m_current;
    bool m_isWriting = false;
};

} // namespace gpuledger::ui
