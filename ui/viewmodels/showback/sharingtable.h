// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/statement.h"
#include "ui/viewmodels/tables/tablesnapshot.h"

#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::ui {

// What each team is charged by rules for shared and idle cost: its own cost, what is moved, and the sum.
std::vector<TableColumn> sharingColumns();
std::shared_ptr<const TableSnapshot> sharingTable(std::shared_ptr<const reports::Statement> statement);

// Weights as people write them, "vision 2, speech 1". Nothing: they can't be read.
std::optional<std::map<std::string, double>> sharingWeights(const QString &text);
QString sharingWeightsText(const std::map<std::string, double> &weights);

} // namespace gpuledger::ui
