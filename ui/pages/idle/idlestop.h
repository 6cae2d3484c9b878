// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"
#include "ui/viewmodels/activity/actioncontroller.h"

#include <QObject>
#include <QPointer>

#include <optional>
#include <vector>

class QMenu;

namespace gpuledger::ui {

class StopDialog;

// The actions of the Idle page: the Stop dialog, the bar that shows the progress of a stop and undoes it, and the
// requests to leave a workload alone. Owned by its page; GUI thread.
class IdleStop : public QObject {
    Q_OBJECT
public:
    IdleStop(const PageContext &context, QWidget *page);

    bool canStop() const { return m_actions.reach().canStop; }
    bool isBusy() const { return m_actions.isRunning(); }
    void ask(std::vector<insight::IdleItem> items);
    void leaveAlone(const insight::IdleItem &item, model::Lease::Kind kind = model::Lease::Kind::Snooze);
    // Copies a message for its owner; the program sends nothing.
    void copyOwnerMessage(const insight::IdleItem &item);
    // Whether the watch may stop workloads later, and the dialog that asks when.
    bool canMark() const;
    // At least one item. `after` is the time that the dialog suggests; std::nullopt: the usual one.
    void mark(const std::vector<insight::IdleItem> &items, std::optional<base::Seconds> after = std::nullopt);
    // Brings back what these actions stopped.
    void undo(const std::vector<std::int64_t> &actions);
    void endLease(std::int64_t lease);
    QPointer<StopDialog> dialog() const { return m_dialog; }

Q_SIGNALS:
    void noticeWanted(const PageNotice &notice);
    void changed(); // something was stopped, restored or left alone, so the list has changed

private:
    void tellChanged(); // also to the other pages, of all windows
    void tellRun();
    void tellFailure(const base::Error &error);
    void tellMarked(const actions::Marked &marked, bool isWatched);
    template <typename Work> void keep(Work work, const QString &done);

    const PageContext m_context;
    QWidget *m_page;
    ActionController m_actions;
    QPointer<StopDialog> m_dialog;
};

} // namespace gpuledger::ui
