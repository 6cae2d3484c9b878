// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/alerts/alertscommand.h"

#include "app/alerts/outbox/routes.h"
#include "app/services/alerts/alertanswer.h"
#include "app/services/alerts/alertservice.h"
#include "ui/cli/alerts/alertsprint.h"
#include "ui/cli/alerts/exportrules.h"
#include "ui/cli/program/reachprint.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace gpuledger::cli {

using base::Result;

namespace {

constexpr base::Seconds kReplayedSpan = 90 * base::kDay;

} // namespace

void AlertsCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "alerts", "The alert rules of the configuration, and which of them fire",
                     "gpuledger-cli alerts evaluate --json");
    m_verb->require_subcommand(1);
    m_list = addVerb(*m_verb, "list", "Lists the alert rules of the configuration", "gpuledger-cli alerts list --json");
    m_evaluate = addVerb(*m_verb, "evaluate", "Says which alerts fire now; exit status 1 if any does",
                         "gpuledger-cli alerts evaluate --json");
    m_replay = addVerb(*m_verb, "replay", "Shows when an alert would have fired in the last 90 days",
                       "gpuledger-cli alerts replay idle-cost --from -30d");
    m_replay->add_option("NAME", m_name, "Name of the alert, as shown by: alerts list")->required();
    m_desk.addTo(*m_verb);
    m_export = addVerb(*m_verb, "export-rules", "Writes the alert rules as rules of Prometheus, with a test of them",
                       "gpuledger-cli alerts export-rules --out rules");
    m_export->add_option("--out", m_folder, "Write the files into this folder (default: the rules to stdout)");
    m_transfer.addTo(*m_verb);
}

Result<int> AlertsCommand::run(Session &session)
{
    if (!session.filter().empty())
        return base::fail(base::ErrorCode::InvalidArgument, "alerts take no filter",
                          "each rule names its scope with per; omit the options that filter");
    if (m_desk.chosen())
        return m_desk.run(session);
    if (m_transfer.chosen())
        return m_transfer.run(session);
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    if (parsed(m_list))
        return list(session, **workspace);
    if (parsed(m_export))
        return exportRules(session, **workspace, m_folder);
    return parsed(m_replay) ? replay(session, **workspace) : evaluate(session, **workspace);
}

Result<int> AlertsCommand::list(Session &session, services::Workspace &workspace) const
{
    const auto rules = workspace.alerts().rules();
    GPULEDGER_TRY(rules);
    const model::Settings &settings = workspace.settings();
    const auto routes = alerts::routesOf(settings, session.clock().now());
    Output &out = session.out();
    if (rules->empty())
        out.note("the configuration has no alerts; see: gpuledger-cli sources add --sample");
    if (out.json())
        GPULEDGER_TRY(out.print(rulesJson(*rules, routes, settings)));
    else
        GPULEDGER_TRY(out.print(out.csv() ? rulesCsv(*rules, settings.currency)
                                          : rulesText(*rules, routes, settings, out.bold())));
    return kDone;
}

Result<int> AlertsCommand::evaluate(Session &session, services::Workspace &workspace) const
{
    const auto answer = workspace.alerts().evaluate();
    GPULEDGER_TRY(answer);
    Output &out = session.out();
    const std::string stale = staleLines(out, answer->reach, workspace.timeZone());
    if (out.json())
        GPULEDGER_TRY(out.print(evaluationJson(*answer)));
    else
        GPULEDGER_TRY(out.print(out.csv() ? evaluationCsv(*answer)
                                          : evaluationText(*answer, workspace.timeZone(), out.bold()) + stale));
    const bool fires = std::any_of(answer->rules.begin(), answer->rules.end(),
                                   [](const services::RuleResult &one) { return !one.firing.empty(); });
    return fires ? kLook : kDone;
}

Result<int> AlertsCommand::replay(Session &session, services::Workspace &workspace) const
{
    auto range = session.range(workspace.timeZone());
    GPULEDGER_TRY(range);
    if (session.options().from.empty())
        range->start = range->end - kReplayedSpan;
    const auto answer = workspace.alerts().replay(m_name, *range);
    GPULEDGER_TRY(answer);
    Output &out = session.out();
    if (out.json())
        GPULEDGER_TRY(out.print(alertReplayJson(*answer)));
    else
        GPULEDGER_TRY(out.print(out.csv() ? alertReplayCsv(*answer)
                                          : alertReplayText(*answer, workspace.timeZone(), out.bold())));
    return kDone;
}

} // namespace gpuledger::cli
