// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/idle/idleselectionbar.h"

#include "app/services/engine/configservice.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/idle/idlerulecurve.h"
#include "ui/viewmodels/idle/idletext.h"
#include "widgets/state/plaintext.h"
#include "widgets/table/datatable.h"
#include "widgets/table/tabletext.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QTreeView>

namespace gpuledger::ui {

using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::TextSize;

IdleSelectionBar::IdleSelectionBar(const widgets::Theme &theme, const services::ConfigService &config,
                                   IdleViewModel &model, widgets::DataTable &table, QWidget *parent)
    : QWidget(parent)
    , m_config(config)
    , m_model(model)
    , m_table(table)
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(theme.space(Space::Small), 0, theme.space(Space::Small), 0);
    layout->setSpacing(theme.space(Space::Small));
    m_selected = plainLabel(theme, {}, TextSize::Body, Color::Text, QFont::DemiBold, this);
    m_selectedTotals = plainLabel(theme, {}, TextSize::Body, Color::Muted, QFont::Normal, this);
    m_clear = new QPushButton(tr("Clear"), this);
    m_clear->setAccessibleName(tr("Clear selection"));
    m_rule = new QPushButton(tr("Rule…", "for what is idle"), this);
    m_rule->setAccessibleName(tr("Idle rule"));
    m_rule->setToolTip(widgets::plainToolTip(tr("When a workload counts as idle, and what another rule would do")));
    m_copy = new QPushButton(tr("Copy list"), this);
    auto *save = new QPushButton(tr("Export…"), this);
    m_stop = new QPushButton(tr("&Stop this one…"), this);
    widgets::setPrimary(m_stop); // it only opens the dialog that asks
    layout->addWidget(m_selected);
    m_selectedTotals->setWordWrap(true);
    layout->addWidget(m_selectedTotals, 1);
    for (QPushButton *button : {m_clear, m_rule, m_copy, save, m_stop})
        layout->addWidget(button);
    connect(m_clear, &QPushButton::clicked, this, [this] { m_model.table().clearChecked(); });
    connect(m_copy, &QPushButton::clicked, this, &IdleSelectionBar::copyList);
    connect(save, &QPushButton::clicked, &table, &widgets::DataTable::exportRequested);
}

QString IdleSelectionBar::totalsText(const IdleTotals &totals) const
{
    if (totals.workloads == 0)
        return {};
    const QString gpus = IdleText::gpuCount(totals.gpus);
    const QString saves = IdleText::saves(totals.saving, m_config.settings().currency);
    return saves.isEmpty() ? tr("%1, no price known", "GPUs").arg(gpus)
                           : tr("%1; stopping %2", "GPUs, \"saves 1,234 USD a month\"").arg(gpus, saves);
}

void IdleSelectionBar::showTotals(const Stopping &stopping)
{
    const IdleTotals ticked = m_model.checkedTotals();
    const bool any = ticked.workloads > 0;
    m_selected->setText(any ? tr("%n selected", nullptr, ticked.workloads) : QString());
    m_selected->setVisible(any);
    m_selectedTotals->setText(any ? totalsText(ticked) : tr("Select workloads to add them up"));
    m_clear->setVisible(any);
    const auto shown = m_model.snapshot();
    m_stop->setVisible(stopping.isOffered);
    const insight::IdleItem *current = m_model.currentIdle();
    const bool isOne = current && !shown->isStopped(current->id);
    m_stop->setEnabled((any || isOne) && !stopping.isBusy && stopping.whyNot.isEmpty());
    const insight::IdleItem *partly = any ? nullptr : m_model.currentPartly();
    const QString whyNot = partly && stopping.whyNot.isEmpty() ? IdleText::whyPartly(*partly) : stopping.whyNot;
    m_stop->setToolTip(widgets::plainToolTip(whyNot));
    m_stop->setAccessibleDescription(whyNot);
    m_stop->setText(any ? tr("&Stop %n selected…", nullptr, ticked.workloads) : tr("&Stop this one…"));
    m_copy->setText(any ? tr("Copy %n selected", nullptr, ticked.workloads) : tr("Copy list"));
    m_rule->setVisible(shown && !shown->isReadOnly); // a report has no past to replay
    if (shown && shown->rule)
        m_rule->setToolTip(widgets::plainToolTip(tr("When a workload counts as idle, and what another rule would do")
                                                 + QLatin1Char('\n') + IdleRuleCurveText::graces(shown->rule->grace)));
    const QString source = shown ? LocalText::sourceLine(shown->sources, shown->age()) : QString();
    m_selectedTotals->setToolTip(widgets::plainToolTip(any ? source : QString()));
}

void IdleSelectionBar::copyList()
{
    const TableModel &model = m_model.table();
    QModelIndexList rows;
    for (const QString &id : model.checkedIds())
        rows.append(model.indexOf(id));
    rows.removeAll(QModelIndex()); // filtered out
    QList<int> columns;
    const QHeaderView *header = m_table.view()->header();
    for (int i = 0; i < header->count(); ++i) {
        const int column = header->logicalIndex(i);
        if (!header->isSectionHidden(column))
            columns.append(column);
    }
    QGuiApplication::clipboard()->setMimeData(widgets::tableMimeData(model, columns, rows));
}

} // namespace gpuledger::ui
