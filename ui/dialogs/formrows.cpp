// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/formrows.h"

#include "widgets/state/plaintext.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include <algorithm>

namespace gpuledger::ui {

using widgets::Space;

namespace {

constexpr int kLongestField = 2048;

} // namespace

void showRows(QFormLayout &form, const std::vector<FormRow> &rows)
{
    if (std::all_of(rows.begin(), rows.end(),
                    [&](const FormRow &row) { return form.isRowVisible(row.field) == row.isShown; }))
        return;
    // A hidden row keeps its last position and takes the height of the row that is there now. Showing all rows once
    // moves the positions of hidden rows below those of the rows above them. With a row like a wrapped label among
    // them, the layout gets room for the data of all rows: it writes those of hidden ones, too, once a label of the
    // form is wrapped.
    QWidget *page = form.parentWidget();
    QLayout *window = page->window()->layout(); // would make room for all of them
    page->setUpdatesEnabled(false);
    if (window)
        window->setEnabled(false);
    for (const FormRow &row : rows)
        form.setRowVisible(row.field, true);
    QSizePolicy asWrapped;
    asWrapped.setHeightForWidth(true);
    auto *wrapped = new QWidget;
    wrapped->setSizePolicy(asWrapped);
    form.addRow(wrapped);
    form.activate();
    form.removeRow(wrapped);
    for (const FormRow &row : rows)
        form.setRowVisible(row.field, row.isShown);
    form.activate();
    if (window) {
        window->setEnabled(true);
        window->invalidate();
    }
    page->setUpdatesEnabled(true);
}

QLineEdit *formField(const QString &name, const QString &example, const QString &help)
{
    auto *edit = new QLineEdit;
    edit->setMaxLength(kLongestField);
    edit->setPlaceholderText(example);
    edit->setAccessibleName(name);
    edit->setAccessibleDescription(help);
    edit->setToolTip(widgets::plainToolTip(help));
    return edit;
}

FieldWithProblem withProblem(const widgets::Theme &theme, QWidget *field)
{
    auto *whole = new QWidget;
    auto *layout = new QVBoxLayout(whole);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Tiny));
    QLabel *problem =
        widgets::plainLabel(theme, {}, widgets::TextSize::Caption, widgets::Color::Critical, QFont::Normal, whole);
    problem->setWordWrap(true);
    problem->hide();
    layout->addWidget(field);
    layout->addWidget(problem);
    return {whole, problem};
}

void showProblemAt(QWidget &field, QLabel &problem, const QString &text, const QString &help)
{
    problem.setText(widgets::plainLine(text));
    problem.setVisible(!text.isEmpty());
    field.setAccessibleDescription(text.isEmpty() ? help : text);
}

} // namespace gpuledger::ui
