// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QString>

#include <vector>

class QFormLayout;
class QLabel;
class QWidget;

// Rows of forms that come and go, and what is wrong in one. GUI thread.
namespace gpuledger::ui {

struct FormRow {
    QWidget *field; // in the form
    bool isShown;
};
// Shows and hides rows of a form. One call for all that come and go together: a QFormLayout (Qt 6.4) gives no height to
// rows that take the place of later ones.
void showRows(QFormLayout &form, const std::vector<FormRow> &rows);

// `field` with a hidden line below it that tells what is wrong with it.
struct FieldWithProblem {
    QWidget *whole;
    QLabel *problem;
};
FieldWithProblem withProblem(const widgets::Theme &theme, QWidget *field);
// Shows `text` there, or nothing; a screen reader hears it at the field, else `help`.
void showProblemAt(QWidget &field, QLabel &problem, const QString &text, const QString &help);

} // namespace gpuledger::ui
