// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPainter>
#include <QRectF>
#include <QString>

// Figures under each other: every digit gets the width of the widest one. Qt 6.4 cannot switch a font's own tabular
// digits on, and those of Inter are proportional. GUI thread.
namespace gpuledger::widgets {

qreal tabularWidth(const QFont &font, const QString &text);

// One line in the painter's font and pen, vertically in the middle. Left and right are meant absolutely. The text is
// neither cut nor elided; one with letters written from right to left is drawn as the font has it.
void drawTabular(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &text);

} // namespace gpuledger::widgets
