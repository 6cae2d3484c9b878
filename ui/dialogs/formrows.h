// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QString>

#include <vector>

class QFormLayout;
class QLabel;
class QLineEdit;
class QWidget;

// Form rows that appear and disappear, and the errors in a form. GUI thread.
namespace gpuledger::ui {

// A row of a form, and whether it is to be shown.
struct FormRow {
    QWidget *field; // in the form
    bool isShown;
};
// Shows and hides rows of a form. Use one call for all rows that change together: a QFormLayout (Qt 6.4) gives no
// height to rows that replace later ones.
void showRows(QFormLayout &form, const std::vector<FormRow> &rows);

// A line to be typed in; the name is that of its row, the help is its tool tip.
QLineEdit *formField(const QString &name, const QString &example, const QString &help);

// `field` with a hidden line below it for an error message.
struct FieldWithProblem {
    QWidget *whole;
    QLabel *problem;
};
FieldWithProblem withProblem(const widgets::Theme &theme, QWidget *field);
// Shows `text` there, or nothing; a screen reader reads it with the field, or else `help`.
void showProblemAt(QWidget &field, QLabel &problem, const QString &text, const QString &help);

} // namespace gpuledger::ui
