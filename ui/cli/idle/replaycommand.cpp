// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/idle/replaycommand.h"

#include "app/base/text/text.h"
#include "app/services/fleet/fleetservice.h"
#include "ui/cli/idle/replayprint.h"
#include "ui/cli/idle/ruleprint.h"
#include "ui/cli/program/costoption.h"
#include "ui/cli/proof/figureids.h"

#include <CLI/CLI.hpp>

namespace gpuledger::cli {

using base::Result;

namespace {

constexpr base::Seconds kUsualSpan{90 * 86400};

Result<base::Seconds> lengthOf(const std::string &text, const std::string &option)
{
    const auto length = base::parseDuration(text);
    if (!length || length->count() <= 0)
        return base::fail(base::ErrorCode::InvalidArgument,
                          option + " has no length of time: \"" + base::printable(text, 64) + '"',
                          "write it like 90s, 30m, 2h or 1d");
    return *length;
}

// "notebook=2h"
Result<void> setGrace(const std::string &text, model::IdleSettings &rule, store::GraceChoices &choices)
{
    const std::size_t equals = text.find('=');
    const auto kind = model::workloadKindFromString(std::string_view(text).substr(0, equals));
    if (equals == std::string::npos || !kind)
        return base::fail(base::ErrorCode::InvalidArgument,
                          "--grace names no kind of workload: \"" + base::printable(text, 64) + '"',
                          "write it like notebook=2h; kinds are notebook, development, training, batch, inference and "
                          "unknown");
    const auto length = lengthOf(text.substr(equals + 1), "--grace");
    GPULEDGER_TRY(length);
    rule.grace[*kind] = *length;
    rule.graceMeasured.erase(*kind);
    choices[*kind] = {store::GraceChoice::From::Configured, *length, 0, 0};
    return {};
}

} // namespace

void ReplayCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "replay", "Backtests a rule against the past",
                     "gpuledger-cli replay idle --grace notebook=2h --json");
    m_verb->require_subcommand(1);
    m_idle = addVerb(*m_verb, "idle",
                     "Shows what the idle rule would have stopped and recovered, and which stops were false",
                     "gpuledger-cli replay idle --from -30d --threshold 0.05 --grace notebook=2h --resume-within 1h");
    m_thresholdGiven =
        m_idle
            ->add_option("--threshold", m_threshold, "Idle below this activity, 0..1 (default: from the configuration)")
            ->check(CLI::Range(0.0, 1.0));
    m_idle->add_option("--grace", m_grace,
                       "KIND=DURATION, how long it must be idle (default: the rule in use); repeatable");
    m_idle->add_flag("--curve", m_curve,
                     "Compares this rule with one grace window for all types: hours back against false stops");
    m_idle->add_option("--resume-within", m_resumeWithin,
                       "A stop counts as false if work resumed within this time (1h)");
    addCostOption(*m_idle, m_cost);
}

Result<int> ReplayCommand::run(Session &session)
{
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const base::TimeZone &zone = (*workspace)->timeZone();
    auto range = session.range(zone);
    GPULEDGER_TRY(range);
    if (session.options().from.empty() && !(*workspace)->isReport())
        range->start = range->end - kUsualSpan;
    GPULEDGER_TRY(session.checkFilter(**workspace));
    insight::ReplayQuery query;
    query.range = *range;
    query.filter = session.filter();
    const auto inUse = (*workspace)->fleet().idleRule();
    GPULEDGER_TRY(inUse);
    store::GraceChoices choices = inUse->grace;
    query.rule = inUse->settings;
    if (m_thresholdGiven->count() > 0)
        query.rule.threshold = m_threshold;
    for (const std::string &grace : m_grace)
        GPULEDGER_TRY(setGrace(grace, query.rule, choices));
    const auto within = lengthOf(m_resumeWithin, "--resume-within");
    GPULEDGER_TRY(within);
    query.resumeWithin = *within;
    query.cost = costViewOf(m_cost);
    if (m_curve)
        return printCurve(session, **workspace, query);
    const auto rewind = (*workspace)->fleet().replayIdle(query, session.stop());
    GPULEDGER_TRY(rewind);
    Output &out = session.out();
    if (out.json()) {
        Json json = rewindJson(*rewind, query.cost, choices);
        addFigures(json, *rewind, query, (*workspace)->settings().idle.threshold);
        GPULEDGER_TRY(out.print(json));
    } else
        GPULEDGER_TRY(
            out.print(out.csv() ? rewindCsv(*rewind) : rewindText(*rewind, query.cost, choices, zone, out.bold())));
    return kDone;
}

Result<int> ReplayCommand::printCurve(Session &session, services::Workspace &workspace,
                                      const insight::ReplayQuery &query) const
{
    const auto replays = workspace.fleet().replayIdleRules(query, insight::curveRules(query.rule), session.stop());
    GPULEDGER_TRY(replays);
    const insight::RuleCurve curve = insight::ruleCurve(query.rule, *replays);
    Output &out = session.out();
    if (out.json())
        GPULEDGER_TRY(out.print(curveJson(curve, query.cost)));
    else
        GPULEDGER_TRY(
            out.print(out.csv() ? curveCsv(curve) : curveText(curve, query.cost, workspace.timeZone(), out.bold())));
    return kDone;
}

} // namespace gpuledger::cli
