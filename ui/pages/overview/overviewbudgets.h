// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/overview/overviewforecast.h"
#include "widgets/charts/stackedbarchart.h"
#include "widgets/delegates/roles.h"

#include <QString>

#include <optional>

// Texts of forecasts and budgets on the Overview. Pure; GUI thread, because of the locale. `team` may be null: nothing
// is known of it.
namespace gpuledger::ui {

QString forecastText(const services::ScopeForecast *team); // "20,100"
// The forecast as a share of the budget: "92 %", "no budget"; a dash if it is unknown.
QString budgetShareText(const services::ScopeForecast *team);
std::optional<double> budgetShare(const services::ScopeForecast *team);
// Of a share; from more than the whole budget on it stands out.
widgets::Color budgetColor(double share);
widgets::Tone budgetTone(double share);
// The month so far, the forecast with its 80 % interval, what is unknown of it, and each budget. Empty: nothing is
// known.
QString forecastDetails(const services::ScopeForecast *team, base::Currency currency);

// The detail of the spend, with the forecast of all teams if it is known: "…; forecast 521k ± 18k of 480k budget".
QString withForecast(const QString &detail, const OverviewForecast &forecast);
// The line of the mean budget per day, if every team has a monthly budget.
void addBudgetLine(widgets::StackedBars &bars, const OverviewForecast &forecast);

} // namespace gpuledger::ui
