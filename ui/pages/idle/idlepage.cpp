// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/idle/idlepage.h"

#include "ui/dialogs/idle/idleruledialog.h"
#include "ui/format/actions/actionphrase.h"
#include "ui/format/local/localtext.h"
#include "ui/pages/explainmenu.h"
#include "ui/pages/idle/idleevidencepanel.h"
#include "ui/pages/idle/idlefigures.h"
#include "ui/pages/idle/idlerowbuttons.h"
#include "ui/pages/idle/idleselectionbar.h"
#include "ui/pages/idle/idlestop.h"
#include "ui/pages/idle/idlewaiting.h"
#include "ui/pages/idle/waitingpanel.h"
#include "ui/viewmodels/device/deviceplace.h"
#include "ui/viewmodels/idle/idletext.h"
#include "widgets/cards/card.h"
#include "widgets/delegates/badgedelegate.h"
#include "widgets/inputs/segmentedswitch.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace gpuledger::ui {

using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::StatePanel;
using widgets::TextSize;

namespace {

constexpr QLatin1String kOwner("owner"), kFlat("flat"); // keys of the switch
constexpr QLatin1String kView("view"), kIdle("idle"), kWaiting("waiting"); // of the other switch, and of a place
constexpr QLatin1String kHeatmap("heatmap"); // the page
constexpr int kListShare = 74, kPanelShare = 26;
constexpr int kPanelAtLeast = 300, kPanelAtMost = 520; // a wider one would only pull its lines apart

} // namespace

IdlePage::IdlePage(const PageContext &context, QWidget *parent)
    : StatePage(context, parent)
    , m_model(context.workspace.config(), context.workspace.fleet(), context.workspace.actions(), context.tasks)
    , m_waits(context.workspace.config(), context.workspace.actions().waiting(), context.tasks)
    , m_stopping(new IdleStop(context, this))
{
    const widgets::Theme &theme = context.theme;
    const int side = theme.space(Space::Large);
    auto *content = new QWidget;
    auto *layout = new QHBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Medium));
    layout->addWidget(listCard(), kListShare);
    auto *card = new widgets::Card(theme, content);
    card->setMinimumWidth(kPanelAtLeast);
    card->setMaximumWidth(kPanelAtMost);
    auto *cardLayout = new QVBoxLayout(card);
    cardLayout->setContentsMargins(side, theme.space(Space::Medium), side, theme.space(Space::Medium));
    m_panels = new QStackedWidget(card);
    m_evidence = new IdleEvidencePanel(theme, m_model, m_panels);
    m_waitingPanel = new WaitingPanel(theme, m_waits, m_panels);
    m_panels->addWidget(m_evidence);
    m_panels->addWidget(m_waitingPanel);
    cardLayout->addWidget(m_panels);
    layout->addWidget(card, kPanelShare);
    setContent(content);
    setMainControl(m_table);
    bind();
    bindRowButtons();
    bindWaiting();
    showTotals();
    m_panel->showLoading();
    m_model.setActive(false);
    m_model.refresh();
}

QWidget *IdlePage::listCard()
{
    const widgets::Theme &theme = m_context.theme;
    auto *card = new widgets::Card(theme);
    auto *layout = new QVBoxLayout(card);
    layout->setContentsMargins(theme.space(Space::Small), theme.space(Space::Medium), theme.space(Space::Small),
                               theme.space(Space::Medium));
    layout->setSpacing(theme.space(Space::Small));
    layout->addWidget(header()); // first, so that Tab reaches it first
    m_views = new QStackedWidget(card);
    m_views->addWidget(idleView());
    m_waiting = new IdleWaiting(theme, m_waits);
    rememberTable(QStringLiteral("waiting"), m_waiting->table()); // no-tr: key
    m_views->addWidget(m_waiting);
    m_views->widget(0)->lower(); // also first among the children
    layout->addWidget(m_views, 1);
    return card;
}

QWidget *IdlePage::idleView()
{
    const widgets::Theme &theme = m_context.theme;
    auto *view = new QWidget;
    auto *layout = new QVBoxLayout(view);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Small));
    m_table = new widgets::DataTable(theme, tr("Idle workloads"), m_model.table(), view);
    auto *badges = new widgets::BadgeDelegate(theme, m_table);
    m_table->setDelegate(QStringLiteral("note"), badges);
    m_table->setDelegate(QStringLiteral("confidence"), badges);
    rememberTable(QStringLiteral("idle"), m_table); // no-tr: key
    layout->addWidget(m_table, 1);
    m_selection = new IdleSelectionBar(theme, m_context.workspace.config(), m_model, *m_table);
    layout->addWidget(m_selection);
    connect(m_selection->ruleButton(), &QPushButton::clicked, this, &IdlePage::openRule);
    connect(m_selection->stopButton(), &QPushButton::clicked, this, &IdlePage::askToStop);
    return view;
}

QWidget *IdlePage::header()
{
    const widgets::Theme &theme = m_context.theme;
    auto *bar = new QWidget;
    auto *layout = new QVBoxLayout(bar);
    layout->setContentsMargins(theme.space(Space::Small), 0, theme.space(Space::Small), 0);
    layout->setSpacing(theme.space(Space::Tiny));
    auto *top = new QHBoxLayout;
    top->setSpacing(theme.space(Space::Small));
    layout->addLayout(top);
    m_title = plainLabel(theme, {}, TextSize::Section, Color::Text, QFont::DemiBold, bar);
    m_subtitle = plainLabel(theme, {}, TextSize::Body, Color::Muted, QFont::Normal, bar);
    m_view = new widgets::SegmentedSwitch(
        theme, tr("Shown"), {{kIdle, tr("Idle", "list of what is idle")}, {kWaiting, tr("Waiting jobs")}}, bar);
    m_view->setCurrentKey(kIdle);
    m_grouping = new widgets::SegmentedSwitch(
        theme, tr("Grouped"), {{kOwner, tr("By owner")}, {kFlat, tr("Flat", "list without groups")}}, bar);
    m_grouping->setCurrentKey(kOwner);
    QSizePolicy keepsRoom = m_grouping->sizePolicy(); // so that the other switch stays where it was pressed
    keepsRoom.setRetainSizeWhenHidden(true);
    m_grouping->setSizePolicy(keepsRoom);
    for (QLabel *text : {m_title, m_subtitle})
        text->setWordWrap(true);
    top->addWidget(m_title, 1);
    for (QWidget *one : {m_view, m_grouping}) // at the top, so that a second line of text does not move them
        top->addWidget(one, 0, Qt::AlignTop);
    layout->addWidget(m_subtitle); // over the whole width: beside the switches it would be a narrow column
    return bar;
}

void IdlePage::bind()
{
    connect(&m_model, &IdleViewModel::changed, this, &IdlePage::showState);
    connect(&m_model, &IdleViewModel::changed, this, [this] {
        m_isRuleWanted = m_isRuleWanted && !m_model.error();
        if (m_isRuleWanted)
            openRule();
    });
    connect(&m_model, &IdleViewModel::currentChanged, this, &IdlePage::showRow);
    connect(&m_model, &IdleViewModel::totalsChanged, this, &IdlePage::showTotals);
    connect(&m_model, &IdleViewModel::groupingChanged, this, [this] {
        m_grouping->setCurrentKey(m_model.grouping() == IdleGrouping::Flat ? kFlat : kOwner);
        if (!m_restoring)
            Q_EMIT placeChanged();
    });
    connect(m_grouping, &widgets::SegmentedSwitch::chosen, this, [this](const QString &key) {
        m_model.setGrouping(key == kFlat ? IdleGrouping::Flat : IdleGrouping::Owner);
    });
    connect(m_table, &widgets::DataTable::currentRowChanged, this,
            [this](const QString &id) { m_model.setCurrent(id); });
    connect(m_table, &widgets::DataTable::menuOpening, this, &IdlePage::addRowActions);
    offerExplain(m_table, m_context, this, [this](const QString &row) {
        const auto snapshot = m_model.snapshot();
        return snapshot ? idleExplained(*snapshot, row.toStdString()) : std::vector<Explained>();
    });
    connect(m_table, &widgets::DataTable::rowActivated, this, &IdlePage::openHeatmap);
    connect(m_evidence, &IdleEvidencePanel::heatmapRequested, this, &IdlePage::openHeatmap);
    connect(m_evidence, &IdleEvidencePanel::deviceRequested, this,
            [this](const QString &device, const QString &cluster) {
                m_context.navigator.openPage(devicePage(), devicePlace(device, cluster));
            });
    connect(m_stopping, &IdleStop::noticeWanted, this, &IdlePage::noticeWanted);
    connect(m_stopping, &IdleStop::changed, this, [this] { m_model.table().clearChecked(); });
    connect(&m_context.sync, &SyncController::actionsChanged, this, [this] { m_model.refresh(); });
}

void IdlePage::bindRowButtons()
{
    const IdleRowButtons *buttons = m_evidence->rowButtons();
    connect(buttons, &IdleRowButtons::leaveAloneRequested, this, [this](model::Lease::Kind kind) {
        if (const insight::IdleItem *item = m_model.currentIdle())
            m_stopping->leaveAlone(*item, kind);
    });
    connect(buttons, &IdleRowButtons::endOfLeaseRequested, m_stopping, &IdleStop::endLease);
    connect(buttons, &IdleRowButtons::ownerMessageRequested, this, [this] {
        if (const insight::IdleItem *item = m_model.currentIdle())
            m_stopping->copyOwnerMessage(*item);
    });
}

void IdlePage::showData()
{
    m_panel->showData();
}

void IdlePage::showError()
{
    const auto snapshot = m_model.snapshot();
    m_panel->showError(
        {tr("The idle list can't be shown"), LocalText::sentence(*m_model.error()), {}, tr("Try again"), {}},
        snapshot && !snapshot->covered.empty()
            ? tr("List as of %1").arg(IdleText::exactInstant(snapshot->list.at, snapshot->zone))
            : QString());
}

void IdlePage::showEmpty()
{
    if (m_views->currentIndex() == 1) {
        m_panel->showData(); // jobs may be waiting for free GPUs
        return;
    }
    const auto snapshot = m_model.snapshot();
    const int unknown = static_cast<int>(snapshot->list.unknown.size());
    widgets::StateMessage message;
    const bool old = !oldReason().isEmpty();
    message.title = old                  ? tr("What is idle now is not known")
        : unknown > 0                    ? tr("Nothing is known to be idle")
        : m_model.scope().filter.empty() ? tr("Nothing is idle")
                                         : tr("Nothing is idle within this filter");
    const QString at = IdleText::exactInstant(snapshot->list.at, snapshot->zone);
    message.text = old
        ? tr("Nothing was idle at %1, where the data end; what happened since has not been fetched yet.").arg(at)
        : unknown > 0 ? tr("What could be judged was active within its grace window of up to %1.").arg(at)
                      : tr("Everything held was active within its grace window of up to %1.").arg(at);
    if (unknown > 0) {
        message.remedy = tr("%n workload(s) can't be judged: too little of the window was observed.", nullptr, unknown);
        message.action = tr("Show unknown");
    } else if (!m_model.scope().filter.empty()) {
        message.remedy = tr("Remove the filter to see the whole fleet.");
    }
    if (!snapshot->isReadOnly)
        message.secondAction = tr("Jobs waiting for GPUs");
    m_panel->showEmpty(message);
}

void IdlePage::showRow()
{
    const QString id = m_model.currentId();
    if (m_table->currentRowId() != id)
        m_table->setCurrentRow(id);
    m_evidence->showCurrent();
    showTotals();
    Q_EMIT settledChanged();
}

void IdlePage::showTotals()
{
    showTitle();
    const auto shown = m_model.snapshot();
    const bool isReport = shown && shown->isReadOnly;
    m_selection->showTotals({shown && !isReport && m_stopping->canStop(), m_stopping->isBusy(), oldReason()});
    m_view->setVisible(!isReport); // a report queries no source
    const QString source = shown ? LocalText::sourceLine(shown->sources, shown->age()) : QString();
    m_subtitle->setToolTip(widgets::plainToolTip(source));
}

// Why nothing can be stopped from this list, because it does not describe the present; empty: it does.
QString IdlePage::oldReason() const
{
    const auto snapshot = m_model.snapshot();
    if (!snapshot || snapshot->isReadOnly || !snapshot->list.reach.stale)
        return {};
    const auto &to = snapshot->list.reach.to;
    return to ? tr("Nothing can be stopped based on data that end at %1: sync first (F5).")
                    .arg(IdleText::exactInstant(*to, snapshot->zone))
              : tr("Nothing can be stopped before the first sync.");
}

void IdlePage::showTitle()
{
    if (m_views->currentIndex() == 1) {
        m_title->setText(m_waits.state() == PageState::Data ? m_waits.title() : tr("Waiting jobs"));
        m_subtitle->setText(m_waits.state() == PageState::Data ? m_waits.summary() : QString());
        return;
    }
    const IdleTotals all = m_model.totals();
    const auto shown = m_model.snapshot();
    m_title->setText(shown && !oldReason().isEmpty()
                         ? tr("%n idle workload(s) on %1", "time at which the data end", all.workloads)
                               .arg(IdleText::instant(shown->list.at, shown->zone))
                         : all.workloads == 1 ? tr("1 idle workload")
                                              : tr("%n idle workloads", nullptr, all.workloads));
    m_subtitle->setText(m_selection->totalsText(all));
}

// For the checked rows; if there are none, for the current one.
void IdlePage::askToStop()
{
    std::vector<insight::IdleItem> items = m_model.checkedItems();
    if (items.empty() && m_model.currentIdle())
        items.push_back(*m_model.currentIdle());
    m_stopping->ask(std::move(items));
}

void IdlePage::openRule()
{
    const auto snapshot = m_model.snapshot();
    m_isRuleWanted = !snapshot || !snapshot->rule;
    if (m_isRuleWanted)
        return; // when the list has been read
    auto *dialog = new IdleRuleDialog({m_context.theme, m_context.workspace.config(), m_context.workspace.fleet(),
                                       m_context.workspace.sources(), m_context.tasks, m_context.sync,
                                       m_context.configFile, snapshot->rule},
                                      this);
    connect(dialog, &IdleRuleDialog::saved, &m_model, &IdleViewModel::refresh);
    dialog->open();
}

bool IdlePage::perform(PageAction action)
{
    const auto snapshot = m_model.snapshot();
    if (action == PageAction::IdleRule && m_context.reportName.isEmpty()) {
        openRule();
        return true;
    }
    if (action != PageAction::WorstIdle || !snapshot)
        return false;
    const auto &items = snapshot->list.items; // sorted by cost
    const auto worst = std::find_if(items.begin(), items.end(),
                                    [&](const insight::IdleItem &item) { return !snapshot->isStopped(item.id); });
    if (worst == items.end())
        return false;
    m_view->setCurrentKey(kIdle);
    m_model.setCurrent(QString::fromStdString(worst->id));
    m_table->setFocus(Qt::ShortcutFocusReason);
    return true;
}

void IdlePage::addRowActions(QMenu *menu, const QString &row)
{
    const auto snapshot = m_model.snapshot();
    const insight::IdleItem *item = m_model.idleOf(row);
    if (!item || snapshot->isReadOnly)
        return;
    const QString old = oldReason();
    const bool isStopped = snapshot->isStopped(item->id);
    const auto offer = [&](QAction *action) {
        action->setEnabled(old.isEmpty() && !isStopped);
        action->setToolTip(widgets::plainToolTip(old));
    };
    menu->setToolTipsVisible(!old.isEmpty());
    if (m_stopping->canStop())
        offer(menu->addAction(tr("Stop…"), this, [this, copy = *item] { m_stopping->ask({copy}); }));
    if (m_stopping->canMark())
        offer(menu->addAction(tr("Stop later…"), this, [this, copy = *item] { m_stopping->mark({copy}); }));
    menu->addAction(tr("Leave alone…"), this, [this, copy = *item] { m_stopping->leaveAlone(copy); });
    for (const model::Lease &lease : snapshot->leases) {
        if (lease.holder != item->id)
            continue;
        const bool isMark = lease.kind == model::Lease::Kind::StopAfter;
        menu->addAction(isMark
                            ? tr("Cancel stopping it later")
                            : tr("No longer %1", "snoozed, kept, protected").arg(LocalText::phrase(textOf(lease.kind))),
                        this, [this, id = lease.id] { m_stopping->endLease(id); });
    }
    menu->addSeparator();
}

void IdlePage::openHeatmap()
{
    if (const auto scope = m_model.scopeOfCurrent())
        m_context.navigator.go({kHeatmap, *scope, {}});
}

void IdlePage::setScope(const Scope &scope)
{
    m_model.setScope(scope);
    m_waits.setScope(scope.filter, scope.cost);
}

QUrlQuery IdlePage::place() const
{
    QUrlQuery place = m_model.place();
    if (m_views->currentIndex() == 1)
        place.addQueryItem(kView, kWaiting);
    return place;
}

void IdlePage::restore(const QUrlQuery &place)
{
    m_restoring = true;
    m_model.restore(place);
    m_view->setCurrentKey(place.queryItemValue(kView) == kWaiting ? kWaiting : kIdle);
    m_restoring = false;
}

bool IdlePage::settled() const
{
    const bool waits = m_views->currentIndex() == 1 && (m_waits.isAsking() || m_waits.state() == PageState::Loading);
    return m_model.state() != PageState::Loading && !m_model.isAsking() && !waits;
}

void IdlePage::refresh()
{
    m_model.refresh();
    m_waits.refresh();
}

void IdlePage::setActive(bool active)
{
    m_isActive = active;
    m_model.setActive(active);
    m_waits.setActive(active && m_views->currentIndex() == 1);
}

} // namespace gpuledger::ui
