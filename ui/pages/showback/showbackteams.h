// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/showback/showbackviewmodel.h"
#include "ui/viewmodels/tables/tablesnapshot.h"

#include <memory>
#include <vector>

namespace gpuledger::ui {

// The list of teams beside their statements: the cost of each in every currency, its change, and the sign-off state of
// its statement.
std::vector<TableColumn> showbackTeamColumns(const reports::Statement &statement);
std::shared_ptr<const TableSnapshot> showbackTeams(std::shared_ptr<const ShowbackSnapshot> snapshot);
// Ids of rows, because an empty name is a valid team.
QString showbackRowId(const std::string &team);
std::string showbackTeam(const QString &rowId);

} // namespace gpuledger::ui
