// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table/tableheader.h"

#include "widgets/state/plaintext.h"
#include "widgets/table/tabledelegate.h"
#include "widgets/table/tabletext.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

namespace gpuledger::widgets {

namespace {

constexpr int kMarkWidth = 7;
constexpr int kMarkGap = 4;
constexpr int kRounding = 2; // eliding measures in fractions of a pixel

} // namespace

void paintTriangle(QPainter &painter, const QRectF &place, Pointing pointing, Qt::LayoutDirection direction,
                   const QColor &color)
{
    const QPointF middle = place.center();
    const qreal half = place.width() / 2;
    QPolygonF shape;
    if (pointing == Pointing::Onwards) {
        const qreal tip = direction == Qt::RightToLeft ? -half : half;
        shape << QPointF(middle.x() - tip * .7, middle.y() - half) << QPointF(middle.x() - tip * .7, middle.y() + half)
              << QPointF(middle.x() + tip * .7, middle.y());
    } else {
        const qreal tip = pointing == Pointing::Down ? half : -half;
        shape << QPointF(middle.x() - half, middle.y() - tip * .6) << QPointF(middle.x() + half, middle.y() - tip * .6)
              << QPointF(middle.x(), middle.y() + tip * .7);
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(shape);
    painter.restore();
}

TableHeader::TableHeader(const Theme &theme, QWidget *parent)
    : QHeaderView(Qt::Horizontal, parent)
    , m_theme(theme)
{
    setSectionsMovable(true);
    setFirstSectionMovable(false);
    setStretchLastSection(false);
    setHighlightSections(false);
    setMinimumSectionSize(32);
    const auto dress = [this] {
        setFont(m_theme.font(TextSize::Caption, QFont::Medium));
        viewport()->update();
    };
    connect(&theme, &Theme::changed, this, dress);
    dress();
}

void TableHeader::setMark(int column, Qt::SortOrder order)
{
    m_column = column;
    m_order = order;
    viewport()->update();
}

int TableHeader::titleWidth(int column) const
{
    const QString title = shownLine(model()->headerData(column, Qt::Horizontal).toString());
    return QFontMetrics(m_theme.font(TextSize::Caption, QFont::DemiBold)).horizontalAdvance(title) + kRounding
        + 2 * TableDelegate::kPadding + kMarkGap + kMarkWidth;
}

QSize TableHeader::sizeHint() const
{
    return {QHeaderView::sizeHint().width(), kHeight};
}

void TableHeader::paintSection(QPainter *painter, const QRect &rect, int column) const
{
    if (!rect.isValid())
        return;
    painter->fillRect(rect, m_theme.color(Color::Surface));
    painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), m_theme.color(Color::Border));
    const bool sorts = column == m_column;
    const bool figure = model()->headerData(column, Qt::Horizontal, kFigureRole).toBool();
    const QRect content = rect.adjusted(TableDelegate::kPadding, 0, -TableDelegate::kPadding, 0);
    const int mark = sorts ? kMarkGap + kMarkWidth : 0;
    const QString title = shownLine(model()->headerData(column, Qt::Horizontal).toString());
    const QFont font = m_theme.font(TextSize::Caption, sorts ? QFont::DemiBold : QFont::Medium);
    const QFontMetrics metrics(font);
    const QString words = metrics.elidedText(title, Qt::ElideRight, content.width() - mark);
    const int width = std::min(metrics.horizontalAdvance(words) + 1, content.width() - mark);
    const int left = figure ? content.right() + 1 - mark - width : content.left();
    painter->setFont(font);
    painter->setPen(m_theme.color(sorts ? Color::Text : Color::Muted));
    const QRect place = QStyle::visualRect(layoutDirection(), rect, QRect(left, rect.top(), width, rect.height()));
    painter->drawText(place, Qt::AlignVCenter | Qt::AlignLeft | Qt::AlignAbsolute | Qt::TextSingleLine, words);
    if (!sorts)
        return;
    const QRect arrow =
        QStyle::visualRect(layoutDirection(), rect,
                           QRect(left + width + kMarkGap, rect.center().y() - kMarkWidth / 2, kMarkWidth, kMarkWidth));
    paintTriangle(*painter, arrow, m_order == Qt::DescendingOrder ? Pointing::Down : Pointing::Up, layoutDirection(),
                  m_theme.color(Color::Text));
}

void TableHeader::paintEvent(QPaintEvent *event)
{
    QHeaderView::paintEvent(event);
    const QRect all = viewport()->rect();
    // The area without columns.
    const QRect beyond = QStyle::visualRect(layoutDirection(), all, all.adjusted(length() - offset(), 0, 0, 0));
    if (beyond.width() <= 0)
        return;
    QPainter painter(viewport());
    painter.fillRect(beyond, m_theme.color(Color::Surface));
    painter.fillRect(QRect(beyond.left(), beyond.bottom(), beyond.width(), 1), m_theme.color(Color::Border));
}

bool TableHeader::viewportEvent(QEvent *event)
{
    if (event->type() != QEvent::ToolTip || !model())
        return QHeaderView::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const int column = logicalIndexAt(help->pos());
    if (column < 0)
        return true;
    QStringList lines;
    if (titleWidth(column) > sectionSize(column))
        lines << tipLines(model()->headerData(column, Qt::Horizontal).toString());
    if (const QString tip = model()->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString(); !tip.isEmpty())
        lines << tipLines(tip);
    QToolTip::showText(help->globalPos(), plainToolTip(lines.join(QLatin1Char('\n'))), this);
    return true;
}

} // namespace gpuledger::widgets
