// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/idle/idlewaiting.h"

#include "ui/format/local/localtext.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace gpuledger::ui {

using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::StatePanel;
using widgets::TextSize;

IdleWaiting::IdleWaiting(const widgets::Theme &theme, WaitingViewModel &model, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_model(model)
{
    auto *content = new QWidget;
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Small));
    m_table = new widgets::DataTable(theme, tr("Jobs waiting for GPUs"), model.table(), content);
    layout->addWidget(m_table, 1);
    layout->addWidget(footer());
    m_panel = new StatePanel(theme, content);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_panel);
    connect(&m_model, &WaitingViewModel::changed, this, &IdleWaiting::showState);
    connect(m_table, &widgets::DataTable::currentRowChanged, this, [this](const QString &row) {
        showRow();
        Q_EMIT rowChanged(row);
    });
    connect(m_panel, &StatePanel::actionTriggered, this, [this] { m_model.refresh(); });
    m_panel->showLoading();
    showRow();
}

QWidget *IdleWaiting::footer()
{
    auto *bar = new QWidget;
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(m_theme.space(Space::Small), 0, m_theme.space(Space::Small), 0);
    layout->setSpacing(m_theme.space(Space::Small));
    m_reason = plainLabel(m_theme, {}, TextSize::Body, Color::Text, QFont::Normal, bar);
    m_reason->setWordWrap(true);
    m_export = new QPushButton(tr("Export…"), bar); // created in tab order
    m_tickAll = new QPushButton(tr("Select for &all"), bar);
    m_tickAll->setToolTip(widgets::plainToolTip(tr("Select every idle workload that blocks one of them")));
    m_tick = new QPushButton(tr("&Select blockers"), bar);
    layout->addWidget(m_reason, 1);
    for (QPushButton *button : {m_export, m_tickAll, m_tick})
        layout->addWidget(button);
    connect(m_tick, &QPushButton::clicked, this,
            [this] { Q_EMIT tickRequested(m_model.serversOf(m_table->currentRowId())); });
    connect(m_tickAll, &QPushButton::clicked, this, [this] { Q_EMIT tickRequested(m_model.servers()); });
    connect(m_export, &QPushButton::clicked, m_table, &widgets::DataTable::exportRequested);
    return bar;
}

void IdleWaiting::showState()
{
    if (m_model.state() == PageState::Error) {
        m_panel->showError(
            {tr("Waiting jobs can't be shown"), LocalText::sentence(*m_model.error()), {}, tr("Try again"), {}});
        return;
    }
    if (m_model.state() == PageState::Empty) {
        showEmpty();
        return;
    }
    m_panel->showData();
    if (m_table->currentRowId().isEmpty() && m_model.snapshot())
        m_table->setCurrentRow(QString::fromStdString(m_model.snapshot()->list.items.front().id));
    showRow();
}

// Nothing is waiting, or it is unknown: two different messages.
void IdleWaiting::showEmpty()
{
    widgets::StateMessage message;
    const QString gaps = m_model.gaps().join(QStringLiteral("\n"));
    if (m_model.isKnown()) {
        message.title = tr("No jobs are waiting for GPUs");
        message.text = gaps.isEmpty() ? tr("Every pod that requests GPUs has a node.") : gaps;
    } else {
        message.title = tr("Waiting jobs are not known");
        message.text = gaps.isEmpty() ? tr("No source in this configuration reports waiting jobs.") : gaps;
        message.remedy =
            tr("They are read from the Kubernetes API, and from kube-state-metrics and Kueue in your Prometheus.");
    }
    message.action = tr("Check again");
    m_panel->showEmpty(message);
}

void IdleWaiting::showRow()
{
    const QString row = m_table->currentRowId();
    m_reason->setText(row.isEmpty() ? m_model.gaps().join(QStringLiteral("; ")) : m_model.reason(row));
    m_reason->setToolTip(widgets::plainToolTip(m_model.gaps().join(QStringLiteral("\n"))));
    m_tick->setEnabled(!m_model.serversOf(row).isEmpty());
    m_tickAll->setEnabled(!m_model.servers().isEmpty());
}

} // namespace gpuledger::ui
