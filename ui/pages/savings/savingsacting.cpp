// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/savings/savingsacting.h"

#include "ui/pages/idle/idlestop.h"
#include "widgets/state/plaintext.h"

#include <QAction>
#include <QMenu>

#include <utility>

namespace gpuledger::ui {

SavingsActing::SavingsActing(const PageContext &context, SavingsActs::Ask ask, const SavingsViewModel &model,
                             QWidget *page)
    : QObject(page)
    , m_model(model)
    , m_zone(context.workspace.timeZone())
    , m_acts(std::move(ask), context.tasks)
    , m_stopping(new IdleStop(context, page))
{
    connect(&m_acts, &SavingsActs::changed, this, &SavingsActing::changed);
    connect(m_stopping, &IdleStop::changed, this, [this] {
        m_acts.refresh();
        Q_EMIT changed();
    });
    connect(m_stopping, &IdleStop::noticeWanted, this, &SavingsActing::noticeWanted);
}

ActOffer SavingsActing::offerFor(const QString &proposal) const
{
    return m_acts.offerFor(m_model.proposal(proposal), m_zone);
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
    if (offer.canMark)
        m_stopping->mark(offer.items, offer.markAfter);
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
    stop->setEnabled(!offer.items.empty() && !isBusy());
    stop->setToolTip(widgets::plainToolTip(offer.whyNot));
    if (offer.canMark)
        menu.addAction(tr("Mark to stop…"), this, [this, proposal] { mark(proposal); });
    if (!offer.undoable.empty()) {
        QAction *undone = menu.addAction(tr("Undo the stop"), this, [this, proposal] { undo(proposal); });
        undone->setEnabled(!isBusy());
    }
    menu.addSeparator();
}

} // namespace gpuledger::ui
