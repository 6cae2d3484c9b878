// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/alerts/alertsdesk.h"
#include "ui/viewmodels/tables/tablesnapshot.h"
#include "widgets/delegates/roles.h"

#include <QCoreApplication>
#include <QList>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace gpuledger::ui {

struct AlertCell {
    QString text;
    TableValue value = {}; // to sort and export; not set: the text
    std::optional<widgets::Tone> tone = {};
    QList<double> spans = {}; // of widgets::SpansDelegate
};

// Rows of ready cells. Immutable.
class AlertRows : public TableSnapshot {
public:
    struct Row {
        QString id;
        std::vector<AlertCell> cells;
    };
    explicit AlertRows(std::vector<Row> rows)
        : m_rows(std::move(rows))
    {
    }

    int rowCount() const override { return static_cast<int>(m_rows.size()); }
    QString id(int row) const override { return m_rows[unsignedIndex(row)].id; }
    TableValue value(int row, int column) const override;
    QString text(int row, int column) const override { return cell(row, column).text; }
    QVariant extra(int row, int column, int role) const override;

private:
    const AlertCell &cell(int row, int column) const { return m_rows[unsignedIndex(row)].cells[unsignedIndex(column)]; }

    const std::vector<Row> m_rows;
};

// The tables of the Alerts page. Pure; GUI thread.
class AlertTables {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::AlertTables)
public:
    using Snapshot = std::shared_ptr<const TableSnapshot>;
    using Drafts = std::map<QString, model::AlertRule>; // rules that were changed and not saved, by row
    static QString newRule(); // the row of the rule that is not in the configuration yet

    static std::vector<TableColumn> ruleColumns();
    static Snapshot rules(const AlertsSnapshot &now, const Drafts &drafts);

    // Those of these three keep `now` alive, because their cells are made on demand.
    static std::vector<TableColumn> firingColumns();
    static Snapshot firing(const std::shared_ptr<const AlertsSnapshot> &now);
    static QString firingId(const std::string &rule, const std::string &scope);

    static std::vector<TableColumn> messageColumns();
    static Snapshot messages(const std::shared_ptr<const AlertsSnapshot> &now); // row: the number of the message

    static std::vector<TableColumn> targetColumns();
    static Snapshot targets(const AlertsSnapshot &now); // row: the name of the target

    static std::vector<TableColumn> changeColumns();
    static Snapshot changes(const std::shared_ptr<const AlertsSnapshot> &now);

    static std::vector<TableColumn> silenceColumns();
    static Snapshot silences(const AlertsSnapshot &now); // row: the number of the silence

    static std::vector<TableColumn> trialColumns(const QString &range);
    static Snapshot trial(const services::AlertReplay &replay);
};

} // namespace gpuledger::ui
