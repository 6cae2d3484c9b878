// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/alerts/alertspage.h"

#include "ui/format/local/localtext.h"
#include "ui/pages/alerts/alerteditor.h"
#include "ui/pages/alerts/deliverypanel.h"
#include "ui/pages/alerts/firinglist.h"
#include "widgets/cards/card.h"
#include "widgets/inputs/segmentedswitch.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <utility>

namespace gpuledger::ui {

using widgets::Space;

namespace {

constexpr QLatin1String kRulesTab("rules"), kDeliveryTab("delivery"), kAlertsTab("tab"); // no-tr: keys
constexpr QLatin1String kSavedNotice("alert-rules"); // no-tr: key
constexpr int kRulesShare = 42, kEditorShare = 58;
constexpr int kEditorAtLeast = 420; // pixels

AlertsDesk deskOfAlerts(const PageContext &context)
{
    services::Workspace &all = context.workspace;
    return alertsDesk(all.config(), all.fleet(), all.alerts(), all.alertDesk());
}

} // namespace

AlertsPage::AlertsPage(const PageContext &context, QWidget *parent)
    : AlertsPage(context, deskOfAlerts(context), parent)
{
}

AlertsPage::AlertsPage(const PageContext &context, AlertsDesk desk, QWidget *parent)
    : StatePage(context, parent)
    , m_model(std::move(desk), context.workspace.config(), context.workspace.sources(), context.tasks, context.sync,
              context.configFile)
{
    const int side = context.theme.space(Space::Large);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(side, side, side, side);
    layout->setSpacing(context.theme.space(Space::Medium));
    layout->addWidget(tabs());
    m_stack = new QStackedWidget(this);
    makePanel(rulesView());
    m_stack->addWidget(m_panel);
    m_delivery = new DeliveryPanel(context.theme, m_model, m_stack);
    m_stack->addWidget(m_delivery);
    m_stack->widget(0)->lower(); // first among the children
    layout->addWidget(m_stack, 1);
    rememberTable(QStringLiteral("alert-rules"), m_rules->table()); // no-tr: key
    rememberTable(QStringLiteral("alert-firing"), m_firing->table()); // no-tr: key
    rememberTable(QStringLiteral("alert-trial"), m_editor->trialTable()); // no-tr: key
    rememberTable(QStringLiteral("alert-messages"), m_delivery->messages()->table()); // no-tr: key
    rememberTable(QStringLiteral("alert-changes"), m_delivery->changes()->table()); // no-tr: key
    setMainControl(m_rules->table());
    bind();
    m_panel->showLoading();
    m_model.setActive(false);
    m_model.refresh();
}

QWidget *AlertsPage::tabs()
{
    auto *bar = new QWidget(this);
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    m_tabs = new widgets::SegmentedSwitch(m_context.theme, tr("Shown"),
                                          {{kRulesTab, tr("Rules")}, {kDeliveryTab, tr("Delivery and history")}}, bar);
    m_tabs->setCurrentKey(kRulesTab);
    layout->addWidget(m_tabs);
    layout->addStretch();
    return bar;
}

QWidget *AlertsPage::rulesView()
{
    const widgets::Theme &theme = m_context.theme;
    auto *content = new QWidget;
    auto *layout = new QHBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Medium));
    auto *left = new QVBoxLayout;
    left->setSpacing(theme.space(Space::Medium));
    m_rules = new AlertList(theme, tr("Rules"), tr("No rules yet."), m_model.rules(), content);
    QPushButton *add = m_rules->showTitleButton(tr("Add rule"));
    connect(add, &QPushButton::clicked, this, &AlertsPage::resolveEmpty);
    m_firing = new FiringList(m_context, m_model, content);
    left->addWidget(m_rules, 1);
    left->addWidget(m_firing, 1);
    layout->addLayout(left, kRulesShare);
    auto *card = new widgets::Card(theme, content);
    card->setMinimumWidth(kEditorAtLeast);
    const int side = theme.space(Space::Large);
    auto *inside = new QVBoxLayout(card);
    inside->setContentsMargins(side, theme.space(Space::Medium), side, theme.space(Space::Medium));
    m_editor = new AlertEditor(theme, m_model, card);
    inside->addWidget(m_editor);
    layout->addWidget(card, kEditorShare);
    return content;
}

void AlertsPage::bind()
{
    connect(&m_model, &AlertsViewModel::changed, this, [this] {
        m_rules->showRows();
        showState();
        showWanted();
    });
    connect(&m_model, &AlertsViewModel::currentChanged, this, &AlertsPage::showCurrent);
    connect(&m_model, &AlertsViewModel::draftChanged, this, [this] { m_rules->showRows(); });
    connect(&m_model, &AlertsViewModel::trialChanged, this, &AlertsPage::settledChanged);
    connect(m_rules->table(), &widgets::DataTable::currentRowChanged, this,
            [this](const QString &row) { m_model.setCurrent(row); });
    connect(m_rules->table(), &widgets::DataTable::rowActivated, this, [this](const QString &row) {
        m_model.setCurrent(row);
        m_editor->focusSentence();
    });
    connect(m_tabs, &widgets::SegmentedSwitch::chosen, this, [this](const QString &key) {
        showTab(key == kDeliveryTab);
        if (!m_restoring)
            Q_EMIT placeChanged();
    });
    connect(m_firing, &FiringList::noticeWanted, this, &AlertsPage::noticeWanted);
    connect(&m_model.saver(), &ConfigurationSaver::saved, this, &AlertsPage::tellSaved);
}

void AlertsPage::showTab(bool delivery)
{
    m_stack->setCurrentIndex(delivery ? 1 : 0);
    m_stack->widget(0)->lower(); // the current one was raised
    Q_EMIT settledChanged();
}

void AlertsPage::showCurrent()
{
    m_rules->showRows();
    if (const QString id = m_model.currentId(); !id.isEmpty() && m_rules->table()->currentRowId() != id)
        m_rules->table()->setCurrentRow(id);
    Q_EMIT settledChanged();
}

void AlertsPage::showWanted()
{
    if (const QString row = m_model.takeWantedFiring(); !row.isEmpty())
        m_firing->table()->setCurrentRow(row);
}

void AlertsPage::tellSaved()
{
    PageNotice notice;
    notice.key = kSavedNotice;
    notice.text = tr("Your configuration was changed.");
    notice.action = tr("Undo");
    notice.run = [this, change = m_model.saver().lastChange()] { m_model.saver().undo(change); };
    Q_EMIT noticeWanted(notice);
}

void AlertsPage::showData()
{
    m_panel->showData();
}

void AlertsPage::showEmpty()
{
    widgets::StateMessage message;
    if (m_model.snapshot()->isReport) {
        message.title = tr("A report has no alerts");
        message.text = tr("Alerts are about what happens now; a report file shows a month that is over.");
    } else {
        message.title = tr("No rules yet");
        message.text = tr("A rule says when people should look: too much idle cost, too little utilization, a budget "
                          "that runs out.");
        message.action = tr("Add rule");
    }
    m_panel->showEmpty(message);
}

void AlertsPage::showError()
{
    const auto snapshot = m_model.snapshot();
    m_panel->showError({tr("Alerts can't be shown"), LocalText::sentence(*m_model.error()), {}, tr("Try again"), {}},
                       snapshot ? tr("Alerts as of %1").arg(LocalText::dateTime(snapshot->asked, snapshot->zone))
                                : QString());
}

void AlertsPage::resolveEmpty()
{
    m_model.addRule();
    m_editor->focusSentence();
}

QUrlQuery AlertsPage::place() const
{
    QUrlQuery place = m_model.place(m_firing->current());
    if (m_stack->currentIndex() == 1)
        place.addQueryItem(kAlertsTab, kDeliveryTab);
    return place;
}

void AlertsPage::restore(const QUrlQuery &place)
{
    m_restoring = true;
    m_model.restore(place);
    showWanted();
    m_tabs->setCurrentKey(place.queryItemValue(kAlertsTab) == kDeliveryTab ? kDeliveryTab : kRulesTab);
    m_restoring = false;
}

bool AlertsPage::settled() const
{
    return m_model.state() != PageState::Loading && !m_model.isAsking();
}

bool AlertsPage::complete() const
{
    return settled() && !m_model.isTrying() && !m_model.saver().isSaving();
}

} // namespace gpuledger::ui
