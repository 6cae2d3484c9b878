// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/commandlist.h"

#include "ui/cli/alerts/alertscommand.h"
#include "ui/cli/heatmap/heatmapcommand.h"
#include "ui/cli/idle/actcommand.h"
#include "ui/cli/idle/idlecommand.h"
#include "ui/cli/idle/replaycommand.h"
#include "ui/cli/idle/watchcommand.h"
#include "ui/cli/overview/forecastcommand.h"
#include "ui/cli/overview/summarycommand.h"
#include "ui/cli/prices/comparecommand.h"
#include "ui/cli/prices/crossovercommand.h"
#include "ui/cli/prices/estimatecommand.h"
#include "ui/cli/prices/plannedcommand.h"
#include "ui/cli/program/completioncommand.h"
#include "ui/cli/proof/explaincommand.h"
#include "ui/cli/proof/verifycommand.h"
#include "ui/cli/savings/choicescommand.h"
#include "ui/cli/savings/claimscommand.h"
#include "ui/cli/savings/savingscommand.h"
#include "ui/cli/savings/scenarioscommand.h"
#include "ui/cli/showback/budgetscommand.h"
#include "ui/cli/showback/commitmentscommand.h"
#include "ui/cli/showback/ledgercommand.h"
#include "ui/cli/showback/reconcilecommand.h"
#include "ui/cli/showback/reportcommand.h"
#include "ui/cli/showback/showbackcommand.h"
#include "ui/cli/sources/democommand.h"
#include "ui/cli/sources/rulescommand.h"
#include "ui/cli/sources/sourcescommand.h"
#include "ui/cli/sources/synccommand.h"

namespace gpuledger::cli {

std::vector<std::unique_ptr<Command>> makeCommands(const CLI::App &root)
{
    std::vector<std::unique_ptr<Command>> commands;
    commands.push_back(std::make_unique<SyncCommand>());
    commands.push_back(std::make_unique<SummaryCommand>());
    commands.push_back(std::make_unique<ForecastCommand>());
    commands.push_back(std::make_unique<AlertsCommand>());
    commands.push_back(std::make_unique<HeatmapCommand>());
    commands.push_back(std::make_unique<IdleCommand>());
    commands.push_back(std::make_unique<ActCommand>());
    commands.push_back(std::make_unique<WatchCommand>());
    commands.push_back(std::make_unique<LedgerCommand>());
    commands.push_back(std::make_unique<ReconcileCommand>());
    commands.push_back(std::make_unique<ShowbackCommand>());
    commands.push_back(std::make_unique<BudgetsCommand>());
    commands.push_back(std::make_unique<CommitmentsCommand>());
    commands.push_back(std::make_unique<ExplainCommand>());
    commands.push_back(std::make_unique<ReplayCommand>());
    commands.push_back(std::make_unique<SavingsCommand>());
    commands.push_back(std::make_unique<ChoicesCommand>());
    commands.push_back(std::make_unique<ScenariosCommand>());
    commands.push_back(std::make_unique<EstimateCommand>());
    commands.push_back(std::make_unique<CompareCommand>());
    commands.push_back(std::make_unique<CrossoverCommand>());
    commands.push_back(std::make_unique<PlannedCommand>());
    commands.push_back(std::make_unique<ClaimsCommand>());
    commands.push_back(std::make_unique<ReportCommand>());
    commands.push_back(std::make_unique<SourcesCommand>());
    commands.push_back(std::make_unique<RulesCommand>());
    commands.push_back(std::make_unique<VerifyCommand>());
    commands.push_back(std::make_unique<DemoCommand>());
    commands.push_back(std::make_unique<CompletionCommand>(root));
    return commands;
}

} // namespace gpuledger::cli
