// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/tabular.h"

#include <QFontMetricsF>

#include <algorithm>

namespace gpuledger::widgets {

namespace {

// Width of the widest digit of the script that `digit` belongs to.
qreal digitWidth(const QFontMetricsF &metrics, QChar digit)
{
    const char16_t zero = static_cast<char16_t>(digit.unicode() - digit.digitValue());
    qreal widest = 0;
    for (char16_t i = 0; i < 10; ++i)
        widest = std::max(widest, metrics.horizontalAdvance(QChar(static_cast<char16_t>(zero + i))));
    return widest;
}

// Calls back with every piece of the text and its width; returns the sum.
template <typename Callback> qreal eachPiece(const QFont &font, const QString &text, Callback callback)
{
    const QFontMetricsF metrics(font);
    qreal sum = 0;
    qreal width = 0;
    char16_t widthOf = 0; // the zero digit of the script that `width` was measured for
    for (qsizetype from = 0; from < text.size();) {
        qsizetype to = from;
        while (to < text.size() && !text.at(to).isDigit())
            ++to;
        if (to == from) {
            const char16_t zero = static_cast<char16_t>(text.at(from).unicode() - text.at(from).digitValue());
            if (zero != widthOf)
                width = digitWidth(metrics, text.at(from));
            widthOf = zero;
            ++to;
        }
        const QString piece = text.mid(from, to - from);
        const bool digit = piece.front().isDigit();
        const qreal own = metrics.horizontalAdvance(piece);
        callback(piece, digit ? (width - own) / 2 : 0.0);
        sum += digit ? width : own;
        from = to;
    }
    return sum;
}

} // namespace

qreal tabularWidth(const QFont &font, const QString &text)
{
    if (text.isRightToLeft())
        return QFontMetricsF(font).horizontalAdvance(text);
    return eachPiece(font, text, [](const QString &, qreal) {});
}

void drawTabular(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &text)
{
    const QFontMetricsF metrics(painter.font());
    const qreal width = tabularWidth(painter.font(), text);
    qreal x = rect.left();
    if (alignment & Qt::AlignRight)
        x = rect.right() - width;
    else if (alignment & Qt::AlignHCenter)
        x = rect.center().x() - width / 2;
    const qreal y = rect.center().y() + (metrics.ascent() - metrics.descent()) / 2;
    if (text.isRightToLeft())
        return painter.drawText(QPointF(x, y), text);
    eachPiece(painter.font(), text, [&, start = x](const QString &piece, qreal inset) mutable {
        painter.drawText(QPointF(start + inset, y), piece);
        start += metrics.horizontalAdvance(piece) + 2 * inset;
    });
}

} // namespace gpuledger::widgets
