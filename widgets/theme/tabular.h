// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPainter>
#include <QRectF>
#include <QString>

// Tabular figures: every digit gets the width of the widest one. Qt 6.4 cannot enable a font's own tabular digits, and
// those of Inter are proportional. GUI thread.
namespace gpuledger::widgets {

qreal tabularWidth(const QFont &font, const QString &text);

// Draws one line in the painter's font and pen, vertically centred. Left and right are absolute. The text is neither
// clipped nor elided; text with right-to-left letters is drawn as the font has it.
void drawTabular(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &text);

} // namespace gpuledger::widgets
