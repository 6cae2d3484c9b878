// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/heatmap/heatmapviewmodel.h"
#include "ui/viewmodels/tables/tablemodel.h"
#include "widgets/cards/card.h"

class QLabel;
class QPushButton;

namespace gpuledger::widgets {
class DataTable;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

// The strip below the matrix: who held what in the current cell. GUI thread; owned by the page.
class HeatmapStrip : public widgets::Card {
    Q_OBJECT
public:
    HeatmapStrip(const widgets::Theme &theme, base::Currency currency, QWidget *parent = nullptr);

    // `title` is the cell, e.g. "research, Sat 10:00–11:00"; `doubt` says what part of it is unknown, empty: none.
    void showCell(const QString &title, const std::shared_ptr<const HeatmapDetail> &detail, std::size_t column,
                  const QString &doubt = {});
    // Shown while the rows are loading, or with the reason why there are none.
    void showNote(const QString &title, const QString &note);

    void offerGrafana(bool offered);
    void offerIdle(bool offered);
    widgets::DataTable *table() const { return m_table; }

Q_SIGNALS:
    void opened(const QString &key); // a row of the strip was activated: go there
    void allWanted(); // open the whole row
    void grafanaWanted(); // for the cell
    void idleWanted(); // the idle workloads of the whole row

private:
    QString m_currency;
    TableModel m_model;
    QLabel *m_title;
    QLabel *m_doubt;
    QLabel *m_note;
    // In the order of Tab.
    QPushButton *m_grafana;
    QPushButton *m_idle;
    QPushButton *m_all;
    widgets::DataTable *m_table;
};

// The holders in one bin that held anything, by descending idle cost.
std::shared_ptr<const TableSnapshot> heatmapStripRows(std::shared_ptr<const HeatmapDetail> detail, std::size_t column);

} // namespace gpuledger::ui
