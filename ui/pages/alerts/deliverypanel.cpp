// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/alerts/deliverypanel.h"

#include "ui/pages/alerts/alertlist.h"
#include "widgets/table/datatable.h"

#include <QGridLayout>
#include <QPushButton>
#include <QTreeView>

#include <iterator>

namespace gpuledger::ui {

using widgets::Space;

namespace {

constexpr int kMessagesShare = 62, kTargetsShare = 38;

} // namespace

DeliveryPanel::DeliveryPanel(const widgets::Theme &theme, AlertsViewModel &model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_messages(
          new AlertList(theme, tr("Messages"), tr("Nothing was sent in the past 90 days."), model.messages(), this))
    , m_targets(new AlertList(theme, tr("Targets"), tr("The configuration has no targets, so nothing is sent."),
                              model.targets(), this))
    , m_changes(new AlertList(theme, tr("History"), tr("No alert changed its state in the past 90 days."),
                              model.changes(), this))
    , m_silences(new AlertList(theme, tr("Silences"), tr("Nothing is silenced."), model.silences(), this))
    , m_retry(m_messages->addButton(tr("Send again")))
    , m_drop(m_messages->addButton(tr("Discard", "a message")))
    , m_test(m_targets->addButton(tr("Send test")))
    , m_end(m_silences->addButton(tr("End silence")))
{
    auto *layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Medium));
    layout->addWidget(m_messages, 0, 0);
    layout->addWidget(m_targets, 0, 1);
    layout->addWidget(m_changes, 1, 0);
    layout->addWidget(m_silences, 1, 1);
    layout->setColumnStretch(0, kMessagesShare);
    layout->setColumnStretch(1, kTargetsShare);
    layout->setRowStretch(0, 1);
    layout->setRowStretch(1, 1);
    QWidget *const inOrder[] = {m_messages->table()->view(), m_retry, m_drop,
                                m_targets->table()->view(),  m_test,  m_changes->table()->view(),
                                m_silences->table()->view(), m_end};
    for (std::size_t i = 1; i < std::size(inOrder); ++i)
        setTabOrder(inOrder[i - 1], inOrder[i]);
    connect(m_retry, &QPushButton::clicked, this, [this] { m_model.retry(m_messages->current().toLongLong()); });
    connect(m_drop, &QPushButton::clicked, this, [this] { m_model.drop(m_messages->current().toLongLong()); });
    connect(m_test, &QPushButton::clicked, this, [this] { m_model.test(m_targets->current()); });
    connect(m_end, &QPushButton::clicked, this, [this] { m_model.endSilence(m_silences->current().toLongLong()); });
    for (AlertList *list : {m_messages, m_targets, m_silences})
        connect(list, &AlertList::currentChanged, this, &DeliveryPanel::showButtons);
    connect(&model, &AlertsViewModel::changed, this, &DeliveryPanel::showAll);
    showButtons();
}

void DeliveryPanel::showAll()
{
    for (AlertList *list : {m_messages, m_targets, m_silences, m_changes})
        list->showRows();
}

void DeliveryPanel::showButtons()
{
    const services::OutboxEntry *message = m_model.messageOf(m_messages->current());
    m_retry->setEnabled(message && message->state == services::OutboxState::Dead);
    m_drop->setEnabled(
        message && (message->state == services::OutboxState::Waiting || message->state == services::OutboxState::Dead));
    m_test->setEnabled(!m_targets->current().isEmpty());
    m_end->setEnabled(!m_silences->current().isEmpty());
}

} // namespace gpuledger::ui
