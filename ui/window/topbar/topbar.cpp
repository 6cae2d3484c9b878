// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/topbar/topbar.h"

#include "ui/window/bars/syncindicator.h"
#include "ui/window/topbar/costchoice.h"
#include "ui/window/topbar/filterbar.h"
#include "ui/window/topbar/searchbutton.h"
#include "ui/window/topbar/timechoice.h"
#include "widgets/state/plaintext.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace gpuledger::ui {

namespace {

constexpr int kTopBarHeight = 52;
constexpr int kCompactWidth = 1040; // below this, redundant text is omitted

} // namespace

TopBar::TopBar(const WindowContext &context, Navigator &navigator, DimensionValues &values, QWidget *parent)
    : QWidget(parent)
    , m_theme(context.theme)
    , m_navigator(navigator)
    , m_back(step(QStringLiteral("back"), tr("Back"), QKeySequence(Qt::ALT | Qt::Key_Left)))
    , m_forward(step(QStringLiteral("forward"), tr("Forward"), QKeySequence(Qt::ALT | Qt::Key_Right)))
    , m_title(widgets::plainLabel(context.theme, {}, widgets::TextSize::Title, widgets::Color::Text, QFont::DemiBold))
    , m_span(new TimeChoiceButton(context, navigator, this))
    , m_cost(new CostChoiceButton(navigator, this))
    , m_filter(new FilterBar(context, navigator, values, this))
    , m_search(new SearchButton(context.theme, this))
    , m_sync(new SyncIndicator(context.theme, context.sync, this))
    , m_help(step(QStringLiteral("help"), tr("Help for this page"), QKeySequence(QKeySequence::HelpContents)))
{
    setObjectName(QStringLiteral("topBar")); // no-tr: for the accessibility tree
    setFixedHeight(kTopBarHeight);
    auto *layout = new QHBoxLayout(this);
    const int side = m_theme.space(widgets::Space::Large);
    layout->setContentsMargins(m_theme.space(widgets::Space::Small), 0, side, 0);
    layout->setSpacing(m_theme.space(widgets::Space::Small));
    layout->addWidget(m_back);
    layout->addWidget(m_forward);
    layout->addWidget(m_title);
    layout->addSpacing(m_theme.space(widgets::Space::Medium));
    layout->addWidget(m_span);
    layout->addWidget(m_cost);
    layout->addWidget(m_filter, 1);
    layout->addStretch(0); // takes its place while it is hidden
    layout->addWidget(m_search);
    layout->addWidget(m_sync);
    layout->addWidget(m_help);
    m_back->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Left));
    m_forward->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Right));
    connect(m_back, &QToolButton::clicked, &m_navigator, &Navigator::back);
    connect(m_forward, &QToolButton::clicked, &m_navigator, &Navigator::forward);
    connect(m_search, &SearchButton::clicked, this, &TopBar::searchWanted);
    connect(m_help, &QToolButton::clicked, this, &TopBar::helpWanted); // its key works in the whole window
    connect(&m_navigator, &Navigator::moved, this, [this] { show(); });
    show();
}

QToolButton *TopBar::step(const QString &icon, const QString &name, const QKeySequence &keys)
{
    auto *button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setIcon(m_theme.icon(icon));
    button->setAccessibleName(name);
    button->setToolTip(widgets::plainToolTip(tr("%1 (%2)").arg(name, keys.toString(QKeySequence::NativeText))));
    return button;
}

void TopBar::setPage(const QString &title, const Page &page)
{
    m_title->setText(title);
    m_span->setVisible(page.usesScope());
    m_cost->setVisible(page.usesCostView());
    m_filter->setVisible(page.usesScope());
}

void TopBar::askForRange()
{
    m_span->askForRange();
}

void TopBar::openFilterMenu()
{
    m_filter->openMenu();
}

void TopBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const bool compact = width() < kCompactWidth;
    m_search->setCompact(compact);
    m_sync->setCompact(compact);
}

void TopBar::show()
{
    m_back->setEnabled(m_navigator.canGoBack());
    m_forward->setEnabled(m_navigator.canGoForward());
}

void TopBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(widgets::Color::Surface));
    painter.setPen(m_theme.color(widgets::Color::Border));
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

} // namespace gpuledger::ui
