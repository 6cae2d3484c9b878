// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

class QDialog;
class QFormLayout;
class QPushButton;
class QString;
class QVBoxLayout;
class QWidget;

// What the dialogs have in common: margins, a form, and the row of buttons below. GUI thread.
namespace gpuledger::ui {

QVBoxLayout *dialogLayout(QDialog &dialog, const widgets::Theme &theme);

// A form whose fields take the width; addField() names them for screen readers, too.
QFormLayout *dialogForm(const widgets::Theme &theme);
void addField(QFormLayout &form, const QString &name, QWidget *field);

// The button that Enter triggers: never one that can't be undone.
enum class DefaultButton { Cancel, Action };
// The last row of the dialog. Cancel rejects the dialog; what the other one does is up to the dialog.
void addDialogButtons(QDialog &dialog, QVBoxLayout &layout, const widgets::Theme &theme, QPushButton *cancel,
                      QPushButton *action, DefaultButton byEnter);

} // namespace gpuledger::ui
