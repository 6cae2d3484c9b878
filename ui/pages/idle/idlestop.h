// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"
#include "ui/viewmodels/activity/actioncontroller.h"

#include <QObject>
#include <QPointer>

#include <vector>

class QMenu;

namespace gpuledger::ui {

class StopDialog;

// What the Idle page does about its rows: the Stop dialog, the bar that tells how a stop goes and takes it back, and
// the wishes to leave something alone. Owned by its page; GUI thread.
class IdleStop : public QObject {
    Q_OBJECT
public:
    IdleStop(const PageContext &context, QWidget *page);

    bool canStop() const { return m_actions.reach().canStop; }
    bool isBusy() const { return m_actions.isRunning(); }
    void ask(std::vector<insight::IdleItem> items);
    void leaveAlone(const insight::IdleItem &item);
    // Whether the watch may stop something later, and the question when.
    bool canMark() const;
    void mark(const insight::IdleItem &item);
    void endLease(std::int64_t lease);
    QPointer<StopDialog> dialog() const { return m_dialog; }

Q_SIGNALS:
    void noticeWanted(const PageNotice &notice);
    void changed(); // something was stopped, brought back or left alone: the list is another one

private:
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
