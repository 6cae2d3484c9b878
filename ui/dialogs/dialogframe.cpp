// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/dialogframe.h"

#include <QDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace gpuledger::ui {

using widgets::Space;

QVBoxLayout *dialogLayout(QDialog &dialog, const widgets::Theme &theme)
{
    auto *layout = new QVBoxLayout(&dialog);
    const int side = theme.space(Space::Large);
    layout->setContentsMargins(side, side, side, side);
    layout->setSpacing(theme.space(Space::Medium));
    return layout;
}

QFormLayout *dialogForm(const widgets::Theme &theme)
{
    auto *form = new QFormLayout;
    form->setSpacing(theme.space(Space::Small));
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    return form;
}

void addField(QFormLayout &form, const QString &name, QWidget *field)
{
    field->setAccessibleName(name);
    form.addRow(name, field);
}

void addDialogButtons(QDialog &dialog, QVBoxLayout &layout, const widgets::Theme &theme, QPushButton *cancel,
                      QPushButton *action, DefaultButton byEnter)
{
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(theme.space(Space::Small));
    const bool isCancel = byEnter == DefaultButton::Cancel;
    (isCancel ? cancel : action)->setDefault(true);
    (isCancel ? action : cancel)->setAutoDefault(false);
    widgets::setPrimary(action);
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(action);
    layout.addLayout(buttons);
    QObject::connect(cancel, &QPushButton::clicked, &dialog, &QDialog::reject);
}

} // namespace gpuledger::ui
