// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"
#include "ui/viewmodels/savings/savingsacts.h"
#include "ui/viewmodels/savings/savingsviewmodel.h"

#include <QObject>

class QMenu;

namespace gpuledger::ui {

class IdleStop;
class SavingsButtons;

// The actions of the Savings page: opens the Stop dialog or the one that marks for the idle workloads of a proposal,
// and undoes their stops. The same as on the Idle page, with the same checks. Owned by its page; GUI thread.
class SavingsActing : public QObject {
    Q_OBJECT
public:
    // The view model must outlive it.
    SavingsActing(const PageContext &context, SavingsActs::Ask ask, const SavingsViewModel &model, QWidget *page);

    // Does what these buttons ask for the current proposal. Once.
    void serve(const SavingsButtons &buttons);
    bool isAsking() const { return m_acts.isAsking(); }
    void refresh() { m_acts.refresh(); }
    void setActive(bool active) { m_acts.setActive(active); }
    ActOffer offerFor(const QString &proposal) const;
    bool isBusy() const;

    void stop(const QString &proposal);
    void mark(const QString &proposal);
    void undo(const QString &proposal);
    void addActions(QMenu &menu, const QString &proposal);

Q_SIGNALS:
    void changed(); // what can be done
    void noticeWanted(const PageNotice &notice);

private:
    const SavingsViewModel &m_model;
    const services::Workspace &m_workspace; // whose time zone may change
    SavingsActs m_acts;
    IdleStop *m_stopping;
};

} // namespace gpuledger::ui
