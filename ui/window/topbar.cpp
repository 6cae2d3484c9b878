// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/topbar.h"

#include "ui/window/syncindicator.h"
#include "widgets/inputs/choicebutton.h"
#include "widgets/state/plaintext.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include <array>

namespace gpuledger::ui {

namespace {

constexpr int kHeight = 52;

struct SpanName {
    Span span;
    const char *key;
    const char *text;
};
constexpr std::array<SpanName, 7> kSpans{{
    {Span::Day, "day", QT_TRANSLATE_NOOP("gpuledger::ui::TopBar", "Last 24 hours")},
    {Span::Week, "week", QT_TRANSLATE_NOOP("gpuledger::ui::TopBar", "Last 7 days")},
    {Span::Month, "month", QT_TRANSLATE_NOOP("gpuledger::ui::TopBar", "Last 30 days")},
    {Span::Quarter, "quarter", QT_TRANSLATE_NOOP("gpuledger::ui::TopBar", "Last 90 days")},
    {Span::ThisMonth, "this-month", QT_TRANSLATE_NOOP("gpuledger::ui::TopBar", "This month")},
    {Span::LastMonth, "last-month", QT_TRANSLATE_NOOP("gpuledger::ui::TopBar", "Last month")},
    {Span::All, "all", QT_TRANSLATE_NOOP("gpuledger::ui::TopBar", "All time")},
}};

} // namespace

TopBar::TopBar(const WindowContext &context, Navigator &navigator, QWidget *parent)
    : QWidget(parent)
    , m_theme(context.theme)
    , m_navigator(navigator)
    , m_back(step(QStringLiteral("back"), tr("Back"), QKeySequence(Qt::ALT | Qt::Key_Left)))
    , m_forward(step(QStringLiteral("forward"), tr("Forward"), QKeySequence(Qt::ALT | Qt::Key_Right)))
    , m_title(widgets::plainLabel(context.theme, {}, widgets::TextSize::Title, widgets::Color::Text, QFont::DemiBold))
    , m_span(new widgets::ChoiceButton(tr("Time range"), this))
{
    setFixedHeight(kHeight);
    auto *layout = new QHBoxLayout(this);
    const int side = m_theme.space(widgets::Space::Large);
    layout->setContentsMargins(m_theme.space(widgets::Space::Small), 0, side, 0);
    layout->setSpacing(m_theme.space(widgets::Space::Small));
    layout->addWidget(m_back);
    layout->addWidget(m_forward);
    layout->addWidget(m_title);
    layout->addSpacing(m_theme.space(widgets::Space::Medium));
    std::vector<widgets::ChoiceButton::Choice> spans;
    for (const SpanName &name : kSpans)
        spans.push_back({QLatin1String(name.key), tr(name.text)});
    m_span->setChoices(spans);
    layout->addWidget(m_span);
    layout->addStretch();
    layout->addWidget(new SyncIndicator(m_theme, context.sync));
    connect(m_back, &QToolButton::clicked, &m_navigator, &Navigator::back);
    connect(m_forward, &QToolButton::clicked, &m_navigator, &Navigator::forward);
    connect(m_span, &widgets::ChoiceButton::chosen, this, [this](const QString &key) {
        for (const SpanName &name : kSpans) {
            if (key == QLatin1String(name.key)) {
                Scope scope = m_navigator.scope();
                scope.time = {name.span, {}};
                m_navigator.setScope(scope);
            }
        }
    });
    connect(&m_navigator, &Navigator::moved, this, [this] { show(m_navigator.current()); });
    show(m_navigator.current());
}

QToolButton *TopBar::step(const QString &icon, const QString &name, const QKeySequence &keys)
{
    auto *button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setIcon(m_theme.icon(icon));
    button->setAccessibleName(name);
    button->setToolTip(widgets::plainToolTip(tr("%1 (%2)").arg(name, keys.toString(QKeySequence::NativeText))));
    button->setShortcut(keys);
    return button;
}

void TopBar::setTitle(const QString &title)
{
    m_title->setText(title);
}

void TopBar::show(const Place &place)
{
    m_back->setEnabled(m_navigator.canGoBack());
    m_forward->setEnabled(m_navigator.canGoForward());
    for (const SpanName &name : kSpans) {
        if (place.scope.time.span == name.span)
            m_span->setCurrentKey(QLatin1String(name.key));
    }
}

void TopBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(widgets::Color::Surface));
    painter.setPen(m_theme.color(widgets::Color::Border));
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

} // namespace gpuledger::ui
