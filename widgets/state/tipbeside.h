// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <Qt>

class QWidget;

namespace gpuledger::widgets {

// Shows a tool tip beside a widget, not over it: below it, or, for Qt::Horizontal, after it. `text` is made by
// plainToolTip(). GUI thread.
void showTipBeside(QWidget &widget, const QString &text, Qt::Orientation direction = Qt::Vertical);
// Does so with the widget's own tool tip whenever it is due, wherever the mouse is.
void placeTipBeside(QWidget &widget, Qt::Orientation direction = Qt::Vertical);

} // namespace gpuledger::widgets
