// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/error.h"
#include "app/model/money/costview.h"
#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/tables/tablemodel.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace gpuledger::ui {

// What others say beside the bills, as one table: a part of the Compare tab. Changes nothing. GUI thread;
// queries on worker threads.
class ComparedViewModel : public QObject {
    Q_OBJECT
public:
    // FirstRun: no source tells such things.
    PageState state() const { return m_state; }
    virtual const std::optional<base::Error> &error() const = 0;
    virtual QString errorText() const; // what error() means for the user
    virtual bool isAsking() const = 0;
    TableModel &table() { return m_table; }
    virtual QString noteText() const = 0; // what is not compared, and why
    // What Empty means now, instead of what the panel says; empty: that is right.
    virtual QString emptyTitle() const { return {}; }
    virtual QString emptyText() const { return {}; }

    void setCost(model::CostView cost) { m_cost = cost; } // of the next question
    virtual void refresh() = 0;
    virtual void setActive(bool active) = 0;

Q_SIGNALS:
    void changed();

protected:
    ComparedViewModel(std::vector<TableColumn> columns, const QString &groupTitle, QObject *parent);
    model::CostView cost() const { return m_cost; }
    // After an answer: its rows, or null after an error.
    void show(std::shared_ptr<const TableSnapshot> rows);

private:
    TableModel m_table;
    PageState m_state = PageState::Loading;
    model::CostView m_cost = model::CostView::Effective;
};

} // namespace gpuledger::ui
