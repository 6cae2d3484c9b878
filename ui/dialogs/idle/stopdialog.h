// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/activity/actioncontroller.h"
#include "ui/viewmodels/activity/stoptable.h"
#include "ui/viewmodels/tables/tablemodel.h"
#include "widgets/theme/theme.h"

#include <QDialog>

class QGridLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace gpuledger::services {
class ConfigService;
}
namespace gpuledger::widgets {
class DataTable;
}

namespace gpuledger::ui {

class TypedConsent;

// The confirmation of a stop: every check run against the live sources; what each stop loses and how it is undone; a
// reason, and the button that states the verb and the number. It stops nothing itself. Opened without blocking; deletes
// itself when closed. GUI thread.
class StopDialog : public QDialog {
    Q_OBJECT
public:
    struct Context { // must outlive the dialog
        const widgets::Theme &theme;
        const services::ConfigService &config;
        ActionController &actions;
    };
    StopDialog(const Context &context, std::vector<insight::IdleItem> chosen, QWidget *parent = nullptr);

    bool settled() const { return m_plan || m_hasFailed; }

Q_SIGNALS:
    void confirmed(const actions::Plan &plan, const actions::Confirmation &confirmation);

private:
    QWidget *details();
    QWidget *reasonFields();
    QWidget *buttons();
    void fitTable();
    void fitHeight();
    void showChecksToCome();
    void copyCommands();
    void showPlan(const actions::Plan &plan);
    void showError(const base::Error &error);
    void showCurrent();
    void showWhetherItCan();
    void showHeadline(const actions::Plan &plan);
    void checkAgain();
    void confirm();
    actions::Plan chosenPlan() const; // for the checked items

    const Context m_context;
    const std::vector<insight::IdleItem> m_chosen;
    std::shared_ptr<const actions::Plan> m_plan;
    bool m_hasFailed = false;
    TableModel m_rows;
    widgets::DataTable *m_table;
    QLabel *m_simulated, *m_headline, *m_hint, *m_countLabel;
    QLabel *m_title, *m_effect, *m_lost, *m_undo, *m_cautionsName, *m_cautions;
    QGridLayout *m_checks;
    QPlainTextEdit *m_reason;
    QLineEdit *m_count;
    TypedConsent *m_consent;
    QPushButton *m_again, *m_copy, *m_stop;
};

} // namespace gpuledger::ui
