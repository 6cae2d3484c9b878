// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/overview/overviewviewmodel.h"
#include "ui/viewmodels/tables/tablemodel.h"
#include "widgets/cards/keyfigurecard.h"
#include "widgets/charts/stackedbarchart.h"
#include "widgets/charts/waterfallchart.h"

#include <array>

// Converts the overview's snapshot to the data of the page's widgets. Pure; GUI thread, because of the locale.
namespace gpuledger::ui {

// Spend, utilization, waste (idle and unallocated), idle now, in this order. What could be saved follows them
// (overviewfound.h).
inline constexpr std::size_t kOverviewFigures = 4;
// The basis of cost: the price book for GPU time, or the ledger (bills, and estimates where there are none).
enum class OverviewMoney { List, Bills };
std::array<widgets::KeyFigure, kOverviewFigures> overviewFigures(const OverviewSnapshot &snapshot, OverviewMoney money);

// Spend per local day by state.
widgets::StackedBars overviewDays(const OverviewSnapshot &snapshot);
// The same by the bills, per UTC day; the snapshot must have a spend.
widgets::StackedBars overviewBilledDays(const OverviewSnapshot &snapshot);

// Why the spend differs from the previous period; without one, a chart without steps that says so.
widgets::Waterfall overviewChange(const OverviewSnapshot &snapshot, OverviewMoney money);
// Whether the change at list prices is broken down by state: the fleet costs the same and works more or less.
bool overviewChangeIsByState(const OverviewSnapshot &snapshot);
// "Most: vision +9.1k, research −3.0k"; empty when nothing moved.
QString overviewMovers(const OverviewSnapshot &snapshot);

// `hasBudgets`: the forecast is shown as a share of the budget first, else as an amount.
std::vector<TableColumn> overviewTeamColumns(base::Currency currency, bool hasBudgets = false);
// `forecast`: null while it is not known.
std::shared_ptr<const TableSnapshot> overviewTeams(std::shared_ptr<const OverviewSnapshot> snapshot,
                                                   OverviewMoney money,
                                                   std::shared_ptr<const OverviewForecast> forecast = nullptr);

} // namespace gpuledger::ui
