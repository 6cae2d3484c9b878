// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/alerts/firinglist.h"

#include "ui/dialogs/alerts/silencedialog.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/pages/idle/idlestop.h"
#include "ui/viewmodels/alerts/alerttext.h"
#include "widgets/state/plaintext.h"
#include "widgets/table/datatable.h"

#include <QMenu>
#include <QPushButton>

#include <algorithm>

namespace gpuledger::ui {

using alerts::RuleMetric;

namespace {

constexpr QLatin1String kAlertNotice("alert"); // no-tr: key

// Where an alert is settled.
QString pageFor(RuleMetric metric)
{
    if (alerts::isAboutIdle(metric))
        return QStringLiteral("idle");
    switch (metric) {
    case RuleMetric::Utilization:
    case RuleMetric::Unallocated:
        return QStringLiteral("heatmap");
    case RuleMetric::AttributionCoverage:
        return QStringLiteral("sources"); // the owner rules
    default: // what is about spend
        return QStringLiteral("overview");
    }
}

} // namespace

FiringList::FiringList(const PageContext &context, AlertsViewModel &model, QWidget *page)
    : AlertList(context.theme, tr("Firing", "list of alerts"), tr("Nothing fires."), model.firing(), page)
    , m_context(context)
    , m_model(model)
    , m_stopping(new IdleStop(context, page))
    , m_show(addButton(tr("Show")))
    , m_stop(addButton(tr("&Stop…"))) // as on the Idle page, with the same key
    , m_silence(addButton(tr("Silence…")))
    , m_acknowledge(addButton(tr("Acknowledge")))
{
    m_stop->setToolTip(widgets::plainToolTip(tr("Opens the Stop dialog for the idle workload that costs most")));
    m_acknowledge->setToolTip(widgets::plainToolTip(tr("No further message says that it fires")));
    bind();
    showButtons();
}

void FiringList::bind()
{
    connect(m_show, &QPushButton::clicked, this, [this] { show(current()); });
    connect(m_stop, &QPushButton::clicked, this, [this] { m_model.findIdle(current()); });
    connect(m_silence, &QPushButton::clicked, this, [this] { silence(current()); });
    connect(m_acknowledge, &QPushButton::clicked, this, [this] { m_model.acknowledge(current()); });
    connect(table(), &widgets::DataTable::rowActivated, this, &FiringList::show);
    connect(table(), &widgets::DataTable::menuOpening, this, &FiringList::addActions);
    connect(this, &AlertList::currentChanged, this, &FiringList::showButtons);
    connect(&m_model, &AlertsViewModel::changed, this, &FiringList::showRows);
    connect(&m_model, &AlertsViewModel::idleFound, this, &FiringList::stop);
    connect(&m_model, &AlertsViewModel::told, this, &FiringList::tell);
    connect(m_stopping, &IdleStop::noticeWanted, this, &FiringList::noticeWanted);
    connect(m_stopping, &IdleStop::changed, &m_model, &AlertsViewModel::refresh);
}

bool FiringList::canStop(const QString &row) const
{
    const auto firing = m_model.firingOf(row);
    return firing && alerts::isAboutIdle(firing->rule->rule.metric) && m_stopping->canStop() && !m_stopping->isBusy();
}

void FiringList::showButtons()
{
    const auto firing = m_model.firingOf(current());
    for (QPushButton *button : {m_show, m_silence})
        button->setEnabled(firing.has_value());
    m_acknowledge->setEnabled(firing && !m_model.snapshot()->isAcknowledged(firing->scope->key));
    m_stop->setEnabled(canStop(current()));
}

void FiringList::addActions(QMenu *menu, const QString &row)
{
    const auto firing = m_model.firingOf(row);
    if (!firing)
        return;
    menu->addAction(tr("Show"), this, [this, row] { show(row); });
    if (alerts::isAboutIdle(firing->rule->rule.metric)) {
        QAction *stop = menu->addAction(tr("&Stop…"), this, [this, row] { m_model.findIdle(row); });
        stop->setEnabled(canStop(row));
    }
    menu->addAction(tr("Silence…"), this, [this, row] { silence(row); });
    QAction *acknowledge = menu->addAction(tr("Acknowledge"), this, [this, row] { m_model.acknowledge(row); });
    acknowledge->setEnabled(!m_model.snapshot()->isAcknowledged(firing->scope->key));
    menu->addSeparator();
}

void FiringList::show(const QString &row)
{
    const auto firing = m_model.firingOf(row);
    if (!firing)
        return;
    Scope scope = m_context.navigator.scope();
    scope.filter = filterOfScope(std::string(alerts::toString(firing->rule->rule.scope)), firing->scope->scope)
                       .value_or(insight::Filter());
    m_context.navigator.go({pageFor(firing->rule->rule.metric), scope, {}});
}

void FiringList::silence(const QString &row)
{
    const auto firing = m_model.firingOf(row);
    if (!firing)
        return;
    const QString name =
        tr("%1: %2", "rule, team")
            .arg(textOf(firing->rule->rule.name),
                 AlertText::scope(std::string(alerts::toString(firing->rule->rule.scope)), firing->scope->scope));
    auto *dialog = new SilenceDialog(m_context.theme, name, window());
    connect(dialog, &SilenceDialog::confirmed, this,
            [this, row](base::Seconds length, const QString &reason) { m_model.silence(row, length, reason); });
    dialog->open();
}

// The most expensive one that may be stopped; the dialog checks it again.
void FiringList::stop(const insight::IdleList &list)
{
    if (list.reach.stale)
        return tell(tr("Nothing can be stopped based on data this old: sync first (F5)."), true);
    const auto worst = std::find_if(list.items.begin(), list.items.end(),
                                    [](const insight::IdleItem &item) { return item.protection.empty(); });
    if (worst == list.items.end())
        return tell(tr("Nothing that may be stopped is idle there now."), false);
    m_stopping->ask({*worst});
}

void FiringList::tell(const QString &sentence, bool isWarning)
{
    Q_EMIT noticeWanted({kAlertNotice, isWarning, sentence, {}, {}});
}

} // namespace gpuledger::ui
