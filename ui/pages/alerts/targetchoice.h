// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"
#include "ui/viewmodels/alerts/alertsdesk.h"
#include "widgets/theme/theme.h"

#include <QWidget>

#include <string>

class QLabel;
class QPushButton;

namespace gpuledger::ui {

// Whom the alerts of a rule are told to: its own targets, which are chosen here, and those of routes. GUI thread.
class TargetChoice : public QWidget {
    Q_OBJECT
public:
    explicit TargetChoice(const widgets::Theme &theme, QWidget *parent = nullptr);
    QPushButton *button() const { return m_button; }
    void setRule(const AlertsSnapshot &snapshot, const model::AlertRule &rule);

Q_SIGNALS:
    void toggled(const std::string &target, bool isOn);

private:
    void showTargets(const std::vector<AlertsSnapshot::Target> &targets, const model::AlertRule &rule);

    QPushButton *m_button = nullptr;
    QLabel *m_routed = nullptr;
};

} // namespace gpuledger::ui
