// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars/alertbar.h"

#include "widgets/state/plaintext.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace gpuledger::ui {

namespace {

using widgets::Color;
using widgets::Space;

constexpr int kIconSize = 16;
constexpr int kStripe = 4;
constexpr float kTint = 0.12F; // of the severity's colour over the surface

QColor mixed(const QColor &over, const QColor &under)
{
    const auto mix = [](float a, float b) -> float { return a * kTint + b * (1 - kTint); };
    return QColor::fromRgbF(mix(over.redF(), under.redF()), mix(over.greenF(), under.greenF()),
                            mix(over.blueF(), under.blueF()));
}

} // namespace

AlertBar::AlertBar(const widgets::Theme &theme, const QString &action, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_icon(new QToolButton(this))
    , m_text(widgets::plainLabel(theme, {}, widgets::TextSize::Body, Color::Text, QFont::Normal, this))
    , m_button(new QPushButton(action, this))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(theme.space(Space::Large), theme.space(Space::Small), theme.space(Space::Large),
                               theme.space(Space::Small));
    layout->setSpacing(theme.space(Space::Medium));
    m_icon->setAutoRaise(true); // only paints an icon that follows the theme
    m_icon->setFocusPolicy(Qt::NoFocus);
    m_icon->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_icon->setIconSize({kIconSize, kIconSize});
    m_text->setWordWrap(true);
    m_button->setAutoDefault(false);
    layout->addWidget(m_icon);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_button);
    connect(&theme, &widgets::Theme::changed, this, qOverload<>(&QWidget::update));
    hide();
}

QString AlertBar::message() const
{
    return m_text->text();
}

void AlertBar::makeSelectable()
{
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setFocusPolicy(Qt::StrongFocus); // by default a selectable label takes focus by click only
}

void AlertBar::setMessage(Severity severity, const QString &text)
{
    if (text == m_text->text() && severity == m_severity)
        return;
    const bool isNew = m_text->text().isEmpty();
    m_severity = severity;
    const bool critical = severity == Severity::Critical;
    m_icon->setIcon(m_theme.icon(critical ? QStringLiteral("critical") : QStringLiteral("warning"), // no-tr: icon name
                                 critical ? Color::Critical : Color::Warning));
    m_icon->setAccessibleName(critical ? tr("Error") : tr("Warning"));
    m_text->setText(text);
    m_text->setAccessibleName(text);
    setAccessibleName(text);
    if (text.isEmpty() && isAncestorOf(window()->focusWidget()))
        focusNextChild();
    setVisible(!text.isEmpty());
    update();
    if (!isNew)
        return; // an increasing age is not news
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void AlertBar::paintEvent(QPaintEvent *)
{
    const QColor severity = m_theme.color(m_severity == Severity::Critical ? Color::Critical : Color::Warning);
    QPainter painter(this);
    painter.fillRect(rect(), mixed(severity, m_theme.color(Color::Surface)));
    painter.fillRect(isRightToLeft() ? width() - kStripe : 0, 0, kStripe, height(), severity);
    painter.fillRect(0, height() - 1, width(), 1, m_theme.color(Color::Border));
}

} // namespace gpuledger::ui
