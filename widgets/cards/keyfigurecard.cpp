// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cards/keyfigurecard.h"

#include "widgets/cards/card.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/tipbeside.h"
#include "widgets/theme/tabular.h"

#include <QKeyEvent>
#include <QPainter>
#include <QTextLayout>

#include <algorithm>

namespace gpuledger::widgets {

namespace {

constexpr int kSparklineWidth = 90;
constexpr int kSparklineHeight = 24;
constexpr int kGap = 8;
constexpr int kArrow = 9;
constexpr int kDetailLines = 2;
constexpr int kLeastFirstLine = 60; // with less room beside the change, the detail starts on the next line
constexpr int kLongestTitle = 200;

int lineHeight(const Theme &theme, TextSize size)
{
    return QFontMetrics(theme.font(size)).height();
}

Qt::Alignment startOf(const QWidget &widget)
{
    return (widget.isRightToLeft() ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter | Qt::AlignAbsolute;
}

} // namespace

KeyFigureCard::KeyFigureCard(const Theme &theme, QWidget *parent)
    : QAbstractButton(parent)
    , m_theme(theme)
{
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
    describe();
}

void KeyFigureCard::setFigure(KeyFigure figure)
{
    if (m_figure == figure)
        return;
    m_figure = std::move(figure);
    describe();
    update();
}

QString KeyFigureCard::changeWord() const
{
    if (!m_figure.changeWord.isEmpty())
        return m_figure.changeWord;
    if (m_figure.direction == KeyFigure::Direction::None)
        return {};
    switch (m_figure.meaning) {
    case KeyFigure::Meaning::Good:
        return tr("better", "a change");
    case KeyFigure::Meaning::Bad:
        return tr("worse", "a change");
    case KeyFigure::Meaning::Neutral:
        break;
    }
    return {};
}

Color KeyFigureCard::changeColor() const
{
    switch (m_figure.meaning) {
    case KeyFigure::Meaning::Good:
        return Color::Good;
    case KeyFigure::Meaning::Bad:
        return Color::Critical;
    case KeyFigure::Meaning::Neutral:
        break;
    }
    return Color::Muted;
}

QString KeyFigureCard::changeText() const
{
    if (m_figure.change.isEmpty())
        return {};
    QString text = m_figure.change;
    if (m_figure.direction == KeyFigure::Direction::Up)
        text = tr("up %1", "a change").arg(text);
    else if (m_figure.direction == KeyFigure::Direction::Down)
        text = tr("down %1", "a change").arg(text);
    const QString word = changeWord();
    return word.isEmpty() ? text : text + QStringLiteral(", ") + word;
}

void KeyFigureCard::describe()
{
    const QString value = m_figure.value.isEmpty() ? tr("not known", "a figure") : m_figure.value;
    setAccessibleName(m_figure.title.isEmpty() ? value : tr("%1: %2", "title: figure").arg(m_figure.title, value));
    QStringList parts{changeText(), m_figure.detail, m_figure.source, m_figure.age};
    parts.removeAll(QString());
    setAccessibleDescription(parts.join(QStringLiteral("; ")));
    setToolTip(plainToolTip(parts.join(QLatin1Char('\n'))));
}

void KeyFigureCard::setLook(Look look)
{
    if (look == m_look)
        return;
    m_look = look;
    update();
}

QFont KeyFigureCard::fontOf(Look look) const
{
    const TextSize size = look == Look::SmallestNoTrend     ? TextSize::Section
        : look == Look::Small || look == Look::SmallNoTrend ? TextSize::Title
                                                            : TextSize::Figure;
    return m_theme.font(size, QFont::DemiBold);
}

bool KeyFigureCard::hasTrend(Look look) const
{
    return look < Look::NoTrend && !m_figure.trend.values.isEmpty();
}

bool KeyFigureCard::fits(Look look) const
{
    return QFontMetrics(fontOf(look)).horizontalAdvance(plainLine(m_figure.value, kLongestTitle))
        + (hasTrend(look) ? kGap + kSparklineWidth / 2 : 0)
        <= content().width();
}

// Title or figure are elided.
bool KeyFigureCard::isCut() const
{
    const int width = content().width();
    return QFontMetrics(figureFont(width)).horizontalAdvance(m_figure.value) > width
        || QFontMetrics(m_theme.font()).horizontalAdvance(m_figure.title) > width;
}

bool KeyFigureCard::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractButton::event(event);
    // What the card shows is not repeated.
    showTipBeside(*this, isCut() ? plainToolTip(accessibleName()) + QLatin1Char('\n') + toolTip() : toolTip());
    return true;
}

QRect KeyFigureCard::content() const
{
    const int side = m_theme.space(Space::Large);
    const int top = m_theme.space(Space::Medium);
    return rect().adjusted(side, top, -side, -top);
}

QSize KeyFigureCard::sizeHint() const
{
    const int text = lineHeight(m_theme, TextSize::Body) + lineHeight(m_theme, TextSize::Figure)
        + kDetailLines * lineHeight(m_theme, TextSize::Caption) + m_theme.space(Space::Tiny);
    return {280, text + 2 * m_theme.space(Space::Medium)};
}

QSize KeyFigureCard::minimumSizeHint() const
{
    return {140, sizeHint().height()}; // five fit in the narrowest window beside the names of the pages
}

// That of its look; a single card has the largest one in which the figure fits. A figure that is still too long is
// elided.
QFont KeyFigureCard::figureFont(int width) const
{
    if (m_look != Look::Single)
        return fontOf(m_look);
    for (const Look look : {Look::Large, Look::Small}) {
        if (const QFont font = fontOf(look); tabularWidth(font, m_figure.value) <= width)
            return font;
    }
    return fontOf(Look::SmallestNoTrend);
}

void KeyFigureCard::paintFigure(QPainter &painter, const QRect &area) const
{
    const QString value = m_figure.value.isEmpty() ? QStringLiteral("–") : plainLine(m_figure.value, kLongestTitle);
    painter.setFont(figureFont(area.width()));
    painter.setPen(m_theme.color(m_figure.value.isEmpty() ? Color::Muted : Color::Text));
    const QString shown = painter.fontMetrics().elidedText(value, Qt::ElideRight, area.width());
    painter.drawText(area, static_cast<int>(startOf(*this)) | Qt::TextSingleLine, shown);
    const int used = painter.fontMetrics().horizontalAdvance(shown) + kGap;
    const int width = std::min(kSparklineWidth, area.width() - used);
    if (width < kSparklineWidth / 2 || !hasTrend(m_look))
        return;
    const int x = isRightToLeft() ? area.left() : area.right() + 1 - width;
    paintSparkline(painter, QRectF(x, area.bottom() + 1 - kSparklineHeight, width, kSparklineHeight), m_theme,
                   m_figure.trend);
}

int KeyFigureCard::paintChange(QPainter &painter, const QRect &area) const
{
    if (m_figure.change.isEmpty())
        return 0;
    painter.setFont(m_theme.font(TextSize::Caption, QFont::DemiBold));
    painter.setPen(m_theme.color(changeColor()));
    const bool arrow =
        m_figure.direction == KeyFigure::Direction::Up || m_figure.direction == KeyFigure::Direction::Down;
    const int inset = arrow ? kArrow + kGap / 2 : 0;
    QString text = plainLine(m_figure.change, kLongestTitle);
    if (const QString word = changeWord(); !word.isEmpty())
        text += QLatin1Char(' ') + word;
    text = painter.fontMetrics().elidedText(text, Qt::ElideRight, area.width() - inset);
    const QRect rest = isRightToLeft() ? area.adjusted(0, 0, -inset, 0) : area.adjusted(inset, 0, 0, 0);
    painter.drawText(rest, static_cast<int>(startOf(*this)) | Qt::TextSingleLine, text);
    if (arrow) {
        const qreal x = isRightToLeft() ? area.right() + 1 - kArrow : area.left();
        const qreal middle = area.top() + area.height() / 2.0;
        const qreal point = m_figure.direction == KeyFigure::Direction::Up ? -kArrow / 2.0 : kArrow / 2.0;
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(painter.pen().color());
        painter.setPen(Qt::NoPen);
        painter.drawPolygon(QPolygonF() << QPointF(x, middle - point) << QPointF(x + kArrow, middle - point)
                                        << QPointF(x + kArrow / 2.0, middle + point));
        painter.restore();
    }
    return inset + painter.fontMetrics().horizontalAdvance(text) + kGap;
}

void KeyFigureCard::paintDetail(QPainter &painter, const QRect &area, int indent) const
{
    painter.setFont(m_theme.font(TextSize::Caption));
    painter.setPen(m_theme.color(Color::Muted));
    const QFontMetrics metrics = painter.fontMetrics();
    const int height = area.height() / kDetailLines;
    const QString text = plainLine(m_figure.detail);
    QTextLayout layout(text, painter.font());
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    for (int i = area.width() - indent < kLeastFirstLine ? 1 : 0; i < kDetailLines; ++i) {
        QTextLine line = layout.createLine();
        if (!line.isValid())
            break;
        const int shift = i == 0 ? indent : 0;
        line.setLineWidth(area.width() - shift);
        QString words = text.mid(line.textStart(), line.textLength());
        if (i == kDetailLines - 1)
            words = metrics.elidedText(text.mid(line.textStart()), Qt::ElideRight, area.width() - shift);
        QRect place(area.left(), area.top() + i * height, area.width(), height);
        place.adjust(isRightToLeft() ? 0 : shift, 0, isRightToLeft() ? -shift : 0, 0);
        painter.drawText(place, static_cast<int>(startOf(*this)) | Qt::TextSingleLine, words.trimmed());
    }
    layout.endLayout();
}

void KeyFigureCard::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintCard(painter, rect(), m_theme, underMouse() && isEnabled() ? Color::Outline : Color::Border);
    // After a click, a frame would look like a selection.
    if (hasFocus() && window()->testAttribute(Qt::WA_KeyboardFocusChange)) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(m_theme.color(Color::Accent), 2));
        painter.setBrush(Qt::NoBrush);
        const int radius = m_theme.radius(Radius::Card);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius, radius);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    QRect line = content();
    line.setHeight(lineHeight(m_theme, TextSize::Body));
    painter.setFont(m_theme.font());
    painter.setPen(m_theme.color(Color::Muted));
    QString title = plainLine(m_figure.title, kLongestTitle);
    if (painter.fontMetrics().horizontalAdvance(title) > line.width() && !m_figure.shortTitle.isEmpty())
        title = plainLine(m_figure.shortTitle, kLongestTitle);
    painter.drawText(line, static_cast<int>(startOf(*this)) | Qt::TextSingleLine,
                     painter.fontMetrics().elidedText(title, Qt::ElideRight, line.width()));
    line.moveTop(line.bottom() + 1);
    line.setHeight(lineHeight(m_theme, TextSize::Figure));
    paintFigure(painter, line);
    line.moveTop(line.bottom() + 1 + m_theme.space(Space::Tiny));
    line.setHeight(lineHeight(m_theme, TextSize::Caption));
    const int indent = paintChange(painter, line);
    line.setHeight(kDetailLines * line.height());
    paintDetail(painter, line, indent);
}

void KeyFigureCard::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return click();
    QAbstractButton::keyPressEvent(event);
}

void KeyFigureCard::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        describe();
    QAbstractButton::changeEvent(event);
}

} // namespace gpuledger::widgets
