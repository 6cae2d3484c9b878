// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/statepage.h"
#include "ui/viewmodels/device/deviceviewmodel.h"
#include "ui/viewmodels/tables/tablemodel.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace gpuledger::widgets {
class DataTable;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

class DeviceCharts;
class ExpressionField;
class FactList;

// One device: what it is and costs, what it did in the time range, who held it, and the link to Grafana. Reached from
// the pages that show devices; not on the rail. Layout and bindings only: the state is in the view model.
class DevicePage : public StatePage {
    Q_OBJECT
public:
    DevicePage(const PageContext &context, QWidget *parent = nullptr);

    void setScope(const Scope &scope) override;
    QUrlQuery place() const override;
    void restore(const QUrlQuery &place) override;
    bool goBack() override;
    bool settled() const override;
    void refresh() override;
    void setActive(bool active) override;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void makeRoom();
    QWidget *header();
    QWidget *about();
    QWidget *lines();
    QWidget *holders();
    void offerProofs();
    PageState state() const override { return m_model.state(); }
    void showData() override;
    void showEmpty() override;
    void showError() override;
    void openGrafana();
    void copyUuid();

    ExtraSeriesList m_ownList; // used if the program provides no list
    DeviceViewModel m_model;
    TableModel m_states, m_stays;
    QLabel *m_title = nullptr, *m_range = nullptr, *m_paid = nullptr, *m_filtered = nullptr, *m_nobody = nullptr;
    QToolButton *m_copy = nullptr;
    QPushButton *m_add = nullptr, *m_grafana = nullptr;
    QWidget *m_about = nullptr, *m_holders = nullptr; // cards
    FactList *m_facts = nullptr;
    ExpressionField *m_field = nullptr;
    DeviceCharts *m_charts = nullptr;
    widgets::DataTable *m_statesTable = nullptr, *m_staysTable = nullptr;
};

} // namespace gpuledger::ui
