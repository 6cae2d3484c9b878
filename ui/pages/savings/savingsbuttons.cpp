// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/savings/savingsbuttons.h"

#include "ui/viewmodels/savings/savingsviewmodel.h"
#include "widgets/state/plaintext.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

namespace gpuledger::ui {

using savings::ChoiceState;

SavingsButtons::SavingsButtons(const widgets::Theme &theme, const SavingsViewModel &model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_stopped(widgets::plainLabel(theme, {}, widgets::TextSize::Body, widgets::Color::Text, QFont::Normal, this))
    , m_stop(new QPushButton(tr("&Stop…"), this)) // as on the Idle page, with the same key
    , m_undo(new QPushButton(tr("&Undo the stop"), this))
    , m_accept(new QPushButton(tr("&Accept…"), this))
    , m_takeBack(new QPushButton(tr("Take &back"), this))
    , m_more(new QPushButton(tr("&More", "actions"), this))
{
    m_stopped->setWordWrap(true);
    widgets::setPrimary(m_accept); // it only opens the dialog that asks
    m_more->setAccessibleName(tr("More actions for the proposal"));
    const int gap = theme.space(widgets::Space::Small);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(gap);
    layout->addWidget(m_stopped);
    auto *row = new QHBoxLayout;
    row->setSpacing(gap);
    for (QPushButton *button : {m_stop, m_undo, m_accept, m_takeBack, m_more})
        row->addWidget(button);
    row->addStretch();
    layout->addLayout(row);
    fillMenu();
    connect(m_stop, &QPushButton::clicked, this, &SavingsButtons::stopRequested);
    connect(m_undo, &QPushButton::clicked, this, &SavingsButtons::undoRequested);
    connect(m_accept, &QPushButton::clicked, this, [this] { Q_EMIT chooseRequested(ChoiceState::Accepted); });
    connect(m_takeBack, &QPushButton::clicked, this, [this] { Q_EMIT chooseRequested(ChoiceState::Open); });
    showChoices();
    showAct({});
}

void SavingsButtons::fillMenu()
{
    m_more->setMenu(new QMenu(m_more));
    constexpr QLatin1String kMark("mark"), kUndo("undo"), kDismiss("dismiss"); // no-tr: names of objects
    constexpr QLatin1String kLater("later"), kTicket("ticket"), kExport("export"); // no-tr: names of objects
    m_mark = addEntry(tr("&Mark to stop…"), kMark, &SavingsButtons::markRequested);
    m_undoToo = addEntry(tr("&Undo the stop"), kUndo, &SavingsButtons::undoRequested);
    m_dismiss = addChoice(tr("&Dismiss…"), kDismiss, ChoiceState::Dismissed);
    m_later = addChoice(tr("&Remind me later…"), kLater, ChoiceState::Later);
    m_ticket = addEntry(tr("Copy as &ticket"), kTicket, &SavingsButtons::ticketRequested);
    m_export = addEntry(tr("&Export as workbook…"), kExport, &SavingsButtons::exportRequested);
    for (QAction *one : {m_undoToo, m_dismiss, m_later, m_ticket}) { // as while these were buttons
        one->setShortcut(QKeySequence::mnemonic(one->text()));
        addAction(one);
    }
}

QAction *SavingsButtons::addEntry(const QString &text, QLatin1String name, void (SavingsButtons::*signal)())
{
    QAction *entry = m_more->menu()->addAction(text, this, signal);
    entry->setObjectName(name);
    return entry;
}

QAction *SavingsButtons::addChoice(const QString &text, QLatin1String name, ChoiceState state)
{
    QAction *entry = m_more->menu()->addAction(text, this, [this, state] { Q_EMIT chooseRequested(state); });
    entry->setObjectName(name);
    return entry;
}

void SavingsButtons::showAct(const ActOffer &offer)
{
    const bool canUndo = !offer.undoable.empty();
    const bool isUndoFirst = canUndo && offer.items.empty(); // nothing is left to stop
    m_stop->setVisible(offer.isShown && !isUndoFirst);
    m_stop->setEnabled(!offer.items.empty() && !offer.isBusy);
    m_stop->setToolTip(widgets::plainToolTip(offer.whyNot));
    m_stop->setAccessibleDescription(offer.whyNot);
    m_undo->setVisible(isUndoFirst);
    m_undoToo->setVisible(canUndo && !isUndoFirst);
    m_undo->setEnabled(!offer.isBusy);
    m_undoToo->setEnabled(!offer.isBusy);
    m_mark->setVisible(offer.canMark);
    m_stopped->setText(offer.done);
    m_stopped->setVisible(!offer.done.isEmpty());
}

void SavingsButtons::showChoices()
{
    const savings::Proposal *one = m_model.current();
    const auto snapshot = m_model.snapshot();
    const bool isChosen = one && m_model.choiceOf(m_model.currentId());
    const bool isOffered = one && snapshot && !snapshot->frame.isReadOnly; // a report only shows what was
    const bool isOpen = isOffered && !isChosen && !one->excludedBy;
    m_accept->setVisible(isOpen);
    m_takeBack->setVisible(isOffered && isChosen);
    for (QPushButton *button : {m_accept, m_takeBack})
        button->setEnabled(m_model.canChoose());
    for (QAction *entry : {m_dismiss, m_later}) {
        entry->setVisible(isOpen);
        entry->setEnabled(m_model.canChoose());
    }
    m_ticket->setVisible(one);
    m_export->setVisible(snapshot != nullptr);
    m_more->setVisible(snapshot != nullptr);
}

void SavingsButtons::focusFirst()
{
    for (QPushButton *button : {m_accept, m_takeBack, m_more}) {
        if (button->isVisible() && button->isEnabled()) {
            button->setFocus(Qt::ShortcutFocusReason);
            return;
        }
    }
}

} // namespace gpuledger::ui
