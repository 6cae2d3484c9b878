// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/alerts/alertsviewmodel.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QPushButton;

namespace gpuledger::ui {

class AlertList;

// Delivery and history: messages with what could not be delivered, targets, silences, and every change of state. Owned
// by its parent; the view model must outlive it; GUI thread.
class DeliveryPanel : public QWidget {
    Q_OBJECT
public:
    DeliveryPanel(const widgets::Theme &theme, AlertsViewModel &model, QWidget *parent = nullptr);

    AlertList *messages() const { return m_messages; }
    AlertList *targets() const { return m_targets; }
    AlertList *silences() const { return m_silences; }
    AlertList *changes() const { return m_changes; }

private:
    void showAll();
    void showButtons();

    AlertsViewModel &m_model;
    AlertList *m_messages, *m_targets, *m_changes, *m_silences;
    QPushButton *m_retry, *m_drop, *m_test, *m_end;
};

} // namespace gpuledger::ui
