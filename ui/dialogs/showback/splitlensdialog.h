// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/statement/splitlens.h"
#include "app/reports/statement/statement.h"
#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/tables/tablemodel.h"
#include "widgets/theme/theme.h"

#include <QDialog>

class QLabel;

namespace gpuledger::services {
class SpendService;
}
namespace gpuledger::widgets {
class DataTable;
class SegmentedSwitch;
class StatePanel;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

// A comparison of what each team would be charged for the GPU machines of a month under every split policy, as amounts
// or as the difference from the policy of the statements. Starts its query when opened; changes nothing. Deletes itself
// when closed. GUI thread.
class SplitLensDialog : public QDialog {
    Q_OBJECT
public:
    // `spend` and `tasks` must outlive it.
    SplitLensDialog(const widgets::Theme &theme, services::SpendService &spend, TaskRunner &tasks,
                    const insight::Month &month, reports::CostView view, QWidget *parent = nullptr);

    bool settled() const { return !m_asker.isAsking(); }

private:
    void ask();
    void showAnswer();
    QWidget *content();

    const widgets::Theme &m_theme;
    services::SpendService &m_spend;
    const insight::Month m_month;
    const reports::CostView m_view;
    TableModel m_rows;
    LatestQuery<reports::SplitLens> m_asker;
    widgets::StatePanel *m_panel = nullptr;
    widgets::SegmentedSwitch *m_figures = nullptr;
    widgets::DataTable *m_table = nullptr;
    QLabel *m_notes = nullptr;
};

} // namespace gpuledger::ui
