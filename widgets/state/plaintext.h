// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QMessageBox>
#include <QString>

class QLabel;
class QWidget;

// Names of teams, workloads and servers are external input and may look like HTML. All widgets that show them are
// created here, so that they are treated as plain text. The parent owns what is created; GUI thread.
namespace gpuledger::widgets {

// A label that never interprets its text.
QLabel *plainLabel(const QString &text, QWidget *parent = nullptr);

// The same with a colour token and a text size; follows the theme.
QLabel *plainLabel(const Theme &theme, const QString &text, TextSize size, Color color = Color::Text,
                   QFont::Weight weight = QFont::Normal, QWidget *parent = nullptr);

// Fixes the height of a label that wraps its lines to what its text needs at a width, in pixels.
void fitHeight(QLabel &label, int width);

// For setToolTip(): a tooltip detects HTML on its own, so the text is escaped.
QString plainToolTip(const QString &text);

// The text on one line, for painters and item views: white space and control characters become single spaces,
// bidirectional control characters are removed, and text longer than `longest` characters ends with an ellipsis.
QString plainLine(const QString &text, int longest = 500);

// A message box (not shown yet) whose three texts are plain.
QMessageBox *plainMessageBox(QMessageBox::Icon icon, const QString &title, const QString &text, const QString &remedy,
                             QWidget *parent);

} // namespace gpuledger::widgets
