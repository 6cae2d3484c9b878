// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/savings/savingsacting.h"

#include "ui/pages/idle/idlestop.h"
#include "ui/pages/savings/savingsbuttons.h"
#include "widgets/state/plaintext.h"

#include <QAction>
#include <QMenu>

#include <utility>

namespace gpuledger::ui {

SavingsActing::SavingsActing(const PageContext &context, SavingsActs::Ask ask, const SavingsViewModel &model,
                             QWidget *page)
    : QObject(page)
    , m_model(model)
    , m_workspace(context.workspace)
    , m_acts(std::move(ask), context.tasks)
    , m_stopping(new IdleStop(context, page))
{
    connect(&m_acts, &SavingsActs::changed, this, &SavingsActing::changed);
    connect(m_stopping, &IdleStop::changed, this, &SavingsActing::changed);
    connect(&context.sync, &SyncController::actionsChanged, this, &SavingsActing::refresh);
    connect(m_stopping, &IdleStop::noticeWanted, this, [this](const PageNotice &notice) {
        Q_EMIT noticeWanted(notice);
        Q_EMIT changed(); // it may tell of a run that began
    });
}

void SavingsActing::serve(const SavingsButtons &buttons)
{
    connect(&buttons, &SavingsButtons::stopRequested, this, [this] { stop(m_model.currentId()); });
    connect(&buttons, &SavingsButtons::markRequested, this, [this] { mark(m_model.currentId()); });
    connect(&buttons, &SavingsButtons::undoRequested, this, [this] { undo(m_model.currentId()); });
}

ActOffer SavingsActing::offerFor(const QString &proposal) const
{
    ActOffer offer = m_acts.offerFor(m_model.proposal(proposal), m_workspace.timeZone());
    offer.isBusy = isBusy();
    return offer;
}

bool SavingsActing::isBusy() const
{
    return m_stopping->isBusy();
}

void SavingsActing::stop(const QString &proposal)
{
    m_stopping->ask(offerFor(proposal).items);
}

void SavingsActing::mark(const QString &proposal)
{
    const ActOffer offer = offerFor(proposal);
    if (offer.canMark) // from now: the answer may be hours old
        m_stopping->mark(offer.items, services::untilOffHours(*m_model.proposal(proposal), m_workspace.clock().now()));
}

void SavingsActing::undo(const QString &proposal)
{
    if (const ActOffer offer = offerFor(proposal); !offer.undoable.empty())
        m_stopping->undo(offer.undoable);
}

void SavingsActing::addActions(QMenu &menu, const QString &proposal)
{
    const ActOffer offer = offerFor(proposal);
    if (!offer.isShown)
        return;
    menu.setToolTipsVisible(true);
    QAction *stop = menu.addAction(tr("Stop…"), this, [this, proposal] { this->stop(proposal); });
    stop->setEnabled(!offer.items.empty() && !offer.isBusy);
    stop->setToolTip(widgets::plainToolTip(offer.whyNot));
    if (offer.canMark)
        menu.addAction(tr("Mark to stop…"), this, [this, proposal] { mark(proposal); });
    if (!offer.undoable.empty()) {
        QAction *undone = menu.addAction(tr("Undo the stop"), this, [this, proposal] { undo(proposal); });
        undone->setEnabled(!offer.isBusy);
    }
    menu.addSeparator();
}

} // namespace gpuledger::ui
