// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/idle/idleviewmodel.h"
#include "widgets/theme/theme.h"

#include <QCoreApplication>
#include <QWidget>

class QLabel;
class QPushButton;

namespace gpuledger::services {
class ConfigService;
}
namespace gpuledger::widgets {
class DataTable;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

// Below the idle list: what the ticked workloads cost together, and what can be done with them. It clears the ticks,
// copies and exports the list itself. Its arguments must outlive it; GUI thread.
class IdleSelectionBar : public QWidget {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::IdlePage)
public:
    IdleSelectionBar(const widgets::Theme &theme, const services::ConfigService &config, IdleViewModel &model,
                     widgets::DataTable &table, QWidget *parent = nullptr);

    struct Stopping {
        bool isOffered = false, isBusy = false;
        QString whyNot; // empty: it is possible
    };
    void showTotals(const Stopping &stopping);
    QString totalsText(const IdleTotals &totals) const; // "8 GPUs; stopping saves 1,200, up to 8,760 USD a month"
    QPushButton *ruleButton() const { return m_rule; }
    QPushButton *stopButton() const { return m_stop; }

private:
    void copyList();

    const services::ConfigService &m_config;
    IdleViewModel &m_model;
    widgets::DataTable &m_table;
    QLabel *m_selected = nullptr, *m_selectedTotals = nullptr;
    QPushButton *m_clear = nullptr, *m_copy = nullptr, *m_stop = nullptr, *m_rule = nullptr;
};

} // namespace gpuledger::ui
