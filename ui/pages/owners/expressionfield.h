// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/device/deviceviewmodel.h"
#include "widgets/cards/card.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace gpuledger::ui {

// Where a PromQL expression is typed or pasted; what the server says against it stands below. Hidden until opened.
// Owned by its parent; GUI thread.
class ExpressionField : public widgets::Card {
    Q_OBJECT
public:
    // The model must outlive it.
    ExpressionField(const widgets::Theme &theme, DeviceViewModel &model, QWidget *parent = nullptr);

    void open();
    void close();

Q_SIGNALS:
    void closed(); // by its button or because the expression was taken

private:
    void showDraft();

    DeviceViewModel &m_model;
    QLineEdit *m_edit;
    QPushButton *m_add;
    QPushButton *m_cancel;
    QLabel *m_hint;
    QLabel *m_error;
};

} // namespace gpuledger::ui
