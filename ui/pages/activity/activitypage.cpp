// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/activity/activitypage.h"

#include "app/actions/run/undo.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/activity/actionwords.h"
#include "widgets/cards/card.h"
#include "widgets/cards/scrolled.h"
#include "widgets/delegates/badgedelegate.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/skeleton.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace gpuledger::ui {

using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::StatePanel;
using widgets::TextSize;

namespace {

constexpr int kListShare = 68, kEvidenceShare = 32, kEvidenceAtLeast = 300, kEvidenceAtMost = 520;
constexpr int kNameAtMost = 120; // pixels; a longer name of a value is wrapped
constexpr auto kNotice = "undo"; // no-tr: key

void clear(QGridLayout &grid)
{
    while (QLayoutItem *item = grid.takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

} // namespace

ActivityPage::ActivityPage(const PageContext &context, QWidget *parent)
    : Page(parent)
    , m_context(context)
    , m_rows(activityColumns())
    , m_asker(context.tasks, this, [this] { showAnswer(); })
    , m_standing(context.tasks, this,
                 [this] {
                     showEvidence();
                     Q_EMIT settledChanged();
                 })
    , m_actions(context.workspace.actions(), context.tasks)
{
    const widgets::Theme &theme = context.theme;
    const int side = theme.space(Space::Large);
    auto *content = new QWidget;
    auto *layout = new QHBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Medium));
    layout->addWidget(listCard(), kListShare);
    layout->addWidget(evidenceCard(), kEvidenceShare);
    m_panel = new StatePanel(theme, content);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(side, side, side, side);
    outer->addWidget(m_panel);
    setMainControl(m_table);
    connect(m_table, &widgets::DataTable::currentRowChanged, this, [this] {
        askStanding();
        showEvidence();
    });
    connect(&m_actions, &ActionController::recordsChanged, this, &ActivityPage::tellRun);
    connect(&m_actions, &ActionController::finished, this, [this] {
        tellRun();
        m_context.sync.tellActions();
    });
    connect(&m_actions, &ActionController::failed, this, [this](const base::Error &error) {
        Q_EMIT noticeWanted({QLatin1String(kNotice), true, LocalText::sentence(error), {}, {}});
        m_context.sync.tellActions();
    });
    connect(&m_context.sync, &SyncController::actionsChanged, this, &ActivityPage::refresh);
    connect(m_panel, &StatePanel::actionTriggered, this, &ActivityPage::refresh);
    m_panel->setSkeleton(widgets::Skeleton::Shape::Table);
    m_panel->showLoading();
    m_asker.setActive(false);
    refresh();
}

QWidget *ActivityPage::listCard()
{
    const widgets::Theme &theme = m_context.theme;
    auto *card = new widgets::Card(theme);
    auto *layout = new QVBoxLayout(card);
    layout->setContentsMargins(theme.space(Space::Small), theme.space(Space::Medium), theme.space(Space::Small),
                               theme.space(Space::Medium));
    layout->setSpacing(theme.space(Space::Small));
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(theme.space(Space::Small), 0, theme.space(Space::Small), 0);
    m_count = plainLabel(theme, {}, TextSize::Section, Color::Text, QFont::DemiBold, card);
    m_note = plainLabel(theme, {}, TextSize::Body, Color::Muted, QFont::Normal, card);
    auto *save = new QPushButton(tr("Export…"), card);
    bar->setSpacing(theme.space(Space::Small));
    bar->addWidget(m_count);
    bar->addWidget(m_note, 1);
    bar->addWidget(save);
    layout->addLayout(bar);
    m_table = new widgets::DataTable(theme, tr("Activity"), m_rows, card);
    m_table->setDelegate(QStringLiteral("state"), new widgets::BadgeDelegate(theme, m_table)); // no-tr: key
    rememberTable(QStringLiteral("activity"), m_table); // no-tr: key
    layout->addWidget(m_table, 1);
    connect(save, &QPushButton::clicked, m_table, &widgets::DataTable::exportRequested);
    return card;
}

QWidget *ActivityPage::evidenceCard()
{
    const widgets::Theme &theme = m_context.theme;
    auto *card = new widgets::Card(theme);
    card->setMinimumWidth(kEvidenceAtLeast);
    card->setMaximumWidth(kEvidenceAtMost);
    auto *layout = new QVBoxLayout(card);
    const int side = theme.space(Space::Large);
    layout->setContentsMargins(side, theme.space(Space::Medium), side, theme.space(Space::Medium));
    layout->setSpacing(theme.space(Space::Small));
    m_title = plainLabel(theme, {}, TextSize::Section, Color::Text, QFont::DemiBold, card);
    m_title->setWordWrap(true);
    layout->addWidget(m_title);
    auto *inner = new QWidget;
    auto *column = new QVBoxLayout(inner);
    column->setContentsMargins(0, 0, 0, 0);
    m_lines = new QGridLayout;
    m_lines->setHorizontalSpacing(theme.space(Space::Medium));
    m_lines->setVerticalSpacing(theme.space(Space::Tiny));
    column->addLayout(m_lines);
    column->addStretch();
    QScrollArea *scroll = widgets::scrolled(inner, card);
    scroll->setAccessibleName(tr("Evidence"));
    layout->addWidget(scroll, 1);
    m_undo = new QPushButton(tr("&Undo"), card);
    layout->addWidget(m_undo, 0, Qt::AlignLeft);
    connect(m_undo, &QPushButton::clicked, this, &ActivityPage::undo);
    return card;
}

void ActivityPage::refresh()
{
    m_asker.ask([config = &m_context.workspace.config(), billing = &m_context.workspace.billing(),
                 actions = &m_context.workspace.actions()](const std::stop_token &) {
        return askActivity(*config, *billing, *actions);
    });
}

void ActivityPage::setActive(bool active)
{
    m_asker.setActive(active);
    m_standing.setActive(active);
    if (active) // stops are made on other pages
        refresh();
}

void ActivityPage::showAnswer()
{
    const auto &snapshot = m_asker.snapshot();
    if (m_asker.error()) {
        m_panel->showError(
            {tr("Activity can't be shown"), LocalText::sentence(*m_asker.error()), {}, tr("Try again"), {}}, {});
    } else if (snapshot->actions.empty() && snapshot->log.empty()) {
        widgets::StateMessage message;
        message.title = tr("No activity yet");
        message.text = tr("Everything you and others stop, bring back, sign off and decide is kept permanently.");
        m_panel->showEmpty(message);
    } else {
        m_rows.setSnapshot(activityTable(snapshot));
        m_count->setText(m_rows.totalRows() == 1 ? tr("1 entry") : tr("%n entries", nullptr, m_rows.totalRows()));
        m_note->setText(simulatedNote(snapshot->actions));
        if (m_table->currentRowId().isEmpty())
            m_table->setCurrentRow(m_rows.snapshot()->id(0));
        m_panel->showData();
    }
    askStanding();
    showEvidence();
    Q_EMIT settledChanged();
}

void ActivityPage::addLines(const QString &title, const std::vector<std::pair<QString, QString>> &lines)
{
    const widgets::Theme &theme = m_context.theme;
    if (lines.empty())
        return;
    int &row = m_nextLine;
    if (!title.isEmpty()) {
        QLabel *heading = plainLabel(theme, title, TextSize::Body, Color::Text, QFont::DemiBold, this);
        heading->setContentsMargins(0, theme.space(Space::Medium), 0, 0);
        m_lines->addWidget(heading, row++, 0, 1, 2);
    }
    for (const auto &[name, value] : lines) {
        QLabel *label = plainLabel(theme, name, TextSize::Body, Color::Muted, QFont::Normal, this);
        if (label->sizeHint().width() > kNameAtMost) {
            label->setWordWrap(true);
            label->setFixedWidth(kNameAtMost);
        }
        m_lines->addWidget(label, row, 0, Qt::AlignTop);
        QLabel *text = plainLabel(theme, value, TextSize::Body, Color::Text, QFont::Normal, this);
        text->setWordWrap(true);
        text->setAlignment(Qt::AlignTop | Qt::AlignLeading);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_lines->addWidget(text, row++, 1);
    }
    m_lines->setColumnStretch(1, 1);
}

void ActivityPage::showEvidence()
{
    const auto &snapshot = m_asker.snapshot();
    clear(*m_lines);
    m_nextLine = 0;
    const QString id = m_table->currentRowId();
    const ActivityEvidence evidence = snapshot ? activityEvidence(*snapshot, id) : ActivityEvidence();
    m_title->setText(evidence.title);
    addLines({}, evidence.facts);
    if (const QString now = standingText(); !now.isEmpty())
        addLines(tr("On the platform"), {{tr("Now"), now}});
    addLines(tr("What happened"), evidence.steps);
    addLines(tr("Checks beforehand"), evidence.checks);
    const model::ActionRecord *action = snapshot ? actionOf(*snapshot, id) : nullptr;
    const bool can = action && actions::undoable(*action).can && m_actions.reach().canStop;
    m_undo->setVisible(can);
    m_undo->setEnabled(can && !m_actions.isRunning());
}

// Another user may have stopped it since, or restored it.
void ActivityPage::askStanding()
{
    const auto &snapshot = m_asker.snapshot();
    const QString row = m_table->currentRowId();
    const model::ActionRecord *action = snapshot ? actionOf(*snapshot, row) : nullptr;
    if (row != m_standingRow)
        m_standing.forget();
    m_standingRow = action ? row : QString();
    if (!action)
        return;
    m_standing.ask([actions = &m_context.workspace.actions(), target = action->intent.target](
                       const std::stop_token &stop) -> LatestQuery<actions::Standing>::Answer {
        auto standing = actions->standing(target, stop);
        GPULEDGER_TRY(standing);
        return std::make_shared<const actions::Standing>(std::move(*standing));
    });
}

QString ActivityPage::standingText() const
{
    if (m_standingRow.isEmpty() || m_standingRow != m_table->currentRowId())
        return {};
    if (m_standing.error())
        return tr("not known: %1").arg(LocalText::sentence(*m_standing.error()));
    if (!m_standing.snapshot())
        return tr("checking…");
    return standingWords(*m_standing.snapshot(), m_context.workspace.timeZone());
}

void ActivityPage::undo()
{
    if (const auto &snapshot = m_asker.snapshot()) {
        if (const model::ActionRecord *action = actionOf(*snapshot, m_table->currentRowId()))
            m_actions.undo({action->id}, {});
    }
    showEvidence();
}

void ActivityPage::tellRun()
{
    if (m_actions.records().empty())
        return;
    const RunWords words = runWords(m_actions.records(), m_actions.isRunning());
    Q_EMIT noticeWanted({QLatin1String(kNotice), words.isWarning, words.text, {}, {}, words.desktop});
}

} // namespace gpuledger::ui
