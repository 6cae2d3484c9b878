// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inputs/weekgrid.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace gpuledger::widgets {

namespace {

constexpr int kCellWidth = 16, kCellHeight = 22;
constexpr int kHeadGap = 6;
constexpr int kHourStep = 6; // hours between two labels
constexpr int kWeek = WeekGrid::kDays * WeekGrid::kHours;

QString clock(int hour)
{
    return QStringLiteral("%1:00").arg(hour, 2, 10, QLatin1Char('0'));
}

std::size_t bitOf(int hour)
{
    return static_cast<std::size_t>(hour);
}

} // namespace

WeekGrid::WeekGrid(const Theme &theme, const QString &name, const QString &onName, const QString &offName,
                   QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_onName(onName)
    , m_offName(offName)
{
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
    describe();
}

void WeekGrid::setHours(const Hours &hours)
{
    m_hours = hours;
    describe();
    update();
}

QString WeekGrid::hourText(int hour) const
{
    const int ofDay = hour % kHours;
    return tr("%1 %2–%3: %4", "day of the week, from, to, what the hour is")
        .arg(QLocale().standaloneDayName(hour / kHours + 1), clock(ofDay), clock(ofDay + 1),
             m_hours[bitOf(hour)] ? m_onName : m_offName);
}

int WeekGrid::headWidth() const
{
    const QFontMetrics metrics(m_theme.font(TextSize::Caption));
    int widest = 0;
    for (int day = 1; day <= kDays; ++day)
        widest = std::max(widest, metrics.horizontalAdvance(QLocale().standaloneDayName(day, QLocale::ShortFormat)));
    return widest + kHeadGap;
}

int WeekGrid::headHeight() const
{
    return QFontMetrics(m_theme.font(TextSize::Caption)).height() + kHeadGap / 2;
}

QSize WeekGrid::sizeHint() const
{
    return {headWidth() + kHours * kCellWidth + 1, headHeight() + kDays * kCellHeight + 1};
}

// Time runs from left to right in every language, as in the heat map.
QRect WeekGrid::cellRect(int hour) const
{
    return {headWidth() + hour % kHours * kCellWidth, headHeight() + hour / kHours * kCellHeight, kCellWidth,
            kCellHeight};
}

int WeekGrid::hourAt(const QPoint &position) const
{
    const QPoint inside = position - QPoint(headWidth(), headHeight());
    if (inside.x() < 0 || inside.y() < 0)
        return -1;
    const int column = inside.x() / kCellWidth, day = inside.y() / kCellHeight;
    return column < kHours && day < kDays ? day * kHours + column : -1;
}

void WeekGrid::moveTo(int hour)
{
    m_current = std::clamp(hour, 0, kWeek - 1);
    describe();
    update();
}

void WeekGrid::describe()
{
    setAccessibleDescription(hourText(m_current));
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

void WeekGrid::keyPressEvent(QKeyEvent *event)
{
    const int day = m_current / kHours, ofDay = m_current % kHours;
    switch (event->key()) {
    case Qt::Key_Left:
        return moveTo(ofDay > 0 ? m_current - 1 : m_current);
    case Qt::Key_Right:
        return moveTo(ofDay < kHours - 1 ? m_current + 1 : m_current);
    case Qt::Key_Up:
        return moveTo(day > 0 ? m_current - kHours : m_current);
    case Qt::Key_Down:
        return moveTo(day < kDays - 1 ? m_current + kHours : m_current);
    case Qt::Key_Home:
        return moveTo(day * kHours);
    case Qt::Key_End:
        return moveTo(day * kHours + kHours - 1);
    case Qt::Key_Space:
        m_hours.flip(bitOf(m_current));
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter: {
        const bool on = !m_hours[bitOf(m_current)];
        for (int hour = day * kHours; hour < (day + 1) * kHours; ++hour)
            m_hours.set(bitOf(hour), on);
        break;
    }
    default:
        return QWidget::keyPressEvent(event);
    }
    moveTo(m_current);
    Q_EMIT painted(m_hours);
}

void WeekGrid::mousePressEvent(QMouseEvent *event)
{
    const int hour = hourAt(event->position().toPoint());
    if (event->button() != Qt::LeftButton || hour < 0)
        return QWidget::mousePressEvent(event);
    m_isPainting = true;
    m_paintsOn = !m_hours[bitOf(hour)];
    m_hours.set(bitOf(hour), m_paintsOn);
    moveTo(hour);
}

void WeekGrid::mouseMoveEvent(QMouseEvent *event)
{
    const int hour = hourAt(event->position().toPoint());
    if (!m_isPainting || hour < 0)
        return;
    m_hours.set(bitOf(hour), m_paintsOn);
    moveTo(hour);
}

void WeekGrid::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_isPainting)
        return QWidget::mouseReleaseEvent(event);
    m_isPainting = false;
    Q_EMIT painted(m_hours);
}

void WeekGrid::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    update();
}

void WeekGrid::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    update();
}

void WeekGrid::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setFont(m_theme.font(TextSize::Caption));
    painter.setPen(m_theme.color(Color::Muted));
    for (int hour = 0; hour < kHours; hour += kHourStep)
        painter.drawText(QRect(cellRect(hour).left(), 0, kHourStep * kCellWidth, headHeight()),
                         static_cast<int>(Qt::AlignLeft | Qt::AlignTop | Qt::TextSingleLine), clock(hour));
    for (int day = 0; day < kDays; ++day) {
        const QRect first = cellRect(day * kHours);
        painter.drawText(QRect(0, first.top(), headWidth() - kHeadGap, kCellHeight),
                         static_cast<int>(Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine),
                         QLocale().standaloneDayName(day + 1, QLocale::ShortFormat));
    }
    for (int hour = 0; hour < kWeek; ++hour) {
        const QRect cell = cellRect(hour);
        painter.fillRect(cell.adjusted(1, 1, 0, 0),
                         m_theme.color(m_hours[bitOf(hour)] ? Color::Active : Color::Background));
        // A stroke too, because colour is never the only signal.
        if (m_hours[bitOf(hour)]) {
            painter.setPen(QPen(m_theme.color(Color::Surface), 1.5));
            painter.drawLine(cell.adjusted(5, 6, -4, -5).bottomLeft(), cell.adjusted(5, 6, -4, -5).topRight());
        }
    }
    painter.setPen(QPen(m_theme.color(hasFocus() ? Color::Accent : Color::Outline), hasFocus() ? 2 : 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(cellRect(m_current).adjusted(1, 1, -1, -1));
}

} // namespace gpuledger::widgets
