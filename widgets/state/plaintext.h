// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QMessageBox>
#include <QString>

class QLabel;
class QWidget;

// Names of teams, workloads and servers come from outside and may look like HTML. Everything that shows them is made
// here, so that it is text. The parent owns what is made; GUI thread.
namespace gpuledger::widgets {

// A label that never interprets its text.
QLabel *plainLabel(const QString &text, QWidget *parent = nullptr);

// The same in a token's colour and one of the sizes; follows the theme.
QLabel *plainLabel(const Theme &theme, const QString &text, TextSize size, Color color = Color::Text,
                   QFont::Weight weight = QFont::Normal, QWidget *parent = nullptr);

// For setToolTip(): a tool tip decides by itself whether a text is HTML, so the text is escaped.
QString plainToolTip(const QString &text);

// The text on one line, for painters and item views: white space and control characters become single spaces, marks
// that turn the direction of writing are gone, and what is longer than `longest` letters ends with an ellipsis.
QString plainLine(const QString &text, int longest = 500);

// A message box (not shown yet) whose three texts are plain.
QMessageBox *plainMessageBox(QMessageBox::Icon icon, const QString &title, const QString &text, const QString &remedy,
                             QWidget *parent);

} // namespace gpuledger::widgets
