// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/formrows.h"

#include "widgets/state/plaintext.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace gpuledger::ui {

using widgets::Space;

namespace {

constexpr int kLongestField = 2048;

} // namespace

void showRows(QFormLayout &form, const std::vector<FormRow> &rows)
{
    for (const FormRow &row : rows) {
        if (QWidget *label = form.labelForField(row.field))
            label->setVisible(row.isShown);
        row.field->setVisible(row.isShown);
    }
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
