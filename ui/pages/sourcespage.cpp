// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sourcespage.h"

#include "ui/format/localtext.h"
#include "ui/pages/firstrun.h"
#include "ui/pages/sourcecardview.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/statepanel.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace gpuledger::ui {

using widgets::Space;
using widgets::StatePanel;

namespace {

constexpr int kCardWidth = 420; // cards are at least this wide where the page is
constexpr int kWidestCard = 640;

} // namespace

SourcesPage::SourcesPage(const PageContext &context, QWidget *parent)
    : Page(parent)
    , m_context(context)
    , m_model(context.workspace, context.tasks, context.sync)
{
    const int side = context.theme.space(Space::Large);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(side, side, side, side);
    outer->setSpacing(context.theme.space(Space::Medium));
    m_board = new QWidget;
    auto *board = new QVBoxLayout(m_board);
    board->setContentsMargins(0, 0, 0, 0);
    m_grid = new QGridLayout;
    m_grid->setSpacing(context.theme.space(Space::Medium));
    board->addLayout(m_grid);
    board->addStretch();
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_board);
    scroll->setFocusPolicy(Qt::NoFocus);
    m_board->setAutoFillBackground(false);
    scroll->viewport()->setAutoFillBackground(false);
    m_panel = new StatePanel(context.theme, scroll);
    outer->addWidget(makeHeader());
    outer->addWidget(m_panel, 1);
    connect(&m_model, &SourcesViewModel::changed, this, &SourcesPage::showState);
    bindFirstRun(*m_panel, context);
    connect(m_panel, &StatePanel::actionTriggered, this, [this](StatePanel::State state) {
        if (state != StatePanel::State::FirstRun)
            m_model.refresh();
    });
    m_panel->showLoading();
    m_model.setActive(false);
    m_model.refresh();
}

QWidget *SourcesPage::makeHeader()
{
    auto *bar = m_header = new QWidget;
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    m_title = widgets::plainLabel(m_context.theme, tr("Where the figures come from"), widgets::TextSize::Section,
                                  widgets::Color::Text, QFont::DemiBold, bar);
    layout->addWidget(m_title);
    layout->addStretch();
    m_add = new QPushButton(m_context.configFile.empty() ? tr("Connect your own…") : tr("Add source…"), bar);
    widgets::setPrimary(m_add);
    layout->addWidget(m_add);
    connect(m_add, &QPushButton::clicked, this, [this] {
        if (!m_context.configFile.empty())
            addSource(m_context, window());
        else if (m_context.startAnother) // the demo fleet: one's own figures have a window of their own
            m_context.startAnother({QStringLiteral("--page"), QStringLiteral("sources")}); // no-tr: options
    });
    return bar;
}

void SourcesPage::showState()
{
    m_header->setVisible(m_model.state() != PageState::FirstRun); // which offers the same in the middle
    switch (m_model.state()) {
    case PageState::FirstRun:
        showFirstRun(*m_panel, m_context);
        break;
    case PageState::Loading:
        m_panel->showLoading();
        break;
    case PageState::Data:
    case PageState::Empty:
        showCards();
        m_panel->showData();
        break;
    case PageState::Error:
        m_panel->showError(
            {tr("The sources can't be shown"), LocalText::sentence(m_model.error()), {}, tr("Try again"), {}});
        break;
    }
    Q_EMIT settledChanged();
}

void SourcesPage::showCards()
{
    const auto &cards = m_model.cards();
    const bool same = std::equal(cards.begin(), cards.end(), m_views.begin(), m_views.end(),
                                 [](const SourceCard &card, const auto &view) { return card.name == view.first; });
    if (!same)
        makeViews();
    for (std::size_t i = 0; i < cards.size(); ++i)
        m_views[i].second->setCard(cards[i], !m_context.sync.running(), false);
}

void SourcesPage::makeViews()
{
    for (const auto &[name, view] : m_views)
        view->deleteLater();
    m_views.clear();
    for (const SourceCard &card : m_model.cards()) {
        auto *view = new SourceCardView(m_context.theme, *m_model.testOf(card.name), m_board);
        const std::string name = card.name;
        connect(view, &SourceCardView::syncRequested, this, [this, name] { m_model.sync(name); });
        connect(view, &SourceCardView::stopRequested, &m_model, &SourcesViewModel::stopSync);
        connect(view, &SourceCardView::testRequested, this, [this, name] { m_model.test(name); });
        m_views.emplace_back(name, view);
    }
    m_columns = 0;
    placeCards();
}

void SourcesPage::placeCards()
{
    const int side = m_context.theme.space(Space::Large);
    const int columns = std::max(1, (width() - 2 * side) / kCardWidth);
    if (columns == m_columns)
        return;
    m_columns = columns;
    for (int column = 0; column < m_grid->columnCount(); ++column)
        m_grid->setColumnStretch(column, 0);
    int at = 0;
    for (const auto &[name, view] : m_views) {
        view->setMaximumWidth(kWidestCard);
        m_grid->addWidget(view, at / columns, at % columns, Qt::AlignTop);
        ++at;
    }
    for (int column = 0; column < columns; ++column)
        m_grid->setColumnStretch(column, 1);
}

bool SourcesPage::settled() const
{
    return m_model.state() != PageState::Loading;
}

void SourcesPage::refresh()
{
    m_model.refresh();
}

void SourcesPage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    m_model.setActive(true);
}

void SourcesPage::hideEvent(QHideEvent *event)
{
    m_model.setActive(false);
    Page::hideEvent(event);
}

void SourcesPage::resizeEvent(QResizeEvent *event)
{
    Page::resizeEvent(event);
    placeCards();
}

} // namespace gpuledger::ui
