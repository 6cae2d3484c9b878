// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/state/skeleton.h"

#include <QPainter>
#include <QStyle>

#include <array>

namespace gpuledger::widgets {

namespace {

constexpr int kHeading = 18, kHeadingWidth = 220;
constexpr int kRow = 38, kLine = 14; // heights
constexpr int kRows = 8;

} // namespace

Skeleton::Skeleton(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setAccessibleName(tr("Loading", "state of a page"));
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void Skeleton::setShape(Shape shape)
{
    m_shape = shape;
    update();
}

void Skeleton::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    QColor block = m_theme.color(Color::Border);
    block.setAlphaF(0.6F);
    painter.setBrush(block);
    const int radius = m_theme.radius(Radius::Control);
    const int gap = m_theme.space(Space::Medium);
    const QRect area = rect().adjusted(gap, gap, -gap, -gap);
    for (const QRect &place : blocks(area))
        painter.drawRoundedRect(QStyle::visualRect(layoutDirection(), area, place), radius, radius);
}

QList<QRect> Skeleton::blocks(const QRect &area) const
{
    switch (m_shape) {
    case Shape::Matrix:
        return matrix(area);
    case Shape::Table:
        return table(area);
    case Shape::Document:
        break;
    }
    return document(area);
}

QList<QRect> Skeleton::matrix(const QRect &area) const
{
    const int gap = m_theme.space(Space::Medium);
    QList<QRect> out{{area.x(), area.y(), qMin(kHeadingWidth, area.width()), kHeading}};
    const int label = qMin(96, area.width() / 4);
    const int top = area.y() + kHeading + 2 * gap;
    for (int y = top, row = 0; y + kRow <= area.bottom() && row < kRows; y += kRow + 3, ++row) {
        const int width = label - (row * 23) % 40; // names vary in length
        out << QRect(area.x() + label - width, y + 12, width, kRow - 24)
            << QRect(area.x() + label + gap, y, area.width() - label - gap, kRow);
    }
    return out;
}

QList<QRect> Skeleton::table(const QRect &area) const
{
    const int gap = m_theme.space(Space::Large);
    const int list = area.width() * 2 / 3, side = area.x() + list + gap;
    QList<QRect> out{{area.x(), area.y(), qMin(kHeadingWidth, list), kHeading},
                     {side, area.y(), qMin(kHeadingWidth, area.right() - side), kHeading}};
    const int top = area.y() + kHeading + gap;
    constexpr std::array kCells{0.0, 0.18, 0.3, 0.72, 1.0}; // where they begin, of the width
    for (int y = top, row = 0; y + kLine <= area.bottom() && row < kRows; y += kLine + gap, ++row) {
        for (std::size_t i = 0; i + 1 < kCells.size(); ++i) {
            const int room = static_cast<int>((kCells[i + 1] - kCells[i]) * list) - gap;
            out << QRect(area.x() + static_cast<int>(kCells[i] * list), y, room - (row * 37 + 11) % qMax(1, room / 3),
                         kLine);
        }
        if (row < kRows / 2)
            out << QRect(side, y, area.right() - side - (row * 53) % qMax(1, (area.right() - side) / 2), kLine);
    }
    return out;
}

QList<QRect> Skeleton::document(const QRect &area) const
{
    const int gap = m_theme.space(Space::Large);
    const int list = area.width() / 3, page = area.x() + list + 2 * gap, room = area.right() - page;
    QList<QRect> out{{area.x(), area.y(), list, kHeading},
                     {page, area.y() + 2 * gap, qMin(kHeadingWidth * 3 / 2, room / 2), kHeading},
                     {page, area.y() + 3 * gap + kHeading, qMin(kHeadingWidth, room / 3), kLine},
                     {area.right() - room / 4, area.y() + 2 * gap, room / 4, 2 * kHeading}};
    int y = area.y() + kHeading + gap;
    for (int row = 0; y + kLine <= area.bottom() && row < kRows; y += kLine + gap, ++row) {
        const int figure = list / 4;
        out << QRect(area.x(), y, list - figure - gap - (row * 23) % qMax(1, list / 4), kLine)
            << QRect(area.x() + list - figure, y, figure, kLine);
    }
    y = area.y() + 4 * gap + 3 * kHeading;
    for (int row = 0; y + kLine <= area.bottom() && row < kRows; y += kLine + gap, ++row) {
        const int figure = room / 8;
        out << QRect(page, y, room / 3 - (row * 31) % qMax(1, room / 8), kLine);
        for (int column = 1; column <= 3; ++column)
            out << QRect(area.right() - column * (figure + gap) + gap, y, figure, kLine);
    }
    return out;
}

} // namespace gpuledger::widgets
