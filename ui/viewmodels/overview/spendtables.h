// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/spend/spend.h"
#include "ui/viewmodels/tables/tablesnapshot.h"

#include <memory>
#include <vector>

namespace gpuledger::ui {

// Costs other than GPU time: a row for each category and service.
QString hiddenCostId(const insight::HiddenCost &row);
std::vector<TableColumn> hiddenCostColumns(base::Currency currency);
std::shared_ptr<const TableSnapshot> hiddenCosts(std::shared_ptr<const insight::Spend> spend);

// The cost per hour of each GPU model by the bills and by the price book; large deviations carry a warning.
std::vector<TableColumn> unitPriceColumns(base::Currency currency);
std::shared_ptr<const TableSnapshot> unitPrices(std::shared_ptr<const insight::Spend> spend);

} // namespace gpuledger::ui
