// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/style.h"

#include "widgets/theme/theme.h"

#include <QPainter>
#include <QPlainTextEdit>
#include <QStyleFactory>
#include <QStyleOption>
#include <QWidget>

namespace gpuledger::widgets {

namespace {

constexpr const char *kPrimary = "gpuledgerPrimary";
constexpr int kControlHeight = 28;
constexpr int kButtonPadding = 12;
constexpr int kFieldPadding = 4;
constexpr int kScrollBarWidth = 10;
constexpr int kShortestHandle = 32;
constexpr qreal kDisabled = 0.5; // opacity

bool isPrimary(const QWidget *widget)
{
    return widget && widget->property(kPrimary).toBool();
}

// A one-pixel line lies on the centres of the edge pixels.
QRectF lineRect(const QRect &rect)
{
    return QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5);
}

} // namespace

void setPrimary(QWidget *button, bool primary)
{
    button->setProperty(kPrimary, primary);
    button->update();
}

void drawTickBox(QPainter &painter, const Theme &theme, const QRect &place, bool checked)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(checked ? Color::Accent : Color::Outline), 1));
    painter.setBrush(theme.color(checked ? Color::Accent : Color::Surface));
    painter.drawRoundedRect(QRectF(place).adjusted(.5, .5, -.5, -.5), 3, 3);
    if (checked) {
        const QPointF corner = place.topLeft();
        painter.setPen(QPen(theme.color(Color::AccentText), 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(
            QPolygonF{corner + QPointF(3.5, 7.2), corner + QPointF(6, 9.7), corner + QPointF(10.6, 4.6)});
    }
    painter.restore();
}

Style::Style(const Theme &theme)
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion")))
    , m_theme(&theme)
{
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                          const QWidget *widget) const
{
    if (!m_theme)
        return QProxyStyle::drawPrimitive(element, option, painter, widget);
    switch (element) {
    case PE_PanelButtonCommand:
        return drawButton(option, painter, widget);
    case PE_PanelButtonTool:
        return drawToolButton(option, painter);
    case PE_FrameLineEdit:
    case PE_PanelLineEdit:
        return drawField(option, painter);
    case PE_Frame:
        if (qobject_cast<const QPlainTextEdit *>(widget))
            return drawOutline(option, painter);
        return QProxyStyle::drawPrimitive(element, option, painter, widget);
    case PE_PanelScrollAreaCorner:
        return;
    case PE_FrameFocusRect:
        return drawFocus(option, painter);
    case PE_IndicatorCheckBox:
        return drawCheckBox(option, painter);
    default:
        return QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void Style::drawCheckBox(const QStyleOption *option, QPainter *painter) const
{
    painter->save();
    if (!(option->state & State_Enabled))
        painter->setOpacity(kDisabled);
    drawTickBox(*painter, *m_theme, option->rect, option->state & State_On);
    painter->restore();
}

void Style::drawButton(const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    const bool enabled = option->state & State_Enabled;
    const bool primary = enabled && isPrimary(widget);
    const bool down = option->state & (State_Sunken | State_On);
    const bool hover = enabled && (option->state & State_MouseOver);
    QColor fill = m_theme->color(primary ? Color::Accent : Color::Surface);
    QColor line = m_theme->color(primary ? Color::Accent : Color::Border);
    if (!enabled)
        fill = m_theme->color(Color::Background);
    else if (!primary && down)
        fill = m_theme->color(Color::Select);
    else if (!primary && hover)
        line = m_theme->color(Color::Outline);
    else if (primary && (down || hover))
        fill = m_theme->isDark() ? fill.lighter(110) : fill.darker(115);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(line, 1));
    painter->setBrush(fill);
    const int radius = m_theme->radius(Radius::Control);
    painter->drawRoundedRect(lineRect(option->rect), radius, radius);
    painter->restore();
}

void Style::drawToolButton(const QStyleOption *option, QPainter *painter) const
{
    const bool marked = option->state & (State_Sunken | State_On);
    if (!marked && !((option->state & State_MouseOver) && (option->state & State_Enabled)))
        return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(m_theme->color(marked ? Color::Select : Color::Background));
    const int radius = m_theme->radius(Radius::Card);
    painter->drawRoundedRect(option->rect, radius, radius);
    painter->restore();
}

void Style::drawField(const QStyleOption *option, QPainter *painter) const
{
    const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option);
    const bool framed = !frame || frame->lineWidth > 0;
    const bool focused = (option->state & State_HasFocus) && (option->state & State_Enabled);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(framed ? QPen(m_theme->color(focused ? Color::Accent : Color::Outline), 1) : QPen(Qt::NoPen));
    painter->setBrush(option->palette.brush(QPalette::Base));
    const int radius = framed ? m_theme->radius(Radius::Control) : 0;
    painter->drawRoundedRect(lineRect(option->rect), radius, radius);
    painter->restore();
}

// For a field that is already filled.
void Style::drawOutline(const QStyleOption *option, QPainter *painter) const
{
    const bool focused = (option->state & State_HasFocus) && (option->state & State_Enabled);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(m_theme->color(focused ? Color::Accent : Color::Outline), 1));
    painter->setBrush(Qt::NoBrush);
    const int radius = m_theme->radius(Radius::Control);
    painter->drawRoundedRect(lineRect(option->rect), radius, radius);
    painter->restore();
}

void Style::drawFocus(const QStyleOption *option, QPainter *painter) const
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(m_theme->color(Color::Accent), 2));
    painter->setBrush(Qt::NoBrush);
    const int radius = m_theme->radius(Radius::Control);
    painter->drawRoundedRect(QRectF(option->rect).adjusted(1, 1, -1, -1), radius, radius);
    painter->restore();
}

void Style::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                        const QWidget *widget) const
{
    const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
    if (m_theme && element == CE_PushButtonLabel && button && isPrimary(widget) && (option->state & State_Enabled)) {
        QStyleOptionButton copy(*button);
        copy.palette.setColor(QPalette::ButtonText, m_theme->color(Color::AccentText));
        painter->save();
        painter->setFont(m_theme->font(TextSize::Body, QFont::DemiBold));
        QProxyStyle::drawControl(element, &copy, painter, widget);
        painter->restore();
        return;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                               const QWidget *widget) const
{
    if (m_theme && control == CC_ScrollBar)
        return drawScrollBar(option, painter, widget);
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (m_theme && control == CC_SpinBox)
        drawOutline(option, painter);
}

void Style::drawScrollBar(const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const
{
    const QRect handle = subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, widget);
    const bool grabbed =
        (option->activeSubControls & SC_ScrollBarSlider) && (option->state & (State_Sunken | State_MouseOver));
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(m_theme->color(grabbed ? Color::Muted : Color::Outline));
    const QRectF bar = QRectF(handle).adjusted(2, 2, -2, -2);
    const qreal radius = qMin(bar.width(), bar.height()) / 2;
    painter->drawRoundedRect(bar, radius, radius);
    painter->restore();
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl part,
                            const QWidget *widget) const
{
    const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option);
    if (control != CC_ScrollBar || !bar)
        return QProxyStyle::subControlRect(control, option, part, widget);
    // Without arrow buttons, the handle uses the whole length.
    const bool across = bar->orientation == Qt::Horizontal;
    const int length = across ? bar->rect.width() : bar->rect.height();
    const qint64 range = qint64(bar->maximum) - bar->minimum;
    const int share = range > 0 ? static_cast<int>(length * qint64(bar->pageStep) / (range + bar->pageStep)) : length;
    const int handle = qBound(qMin(length, kShortestHandle), share, length);
    const int from =
        sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - handle, bar->upsideDown);
    int start = 0;
    int size = 0;
    if (part == SC_ScrollBarSlider) {
        start = from;
        size = handle;
    } else if (part == SC_ScrollBarSubPage) {
        size = from;
    } else if (part == SC_ScrollBarAddPage) {
        start = from + handle;
        size = length - start;
    } else if (part == SC_ScrollBarGroove) {
        size = length;
    }
    const QRect place = across ? QRect(start, 0, size, bar->rect.height()) : QRect(0, start, bar->rect.width(), size);
    return visualRect(bar->direction, bar->rect, place.translated(bar->rect.topLeft()));
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    switch (metric) {
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
        return 0;
    case PM_ScrollBarExtent:
        return kScrollBarWidth;
    case PM_FocusFrameHMargin:
    case PM_FocusFrameVMargin:
        return 1;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                              const QWidget *widget) const
{
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    if (type == CT_PushButton || type == CT_LineEdit || type == CT_ComboBox)
        result.setHeight(qMax(kControlHeight, result.height()));
    if (type == CT_PushButton)
        result.setWidth(qMax(result.width(), size.width() + 2 * kButtonPadding));
    return result;
}

QRect Style::subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const
{
    const QRect rect = QProxyStyle::subElementRect(element, option, widget);
    return element == SE_LineEditContents ? rect.adjusted(kFieldPadding, 0, -kFieldPadding, 0) : rect;
}

int Style::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget, QStyleHintReturn *data) const
{
    if (hint == SH_EtchDisabledText)
        return 0;
    return QProxyStyle::styleHint(hint, option, widget, data);
}

} // namespace gpuledger::widgets
