// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/device/deviceviewmodel.h"
#include "widgets/cards/card.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace gpuledger::ui {

// The field for typing or pasting a PromQL expression; the server's objections are shown below it. Hidden until opened.
// Owned by its parent; GUI thread.
class ExpressionField : public widgets::Card {
    Q_OBJECT
public:
    // The model must outlive it.
    ExpressionField(const widgets::Theme &theme, DeviceViewModel &model, QWidget *parent = nullptr);

    void open();
    void close();

Q_SIGNALS:
    void closed(); // by its button, or because the expression was accepted

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
