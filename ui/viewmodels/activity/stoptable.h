// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/plan/plan.h"
#include "app/base/time/timezone.h"
#include "app/insight/idle/idle.h"
#include "ui/viewmodels/tables/tablesnapshot.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace gpuledger::ui {

// The rows of the stop dialog: first the chosen workloads while they are being checked, then the objects that must be
// stopped, with the outcomes of their checks. A refused row can't be checked.
std::vector<TableColumn> stopColumns(base::Currency currency);
std::shared_ptr<const TableSnapshot> stopTableOf(const std::vector<insight::IdleItem> &chosen);
std::shared_ptr<const TableSnapshot> stopTableOf(const std::shared_ptr<const actions::Plan> &plan,
                                                 const base::TimeZone &zone);
// The row id of a stop.
QString stopRowId(const actions::PlannedStop &stop);

// The texts about one stop.
struct StopWords {
    QString title; // "Notebook ml-research/eval-scratch"
    QString effect, lost, undo, verdict; // verdict: why it is refused; empty if it is not
    QStringList cautions;
    struct Line {
        QString name, text;
        actions::Outcome outcome{};
    };
    std::vector<Line> checks;
};
StopWords stopWords(const actions::PlannedStop &stop, const base::TimeZone &zone);

} // namespace gpuledger::ui
