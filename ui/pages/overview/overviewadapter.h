// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/overview/overviewviewmodel.h"
#include "ui/viewmodels/tables/tablemodel.h"
#include "widgets/cards/keyfigurecard.h"
#include "widgets/charts/stackedbarchart.h"
#include "widgets/charts/waterfallchart.h"

#include <array>

// The overview's snapshot as what the page's widgets show. Pure; GUI thread, because of the locale.
namespace gpuledger::ui {

// Spend, utilization, idle cost, idle now: in this order.
inline constexpr std::size_t kOverviewFigures = 4;
// Whose money: the price book's for GPU time, or the ledger's (bills, and estimates where there is none).
enum class OverviewMoney { List, Bills };
std::array<widgets::KeyFigure, kOverviewFigures> overviewFigures(const OverviewSnapshot &snapshot, OverviewMoney money);

// Spend per local day by state.
widgets::StackedBars overviewDays(const OverviewSnapshot &snapshot);
// The same by the bills, per UTC day; the snapshot has a spend.
widgets::StackedBars overviewBilledDays(const OverviewSnapshot &snapshot);

// Why the spend is another one than before; without a period before, a chart without steps that says so.
widgets::Waterfall overviewChange(const OverviewSnapshot &snapshot, OverviewMoney money);
// Whether what changed at list prices is told by states: the fleet costs the same, and works more or less.
bool overviewChangeIsByState(const OverviewSnapshot &snapshot);
// "Most: vision +9.1k, research −3.0k"; empty when nothing moved.
QString overviewMovers(const OverviewSnapshot &snapshot);

std::vector<TableColumn> overviewTeamColumns(base::Currency currency);
std::shared_ptr<const TableSnapshot> overviewTeams(std::shared_ptr<const OverviewSnapshot> snapshot,
                                                   OverviewMoney money);

} // namespace gpuledger::ui
