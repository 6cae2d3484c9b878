// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inputs/choicebutton.h"

#include "widgets/state/plaintext.h"

#include <QAction>
#include <QActionGroup>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QStyleOptionButton>
#include <QStylePainter>

#include <algorithm>

namespace gpuledger::widgets {

namespace {

constexpr int kLongestText = 80;
constexpr int kPadding = 10;
constexpr int kArrowWidth = 8;
constexpr int kArrowGap = 6;
constexpr int kRounding = 2; // eliding measures in fractions of a pixel

// A single & would be taken for a mnemonic.
QString literal(const QString &text)
{
    return plainLine(text, kLongestText).replace(QLatin1Char('&'), QLatin1String("&&"));
}

} // namespace

ChoiceButton::ChoiceButton(const QString &name, QWidget *parent)
    : QPushButton(parent)
    , m_name(name)
    , m_group(new QActionGroup(this))
{
    setMenu(new QMenu(this));
    setAutoDefault(false);
    setAccessibleName(name);
    connect(m_group, &QActionGroup::triggered, this, [this](QAction *action) { choose(action->data().toString()); });
}

void ChoiceButton::setChoices(const std::vector<Choice> &choices)
{
    m_choices = choices;
    qDeleteAll(m_group->actions()); // they remove themselves from the menu
    qDeleteAll(menu()->actions()); // separators
    for (const Choice &choice : choices) {
        if (choice.command)
            menu()->addSeparator();
        auto *action = new QAction(literal(choice.text), m_group);
        action->setCheckable(!choice.command);
        action->setData(choice.key);
        menu()->addAction(action);
    }
    showChoice(std::max(0, currentIndex()));
    updateGeometry();
}

int ChoiceButton::currentIndex() const
{
    const auto found =
        std::find_if(m_choices.begin(), m_choices.end(), [this](const Choice &c) { return c.key == m_key; });
    return found == m_choices.end() ? -1 : static_cast<int>(found - m_choices.begin());
}

void ChoiceButton::showChoice(int index)
{
    if (index < 0 || index >= static_cast<int>(m_choices.size())) {
        m_key.clear();
        setText(QString());
        return;
    }
    const Choice &choice = m_choices[static_cast<std::size_t>(index)];
    m_key = choice.key;
    setText(literal(choice.text));
    setAccessibleName(tr("%1: %2", "what is chosen: the choice").arg(m_name, choice.text));
    m_group->actions().at(index)->setChecked(true);
}

void ChoiceButton::choose(const QString &key)
{
    const auto found = std::find_if(m_choices.begin(), m_choices.end(), [&](const Choice &c) { return c.key == key; });
    if (found != m_choices.end() && found->command)
        Q_EMIT chosen(key);
    else
        setCurrentKey(key);
}

void ChoiceButton::setCurrentKey(const QString &key)
{
    const auto found = std::find_if(m_choices.begin(), m_choices.end(), [&](const Choice &c) { return c.key == key; });
    if (found == m_choices.end() || found->command || key == m_key)
        return;
    showChoice(static_cast<int>(found - m_choices.begin()));
    Q_EMIT chosen(m_key);
}

QSize ChoiceButton::sizeHint() const
{
    // As wide as the widest choice, so that nothing moves when another one is chosen.
    int width = 0;
    for (const Choice &choice : m_choices)
        width = std::max(width, fontMetrics().horizontalAdvance(plainLine(choice.text, kLongestText)) + kRounding);
    return {width + 2 * kPadding + kArrowGap + kArrowWidth, std::max(28, QPushButton::sizeHint().height())};
}

void ChoiceButton::keyPressEvent(QKeyEvent *event)
{
    const int step = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    if (step == 0)
        return QPushButton::keyPressEvent(event);
    if (m_choices.empty())
        return;
    const int index = std::clamp(currentIndex() + step, 0, static_cast<int>(m_choices.size()) - 1);
    setCurrentKey( // skips commands, which must be opened deliberately
        m_choices[static_cast<std::size_t>(index)].key);
}

void ChoiceButton::paintEvent(QPaintEvent *)
{
    QStylePainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    painter.drawPrimitive(QStyle::PE_PanelButtonCommand, option);
    const QColor color = palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::ButtonText);
    const QRect content = rect().adjusted(kPadding, 0, -kPadding, 0);
    const QRect words = content.adjusted(0, 0, -kArrowGap - kArrowWidth, 0);
    const QString shown = fontMetrics().elidedText(QString(text()).replace(QLatin1String("&&"), QLatin1String("&")),
                                                   Qt::ElideRight, words.width());
    painter.setPen(color);
    painter.drawText(QStyle::visualRect(layoutDirection(), rect(), words),
                     static_cast<int>(QStyle::visualAlignment(layoutDirection(), Qt::AlignLeft) | Qt::AlignAbsolute
                                      | Qt::AlignVCenter)
                         | Qt::TextSingleLine,
                     shown);
    const QRectF arrow = QStyle::visualRect(
        layoutDirection(), rect(),
        QRect(content.right() - kArrowWidth + 1, (height() - kArrowWidth / 2) / 2, kArrowWidth, kArrowWidth / 2));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(QPolygonF{arrow.topLeft(), QPointF(arrow.center().x(), arrow.bottom()), arrow.topRight()});
    if (hasFocus() && (option.state & QStyle::State_KeyboardFocusChange))
        painter.drawPrimitive(QStyle::PE_FrameFocusRect, option);
}

} // namespace gpuledger::widgets
