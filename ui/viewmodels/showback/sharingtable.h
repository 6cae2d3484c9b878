// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/statement/statement.h"
#include "ui/viewmodels/tables/tablesnapshot.h"

#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::ui {

// Each team's charge by the rules for shared and idle cost: its own cost, the amount moved, and the sum.
std::vector<TableColumn> sharingColumns();
std::shared_ptr<const TableSnapshot> sharingTable(std::shared_ptr<const reports::Statement> statement);

// Weights as typed, "vision 2, speech 1". std::nullopt if they cannot be parsed.
std::optional<std::map<std::string, double>> sharingWeights(const QString &text);
QString sharingWeightsText(const std::map<std::string, double> &weights);

} // namespace gpuledger::ui
