// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/commandlist.h"

#include "ui/cli/actcommand.h"
#include "ui/cli/completioncommand.h"
#include "ui/cli/democommand.h"
#include "ui/cli/explaincommand.h"
#include "ui/cli/heatmapcommand.h"
#include "ui/cli/idlecommand.h"
#include "ui/cli/ledgercommand.h"
#include "ui/cli/reconcilecommand.h"
#include "ui/cli/replaycommand.h"
#include "ui/cli/reportcommand.h"
#include "ui/cli/rulescommand.h"
#include "ui/cli/showbackcommand.h"
#include "ui/cli/sourcescommand.h"
#include "ui/cli/summarycommand.h"
#include "ui/cli/synccommand.h"
#include "ui/cli/verifycommand.h"
#include "ui/cli/watchcommand.h"

namespace gpuledger::cli {

std::vector<std::unique_ptr<Command>> makeCommands(const CLI::App &root)
{
    std::vector<std::unique_ptr<Command>> commands;
    commands.push_back(std::make_unique<SyncCommand>());
    commands.push_back(std::make_unique<SummaryCommand>());
    commands.push_back(std::make_unique<HeatmapCommand>());
    commands.push_back(std::make_unique<IdleCommand>());
    commands.push_back(std::make_unique<ActCommand>());
    commands.push_back(std::make_unique<WatchCommand>());
    commands.push_back(std::make_unique<LedgerCommand>());
    commands.push_back(std::make_unique<ReconcileCommand>());
    commands.push_back(std::make_unique<ShowbackCommand>());
    commands.push_back(std::make_unique<ExplainCommand>());
    commands.push_back(std::make_unique<ReplayCommand>());
    commands.push_back(std::make_unique<ReportCommand>());
    commands.push_back(std::make_unique<SourcesCommand>());
    commands.push_back(std::make_unique<RulesCommand>());
    commands.push_back(std::make_unique<VerifyCommand>());
    commands.push_back(std::make_unique<DemoCommand>());
    commands.push_back(std::make_unique<CompletionCommand>(root));
    return commands;
}

} // namespace gpuledger::cli
