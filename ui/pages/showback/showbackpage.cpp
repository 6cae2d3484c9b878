// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/showback/showbackpage.h"

#include "ui/dialogs/showback/closemonthdialog.h"
#include "ui/dialogs/showback/presentation.h"
#include "ui/dialogs/showback/sharingdialog.h"
#include "ui/dialogs/showback/splitlensdialog.h"
#include "ui/format/local/localtext.h"
#include "ui/pages/documentview.h"
#include "ui/pages/showback/reconcilecard.h"
#include "ui/pages/showback/showbackfigures.h"
#include "ui/pages/showback/showbackteams.h"
#include "ui/viewmodels/showback/statementtext.h"
#include "widgets/cards/card.h"
#include "widgets/delegates/badgedelegate.h"
#include "widgets/inputs/choicebutton.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/skeleton.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gpuledger::ui {

using widgets::Color;
using widgets::Space;

namespace {

constexpr int kLeastSide = 372, kMostSide = 420; // of the list of teams; the maximum shows all its columns
constexpr QLatin1String kExportNotice("statement-export"), kSignOffNotice("sign-off");

QString keyOf(const insight::Month &month)
{
    return QString::fromStdString(insight::toString(month));
}

} // namespace

ShowbackPage::ShowbackPage(const PageContext &context, QWidget *parent)
    : StatePage(context, parent)
    , m_model(context.workspace.config(), context.workspace.spend(), context.workspace.billing(), context.tasks)
    , m_teams(showbackTeamColumns({}))
    , m_export(new StatementExport(context.tasks, context.workspace.savings(), *this))
{
    auto *content = new QWidget;
    auto *layout = new QHBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(context.theme.space(Space::Medium));
    layout->addWidget(this->side(), 7);
    auto *right = new QVBoxLayout;
    right->setSpacing(context.theme.space(Space::Medium));
    right->addWidget(bar());
    right->addWidget(sheet(), 1);
    layout->addLayout(right, 13);
    setContent(content);
    setMainControl(m_all); // the table would select a team by itself
    bind();
    bindExport();
    m_panel->setSkeleton(widgets::Skeleton::Shape::Document);
    m_panel->showLoading();
    m_model.setActive(false);
    m_model.refresh();
}

QWidget *ShowbackPage::side()
{
    const widgets::Theme &theme = m_context.theme;
    auto *column = new QWidget;
    column->setMinimumWidth(kLeastSide);
    column->setMaximumWidth(kMostSide);
    auto *layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Medium));
    auto *card = new widgets::Card(theme, column);
    auto *inside = new QVBoxLayout(card);
    const int margin = theme.space(Space::Small);
    inside->setContentsMargins(margin, margin, margin, margin);
    inside->setSpacing(theme.space(Space::Small));
    m_month = new widgets::ChoiceButton(tr("Month"), card);
    m_all = new QPushButton(tr("All teams"), card);
    m_all->setCheckable(true);
    auto *row = new QHBoxLayout;
    row->setSpacing(theme.space(Space::Small));
    row->addWidget(m_month, 1);
    row->addWidget(m_all);
    inside->addLayout(row);
    m_table = new widgets::DataTable(theme, tr("Teams"), m_teams, card);
    m_table->setDelegate(QStringLiteral("status"), new widgets::BadgeDelegate(theme, m_table)); // no-tr: key
    rememberTable(QStringLiteral("statements"), m_table); // no-tr: key
    inside->addWidget(m_table, 1);
    layout->addWidget(card, 1);
    m_reconcile = new ReconcileCard(theme, column);
    layout->addWidget(m_reconcile);
    return column;
}

QWidget *ShowbackPage::bar()
{
    const widgets::Theme &theme = m_context.theme;
    auto *bar = new QWidget;
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Small));
    layout->addStretch(1);
    m_lens = new QPushButton(tr("What if"), bar);
    auto *looks = new QMenu(m_lens);
    looks->addAction(tr("Split lens…"), this, &ShowbackPage::openLens);
    looks->addAction(tr("Shared and idle cost…"), this, &ShowbackPage::openSharing);
    m_lens->setMenu(looks);
    m_present = new QPushButton(tr("Present"), bar);
    m_present->setToolTip(tr("Full screen, one team per slide"));
    m_save = new QPushButton(tr("Export"), bar);
    m_save->setMenu(exportMenu());
    m_review = new QPushButton(tr("Mark reviewed"), bar);
    m_close = new QPushButton(tr("Close month…"), bar);
    widgets::setPrimary(m_close);
    layout->addWidget(m_lens);
    layout->addWidget(m_present);
    layout->addWidget(m_save);
    layout->addWidget(m_review);
    layout->addWidget(m_close);
    return bar;
}

QMenu *ShowbackPage::exportMenu()
{
    struct Item {
        QString text;
        StatementFormat format;
    };
    const std::vector<Item> items{{tr("PDF, A4…"), StatementFormat::PdfA4},
                                  {tr("PDF, Letter…"), StatementFormat::PdfLetter},
                                  {tr("Workbook (XLSX)…"), StatementFormat::Workbook},
                                  {tr("Table (CSV)…"), StatementFormat::Csv},
                                  {tr("Web page (HTML)…"), StatementFormat::Html}};
    auto *menu = new QMenu(this);
    for (const Item &item : items) {
        menu->addAction(item.text, this, [this, format = item.format] {
            if (const auto one = what())
                m_export->save(*one, format);
        });
    }
    menu->addSeparator();
    m_print = menu->addAction(tr("Print…"));
    m_print->setShortcut(QKeySequence(QKeySequence::Print));
    m_print->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(m_print); // where its shortcuts are active
    menu->addSeparator();
    for (const Item &item : {Item{tr("A PDF for every team…"), StatementFormat::PdfA4},
                             Item{tr("A workbook for every team…"), StatementFormat::Workbook}}) {
        menu->addAction(item.text, this, [this, format = item.format] {
            if (const auto one = what())
                m_export->saveAll(*one, format);
        });
    }
    menu->addSeparator();
    m_withSavings = menu->addAction(tr("With savings (not in CSV)"));
    m_withSavings->setCheckable(true);
    return menu;
}

QWidget *ShowbackPage::sheet()
{
    auto *card = new widgets::Card(m_context.theme);
    auto *layout = new QVBoxLayout(card);
    layout->setContentsMargins(1, 1, 1, 1);
    m_document = new DocumentView(m_context.theme, card);
    layout->addWidget(m_document);
    return card;
}

void ShowbackPage::bind()
{
    connect(&m_model, &ShowbackViewModel::changed, this, &ShowbackPage::showState);
    connect(&m_model, &ShowbackViewModel::teamChanged, this, &ShowbackPage::showTeam);
    connect(&m_model, &ShowbackViewModel::placeChanged, this, [this] {
        if (!m_restoring)
            Q_EMIT placeChanged();
    });
    connect(m_month, &widgets::ChoiceButton::chosen, this, [this](const QString &key) {
        if (const auto month = insight::monthFromString(key.toStdString()))
            m_model.setMonth(*month);
    });
    connect(m_all, &QPushButton::clicked, this, [this] { m_model.setTeam(std::nullopt); });
    connect(m_table, &widgets::DataTable::currentRowChanged, this, [this](const QString &id) {
        if (!m_showing && !id.isEmpty())
            m_model.setTeam(showbackTeam(id));
    });
    offerProofs();
    connect(m_table, &widgets::DataTable::rowActivated, m_document, [this] { m_document->setFocus(); });
    connect(m_review, &QPushButton::clicked, &m_model, &ShowbackViewModel::review);
    connect(m_close, &QPushButton::clicked, this, &ShowbackPage::askToClose);
    connect(m_present, &QPushButton::clicked, this, &ShowbackPage::present);
    connect(&m_model, &ShowbackViewModel::signedOff, this, [this](bool done, const QString &text) {
        Q_EMIT noticeWanted({kSignOffNotice, !done, text, {}, {}});
    });
}

void ShowbackPage::bindExport()
{
    connect(m_print, &QAction::triggered, this, [this] {
        if (const auto one = what())
            m_export->print(*one);
    });
    connect(m_export, &StatementExport::saved, this, [this](const QString &where, int files) {
        Q_EMIT noticeWanted(
            {kExportNotice,
             false,
             files == 1 ? tr("Saved %1").arg(where) : tr("Saved %n statements in %1", nullptr, files).arg(where),
             {},
             {}});
    });
    connect(m_export, &StatementExport::preparing, this, [this] {
        Q_EMIT noticeWanted({kExportNotice, false, tr("Finding what could be saved, for the statement…"), tr("Stop"),
                             [this] { m_export->stop(); }});
    });
    connect(m_export, &StatementExport::prepared, this, [this] {
        Q_EMIT noticeWanted({kExportNotice, false, {}, {}, {}});
    });
    connect(m_export, &StatementExport::advanced, this, [this](int done, int all) {
        Q_EMIT noticeWanted({kExportNotice, false, tr("Writing statements: %1 of %2").arg(done).arg(all), tr("Stop"),
                             [this] { m_export->stop(); }});
    });
    connect(m_export, &StatementExport::failed, this, [this](const base::Error &error, int done) {
        const QString text = error.code == base::ErrorCode::Cancelled
            ? tr("Stopped after %n statement(s).", nullptr, done)
            : tr("The statement was not saved: %1").arg(LocalText::sentence(error));
        Q_EMIT noticeWanted({kExportNotice, true, text, {}, {}});
    });
}

std::optional<StatementExport::What> ShowbackPage::what() const
{
    if (!m_model.snapshot() || m_model.state() == PageState::Empty)
        return std::nullopt;
    return StatementExport::What{m_model.snapshot(), m_model.team(),
                                 m_withSavings->isEnabled() && m_withSavings->isChecked()};
}

void ShowbackPage::showError()
{
    m_panel->showError(
        {tr("The statement can't be shown"), LocalText::sentence(*m_model.error()), {}, tr("Try again"), {}},
        m_model.snapshot() ? tr("Older data") : QString());
}

void ShowbackPage::showEmpty()
{
    const auto snapshot = m_model.snapshot();
    m_panel->showEmpty({tr("Nothing is stored for %1").arg(monthName(snapshot->month)),
                        tr("Neither bills nor telemetry have been fetched for this month."),
                        tr("Choose another month, or fetch it from a source that has it."),
                        {},
                        {}});
}

QString ShowbackPage::choiceText(const reports::MonthStatus &status)
{
    QString name = monthName(status.month);
    switch (status.state) {
    case reports::MonthState::Reviewed:
        return tr("%1, reviewed", "month").arg(name);
    case reports::MonthState::Closed:
        return tr("%1, closed", "month").arg(name);
    case reports::MonthState::Draft:
        break;
    }
    return name;
}

void ShowbackPage::showData()
{
    const auto snapshot = m_model.snapshot();
    std::vector<widgets::ChoiceButton::Choice> months;
    for (const reports::MonthStatus &one : snapshot->months)
        months.push_back({keyOf(one.month), choiceText(one)});
    m_month->setChoices(months);
    m_month->setCurrentKey(keyOf(snapshot->month));
    m_showing = true;
    m_teams.setColumns(showbackTeamColumns(snapshot->statement));
    m_teams.setSnapshot(showbackTeams(snapshot));
    m_showing = false;
    m_reconcile->setFigures(*snapshot);
    showTeam();
    m_panel->showData();
}

void ShowbackPage::showTeam()
{
    const auto snapshot = m_model.snapshot();
    if (!snapshot || m_model.state() != PageState::Data)
        return;
    m_all->setChecked(!m_model.team());
    m_showing = true;
    m_table->setCurrentRow(m_model.team() ? showbackRowId(*m_model.team()) : QString());
    m_showing = false;
    StatementSheet sheet = statementSheet(*snapshot, m_model.team());
    const bool isTeam = m_model.team().has_value();
    const reports::MonthStatus status = isTeam ? reports::ofTeam(snapshot->status, *m_model.team()) : snapshot->status;
    if (isTeam)
        m_review->setToolTip(tr("This team's statement"));
    else
        m_review->setToolTip(tr("The month, for every team"));
    const bool closed = status.state == reports::MonthState::Closed;
    const bool mayChange = m_context.reportName.isEmpty() && status.isOver;
    const bool hasFigures = !isTeam || snapshot->status.teams.contains(*m_model.team());
    m_review->setVisible(status.state == reports::MonthState::Draft && mayChange && hasFigures);
    m_withSavings->setEnabled(snapshot->statement.status.state
                              != reports::MonthState::Closed); // shown as it was closed
    m_close->setVisible(!closed && mayChange);
    m_review->setEnabled(!m_model.isSigning());
    m_close->setEnabled(!m_model.isSigning());
    m_document->setSheet(std::move(sheet));
    Q_EMIT settledChanged();
}

void ShowbackPage::askToClose()
{
    const auto snapshot = m_model.snapshot();
    if (!snapshot)
        return;
    QStringList totals;
    for (const auto &section : statementSheet(*snapshot, std::nullopt).sections)
        totals << section.total + QLatin1Char(' ') + section.currency;
    auto *dialog = new CloseMonthDialog(
        m_context.theme, snapshot->status,
        tr("%1: %2", "month, cost").arg(monthName(snapshot->month), totals.join(QStringLiteral(" + "))), this);
    connect(dialog, &CloseMonthDialog::confirmed, &m_model, &ShowbackViewModel::close);
    dialog->open();
}

void ShowbackPage::offerProofs()
{
    using Figures = std::vector<Explained>;
    offerExplain(m_table, m_context, this, [this](const QString &row) {
        const auto snapshot = m_model.snapshot();
        return snapshot ? showbackTeamExplained(*snapshot, showbackTeam(row)) : Figures();
    });
    offerExplain(m_all, m_context, this, [this] {
        const auto snapshot = m_model.snapshot();
        return snapshot ? showbackAllExplained(*snapshot) : Figures();
    });
    offerExplain(m_document, m_context, this, [this] {
        const auto snapshot = m_model.snapshot();
        return snapshot ? showbackRowExplained(*snapshot, m_model.team(), m_document->sheet(), m_document->currentRow())
                        : Figures();
    });
    const auto reconciled = [this] {
        const auto snapshot = m_model.snapshot();
        return snapshot ? reconcileExplained(*snapshot) : Figures();
    };
    offerExplain(m_reconcile, m_context, this, reconciled);
    fillExplainMenu(m_reconcile->explainMenu(), m_context, this, reconciled);
}

void ShowbackPage::openLens()
{
    if (const auto snapshot = m_model.snapshot())
        (new SplitLensDialog(m_context.theme, m_context.workspace.spend(), m_context.tasks, snapshot->month,
                             m_model.view(), this))
            ->open();
}

void ShowbackPage::openSharing()
{
    const auto snapshot = m_model.snapshot();
    if (!snapshot)
        return;
    auto *dialog =
        new SharingDialog({m_context.theme, m_context.workspace.config(), m_context.workspace.sources(),
                           m_context.workspace.billing(), m_context.tasks, m_context.sync, m_context.configFile},
                          snapshot->month, m_model.view(), this);
    connect(dialog, &SharingDialog::applied, &m_model, &ShowbackViewModel::refresh);
    dialog->open();
}

bool ShowbackPage::perform(PageAction action)
{
    if (action != PageAction::Present || m_model.state() != PageState::Data)
        return false;
    present();
    return true;
}

void ShowbackPage::present()
{
    if (m_model.snapshot() && m_model.state() == PageState::Data)
        (new Presentation(m_context.theme, m_model, m_model.team(),
                          m_context.reportName.isEmpty() ? Presentation::Rights::Decide : Presentation::Rights::Look,
                          this))
            ->showFullScreen();
}

void ShowbackPage::restore(const QUrlQuery &place)
{
    m_restoring = true;
    m_model.restore(place);
    m_restoring = false;
}

bool ShowbackPage::goBack()
{
    if (!m_model.team())
        return false;
    m_model.setTeam(std::nullopt);
    return true;
}

bool ShowbackPage::settled() const
{
    return m_model.state() != PageState::Loading && !m_model.isAsking();
}

} // namespace gpuledger::ui
