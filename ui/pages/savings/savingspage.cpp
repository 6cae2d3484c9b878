// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/savings/savingspage.h"

#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/pages/savings/comparedpanel.h"
#include "ui/pages/savings/comparepanel.h"
#include "ui/pages/savings/savingsacting.h"
#include "ui/pages/savings/savingsassumptions.h"
#include "ui/pages/savings/savingsbuttons.h"
#include "ui/pages/savings/savingschoices.h"
#include "ui/pages/savings/savingsexplained.h"
#include "ui/pages/savings/savingspanel.h"
#include "ui/pages/savings/savingssummary.h"
#include "ui/pages/savings/scenariobutton.h"
#include "ui/viewmodels/savings/savingstext.h"
#include "widgets/cards/card.h"
#include "widgets/delegates/rangedelegate.h"
#include "widgets/inputs/segmentedswitch.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <utility>

namespace gpuledger::ui {

using savings::Kind;
using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::TextSize;

namespace {

constexpr QLatin1String kAllKinds("all"), kCompare("compare"); // keys of the switch
constexpr QLatin1String kTab("tab"), kScenario("scenario"); // in the place of the page
constexpr int kTableShare = 66, kDetailsShare = 34;
constexpr int kDetailsAtLeast = 320, kDetailsAtMost = 560; // a wider one would only pull its lines apart

QString keyOf(Kind kind)
{
    const std::string_view text = savings::toString(kind);
    return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size()));
}

QString tabText(const QString &name, const savings::SavingsList *list, std::optional<Kind> kind)
{
    QStringList sums;
    const bool isMixed = list && onlyCurrencyOf(*list).isEmpty();
    for (const base::Money &sum : list ? savingsOfKind(*list, kind) : std::vector<base::Money>()) {
        const QString amount = LocalText::shortMoney(sum.toDouble());
        sums.append(isMixed ? amount + QLatin1Char(' ') + codeOf(sum.currency()) : amount);
    }
    return sums.isEmpty() ? name : name + QLatin1Char(' ') + sums.join(QStringLiteral(" + "));
}

} // namespace

// What the figures are of that stay visible, with the assumptions that are no longer the wanted ones.
QString SavingsPage::shownFigures(const SavingsSnapshot &snapshot, const savings::Assumptions &wanted)
{
    const QString upTo =
        tr("Savings of the data up to %1").arg(LocalText::dateTime(snapshot.frame.covered.end, snapshot.frame.zone));
    QStringList others;
    for (const savings::AssumptionSpec &spec : savings::assumptionSpecs()) {
        const std::string shown = snapshot.assumptions.text(spec.name);
        if (shown != wanted.text(spec.name))
            others.append(SavingsText::assumption({std::string(spec.name), shown}));
    }
    return others.isEmpty()
        ? upTo
        : tr("%1, with %2", "what is shown, assumptions").arg(upTo, others.join(QLatin1String(", ")));
}

static SavingsDesk deskOfPage(const PageContext &context)
{
    services::Workspace &all = context.workspace;
    SavingsDesk desk = savingsDesk(all.config(), all.fleet(), all.savings());
    desk.acts = [&all] { return all.savings().actFacts(all.actions()); };
    return desk;
}

SavingsPage::SavingsPage(const PageContext &context, QWidget *parent)
    : SavingsPage(context, deskOfPage(context), parent)
{
}

SavingsPage::SavingsPage(const PageContext &context, SavingsDesk desk, QWidget *parent)
    : StatePage(context, parent)
    , m_askActs(desk.acts)
    , m_model(desk, context.tasks)
    , m_scenarios(std::move(desk), m_model, context.tasks)
    , m_offers(context.workspace.config(), context.workspace.spend(), context.tasks)
    , m_choices(new SavingsChoices(context, m_model, this))
    , m_acting(new SavingsActing(context, m_askActs, m_model, this))
{
    const widgets::Theme &theme = context.theme;
    const int side = theme.space(Space::Large);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(side, side, side, side);
    layout->setSpacing(theme.space(Space::Medium));
    m_summary = new SavingsSummary(theme, m_model, this);
    layout->addWidget(m_summary);
    layout->addWidget(m_tabBar = tabs());
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(proposals());
    m_stack->addWidget(comparison());
    m_stack->widget(0)->lower(); // first among the children, so that the page's own panel is found before that of a tab
    layout->addWidget(m_stack, 1);
    setMainControl(m_table);
    bind();
    bindActing();
    bindScenarios();
    m_panel->showLoading();
    m_model.setActive(false);
    m_scenarios.setActive(false);
    m_model.refresh();
    m_acting->setActive(false);
    m_acting->refresh();
    m_scenarios.refresh();
}

QWidget *SavingsPage::proposals()
{
    const widgets::Theme &theme = m_context.theme;
    auto *all = new QWidget;
    auto *layout = new QVBoxLayout(all);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Medium));
    m_assumptions = new SavingsAssumptions(theme, m_model, m_scenarios, all);
    layout->addWidget(m_assumptions);
    m_filterNote = plainLabel(theme, {}, TextSize::Body, Color::Muted, QFont::Normal, all);
    m_filterNote->setWordWrap(true);
    m_filterNote->hide();
    layout->addWidget(m_filterNote);
    auto *content = new QWidget;
    auto *below = new QHBoxLayout(content);
    below->setContentsMargins(0, 0, 0, 0);
    below->setSpacing(theme.space(Space::Medium));
    below->addWidget(tableCard(), kTableShare);
    below->addWidget(panelCard(), kDetailsShare);
    makePanel(content); // what was asked stays visible above every message
    layout->addWidget(m_panel, 1);
    return all;
}

QWidget *SavingsPage::comparison()
{
    const widgets::Theme &theme = m_context.theme;
    auto *card = new widgets::Card(theme);
    auto *layout = new QVBoxLayout(card);
    const int side = theme.space(Space::Large);
    layout->setContentsMargins(side, theme.space(Space::Medium), side, theme.space(Space::Medium));
    m_comparison = new ComparePanel(theme, m_offers, card);
    rememberTable(QStringLiteral("compare"), m_comparison->table()); // no-tr: key
    rememberTable(QStringLiteral("planned"), m_comparison->planned()->table()); // no-tr: key
    rememberTable(QStringLiteral("claimed"), m_comparison->claims()->table()); // no-tr: key
    rememberTable(QStringLiteral("budgets"), m_comparison->budgets()->table()); // no-tr: key
    layout->addWidget(m_comparison);
    return card;
}

QWidget *SavingsPage::tabs()
{
    auto *bar = new QWidget;
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    std::vector<widgets::SegmentedSwitch::Choice> choices{{kAllKinds, tr("All", "kinds of savings")}};
    for (const Kind kind : savings::kKinds)
        choices.push_back({keyOf(kind), SavingsText::kindName(kind)});
    choices.push_back({kCompare, tr("Compare", "prices of other offers")});
    m_tabs = new widgets::SegmentedSwitch(m_context.theme, tr("Kind of savings"), choices, bar);
    m_tabs->setCurrentKey(kAllKinds);
    layout->addWidget(m_tabs);
    layout->addStretch();
    return bar;
}

QWidget *SavingsPage::tableCard()
{
    const widgets::Theme &theme = m_context.theme;
    auto *card = new widgets::Card(theme);
    auto *layout = new QVBoxLayout(card);
    layout->setContentsMargins(theme.space(Space::Small), theme.space(Space::Medium), theme.space(Space::Small),
                               theme.space(Space::Medium));
    m_table = new widgets::DataTable(theme, tr("Proposals"), m_model.table(), card);
    m_table->setDelegate(QStringLiteral("range"), new widgets::RangeDelegate(theme, m_table));
    rememberTable(QStringLiteral("savings"), m_table); // no-tr: key
    layout->addWidget(m_table);
    return card;
}

QWidget *SavingsPage::panelCard()
{
    const widgets::Theme &theme = m_context.theme;
    const int side = theme.space(Space::Large);
    auto *card = new widgets::Card(theme);
    card->setMinimumWidth(kDetailsAtLeast);
    card->setMaximumWidth(kDetailsAtMost);
    auto *layout = new QVBoxLayout(card);
    layout->setContentsMargins(side, theme.space(Space::Medium), side, theme.space(Space::Medium));
    m_details = new SavingsPanel(theme, m_model, card);
    layout->addWidget(m_details);
    return card;
}

void SavingsPage::bind()
{
    connect(&m_model, &SavingsViewModel::changed, this, &SavingsPage::showState);
    connect(&m_model, &SavingsViewModel::currentChanged, this, &SavingsPage::showRow);
    connect(&m_model, &SavingsViewModel::curveChanged, this, [this] {
        m_details->showCurve();
        Q_EMIT settledChanged();
    });
    connect(&m_model, &SavingsViewModel::assumptionsChanged, this, &SavingsPage::showAssumptions);
    connect(&m_model, &SavingsViewModel::kindChanged, this, [this] {
        if (m_stack->currentIndex() == 0)
            m_tabs->setCurrentKey(m_model.kind() ? keyOf(*m_model.kind()) : QString(kAllKinds));
        m_assumptions->showValues();
        if (!m_restoring)
            Q_EMIT placeChanged();
    });
    connect(&m_model, &SavingsViewModel::doneChanged, this, [this] {
        m_summary->showDone();
        Q_EMIT settledChanged();
    });
    connect(&m_model, &SavingsViewModel::choosingChanged, this, [this] {
        m_details->buttons()->showChoices();
        Q_EMIT settledChanged();
    });
    connect(m_assumptions, &SavingsAssumptions::editingEnded, this, [this] {
        if (std::exchange(m_isPlaceDue, false))
            Q_EMIT placeChanged();
    });
    connect(m_tabs, &widgets::SegmentedSwitch::chosen, this, &SavingsPage::chooseTab);
    connect(&m_offers, &CompareViewModel::changed, this, &SavingsPage::settledChanged);
    connect(m_table, &widgets::DataTable::currentRowChanged, this,
            [this](const QString &id) { m_model.setCurrent(id); });
    connect(m_table, &widgets::DataTable::menuOpening, this, [this](QMenu *menu, const QString &row) {
        m_acting->addActions(*menu, row);
        m_choices->addActions(*menu, row);
    });
    offerSavingsProofs(m_table, m_summary, m_context, this, m_model);
    connect(m_table, &widgets::DataTable::rowActivated, this, [this](const QString &row) {
        m_model.setCurrent(row);
        m_details->buttons()->focusFirst();
    });
    m_choices->serve(*m_details->buttons());
    connect(m_details, &SavingsPanel::howRequested, this, [this] { m_choices->copyHow(m_model.currentId()); });
    connect(m_choices, &SavingsChoices::noticeWanted, this, &SavingsPage::noticeWanted);
}

void SavingsPage::bindActing()
{
    connect(m_acting, &SavingsActing::changed, this, &SavingsPage::showAct);
    connect(m_acting, &SavingsActing::noticeWanted, this, &SavingsPage::noticeWanted);
    m_acting->serve(*m_details->buttons());
}

void SavingsPage::showAct()
{
    m_details->buttons()->showAct(m_acting->offerFor(m_model.currentId()));
    Q_EMIT settledChanged();
}

void SavingsPage::bindScenarios()
{
    connect(&m_scenarios, &ScenariosViewModel::changed, this, [this] {
        m_assumptions->showValues();
        Q_EMIT settledChanged();
    });
    connect(&m_scenarios, &ScenariosViewModel::currentChanged, this, [this] {
        m_assumptions->showValues();
        Q_EMIT placeChanged();
    });
    connect(m_assumptions->scenarios(), &ScenarioButton::noticeWanted, this, &SavingsPage::noticeWanted);
}

void SavingsPage::chooseTab(const QString &key)
{
    const bool comparing = key == kCompare;
    const bool changed = comparing != (m_stack->currentIndex() == 1);
    compare(comparing);
    if (!comparing)
        m_model.setKind(savings::kindFrom(key.toStdString()));
    if (changed)
        Q_EMIT placeChanged();
}

void SavingsPage::compare(bool on)
{
    m_stack->setCurrentIndex(on ? 1 : 0);
    m_stack->widget(0)->lower(); // the current one was raised
    m_tabs->setCurrentKey(on ? QString(kCompare) : m_model.kind() ? keyOf(*m_model.kind()) : QString(kAllKinds));
    m_offers.setActive(m_isActive && on);
    showHead();
    Q_EMIT settledChanged();
}

void SavingsPage::setScope(const Scope &scope)
{
    m_model.setScope(scope);
    m_offers.setCost(scope.cost);
}

void SavingsPage::refresh()
{
    m_model.refresh();
    m_scenarios.refresh();
    m_offers.refresh();
    m_acting->refresh();
}

void SavingsPage::setActive(bool active)
{
    m_isActive = active;
    m_model.setActive(active);
    if (active)
        m_acting->refresh(); // something may have been stopped on another page
    m_acting->setActive(active);
    m_scenarios.setActive(active);
    m_offers.setActive(active && m_stack->currentIndex() == 1);
}

QUrlQuery SavingsPage::place() const
{
    QUrlQuery place = m_model.place();
    if (m_stack->currentIndex() == 1)
        place.addQueryItem(kTab, kCompare);
    if (!m_scenarios.currentName().isEmpty())
        place.addQueryItem(kScenario, QString::fromLatin1(QUrl::toPercentEncoding(m_scenarios.currentName())));
    return place;
}

void SavingsPage::restore(const QUrlQuery &place)
{
    m_restoring = true;
    m_scenarios.restore(place.queryItemValue(kScenario, QUrl::FullyDecoded));
    m_model.restore(place);
    compare(place.queryItemValue(kTab) == kCompare);
    m_restoring = false;
}

bool SavingsPage::settled() const
{
    const bool compared = m_stack->currentIndex() == 0 || !m_offers.isAsking();
    return m_model.state() != PageState::Loading && !m_model.isAsking() && !m_acting->isAsking()
        && !m_scenarios.isAsking() && compared;
}

// On the first run there is nothing to sum up or to choose from, but prices can be compared.
void SavingsPage::showHead()
{
    const bool isFirstRun = state() == PageState::FirstRun;
    m_summary->setVisible(!isFirstRun);
    m_tabBar->setVisible(!isFirstRun || m_stack->currentIndex() == 1);
}

void SavingsPage::showAssumptions()
{
    m_assumptions->showValues();
    m_panel->setBusy(m_model.isAskingList());
    m_isPlaceDue = !m_restoring && m_assumptions->isEditing();
    if (!m_restoring && !m_isPlaceDue) // an edit is one step of the history, whatever it passes through
        Q_EMIT placeChanged();
    Q_EMIT settledChanged();
}

void SavingsPage::showTabs()
{
    const auto snapshot = m_model.snapshot();
    const savings::SavingsList *list = snapshot ? &snapshot->list : nullptr;
    m_tabs->setChoiceText(kAllKinds, tabText(tr("All", "kinds of savings"), list, std::nullopt));
    for (const Kind kind : savings::kKinds)
        m_tabs->setChoiceText(keyOf(kind), tabText(SavingsText::kindName(kind), list, kind));
}

void SavingsPage::stateShown()
{
    const auto snapshot = m_model.snapshot();
    m_panel->setBusy(m_model.isAskingList());
    showHead();
    m_assumptions->showValues(); // a report offers less
    m_summary->showSums();
    showTabs();
    const QString note = snapshot ? SavingsText::filterNote(*snapshot) : QString();
    m_filterNote->setText(note);
    m_filterNote->setVisible(!note.isEmpty());
}

void SavingsPage::showData()
{
    if (m_model.table().totalRows() > 0)
        return m_panel->showData();
    widgets::StateMessage message;
    message.title = tr("No proposal here");
    message.text = m_model.snapshot()->teams.empty()
        ? tr("Nothing of this kind was found in %1.", "a range of time")
              .arg(LocalText::timeRange(m_model.snapshot()->list.range, m_model.snapshot()->frame.zone))
        : tr("The teams of the filter have none, and none is of several teams or nobody's.");
    message.remedy = tr("The other tabs have the rest.");
    m_panel->showEmpty(message);
}

void SavingsPage::showEmpty()
{
    const auto snapshot = m_model.snapshot();
    widgets::StateMessage message;
    if (snapshot->frame.range.empty()) {
        message.title = tr("No data in this range");
        message.text = tr("Savings replay the past, and nothing was fetched for the chosen range.");
        message.remedy = tr("Choose a longer range.");
    } else {
        message.title = tr("Nothing to save was found");
        message.text = tr("Nothing in %1 could have been given back, switched off, made smaller, moved to spot or "
                          "committed.",
                          "a range of time")
                           .arg(LocalText::timeRange(snapshot->list.range, snapshot->frame.zone));
        message.remedy = tr("A longer range may show more: most kinds need at least 14 days of data.");
    }
    m_panel->showEmpty(message);
}

void SavingsPage::showError()
{
    const auto snapshot = m_model.snapshot();
    m_panel->showError(
        {tr("The savings can't be shown"), LocalText::sentence(*m_model.error()), {}, tr("Try again"), {}},
        snapshot && !snapshot->frame.covered.empty() ? shownFigures(*snapshot, m_model.assumptions()) : QString());
}

void SavingsPage::showRow()
{
    const QString id = m_model.currentId();
    if (m_table->currentRowId() != id)
        m_table->setCurrentRow(id);
    m_details->showCurrent();
    showAct();
    Q_EMIT settledChanged();
}

} // namespace gpuledger::ui
