// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/sharing/sharing.h"
#include "app/reports/statement/statement.h"
#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/sources/configurationsaver.h"
#include "ui/viewmodels/tables/tablemodel.h"
#include "widgets/theme/theme.h"

#include <QDialog>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace gpuledger::services {
class BillingService;
class ConfigService;
class SourceService;
} // namespace gpuledger::services
namespace gpuledger::widgets {
class DataTable;
class StatePanel;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

// The rules for who pays for shared and idle cost: what they would charge each team for a month, and applying them,
// which writes the configuration. Nothing changes before that. Deletes itself when closed. GUI thread.
class SharingDialog : public QDialog {
    Q_OBJECT
public:
    struct Context { // must outlive the dialog
        const widgets::Theme &theme;
        services::ConfigService &config;
        services::SourceService &sources;
        services::BillingService &billing;
        TaskRunner &tasks;
        SyncController &sync;
        std::filesystem::path configFile; // empty: nothing can be applied
    };
    SharingDialog(Context context, const insight::Month &month, reports::CostView view, QWidget *parent = nullptr);

    bool settled() const { return !m_asker.isAsking(); }

Q_SIGNALS:
    void applied();

private:
    QFormLayout *fields();
    void ask();
    void showAnswer();
    void showButtons();
    void apply();
    std::optional<reports::SharingRules> rules() const; // std::nullopt: the weights cannot be parsed

    const Context m_context;
    const insight::Month m_month;
    const reports::CostView m_view;
    const model::Settings m_before; // the configuration when it was opened
    TableModel m_rows;
    LatestQuery<reports::Statement> m_asker;
    ConfigurationSaver m_saver;
    QComboBox *m_shared, *m_idle;
    QLineEdit *m_weights;
    QLabel *m_hint;
    QPushButton *m_apply;
    widgets::DataTable *m_table;
    widgets::StatePanel *m_panel;
};

} // namespace gpuledger::ui
