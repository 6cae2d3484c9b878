// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/idle/idlerulecurve.h"

#include "app/services/fleet/fleetservice.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/idle/idletext.h"

#include <QStringList>

#include <utility>

namespace gpuledger::ui {

using base::Result;
using insight::RuleCurve;
using store::GraceChoice;

Result<std::shared_ptr<const IdleRuleCurve>> askIdleRuleCurve(services::FleetService &fleet,
                                                              const model::IdleSettings &inUse, base::Seconds span,
                                                              base::Seconds resumeWithin, const std::stop_token &stop)
{
    const auto covered = fleet.coveredRange();
    GPULEDGER_TRY(covered);
    insight::ReplayQuery query;
    query.range = {covered->end - span, covered->end};
    query.rule = inUse;
    query.resumeWithin = resumeWithin;
    const auto replays = fleet.replayIdleRules(query, insight::curveRules(inUse), stop);
    GPULEDGER_TRY(replays);
    return std::make_shared<const IdleRuleCurve>(
        IdleRuleCurve{span, resumeWithin, insight::ruleCurve(inUse, *replays)});
}

QString IdleRuleCurveText::point(const insight::RulePoint &point)
{
    return point.grace.count() > 0 ? LocalText::hours(point.grace) : tr("Rule in use");
}

QString IdleRuleCurveText::basis(const RuleCurve &curve, const base::TimeZone &zone)
{
    if (curve.from == RuleCurve::From::Replay)
        return tr("Each rule replayed over %1.").arg(LocalText::timeRange(curve.range, zone));
    if (curve.points.empty())
        return tr("Too little is stored for an estimate; each rule is being replayed.");
    return tr(
        "Estimated from how workloads stayed idle in the 28 days before, in hours of workloads, however many GPUs "
        "these had; each rule is being replayed.");
}

QString IdleRuleCurveText::better(const RuleCurve &curve)
{
    const insight::RulePoint *better = insight::betterPoint(curve);
    return better ? tr("Another rule, %1, would have brought back more hours with fewer false stops.")
                        .arg(LocalText::hours(better->grace))
                  : QString();
}

QString IdleRuleCurveText::grace(const GraceChoice &choice)
{
    const QString length = LocalText::hours(choice.grace);
    switch (choice.from) {
    case GraceChoice::From::Measured:
        return tr("%1, measured: %2 of stops would have been false", "a time, a share")
            .arg(length, LocalText::percent(choice.falseShare, 0));
    case GraceChoice::From::Default:
        return tr("%1, default: too little past", "a time").arg(length);
    case GraceChoice::From::Configured:
        return tr("%1, configured", "a time").arg(length);
    }
    return {};
}

QString IdleRuleCurveText::graces(const store::GraceChoices &choices)
{
    QStringList lines;
    for (const auto &[kind, choice] : choices) {
        const QString name = IdleText::kindName(kind);
        lines << tr("%1: %2", "kind of workload, its grace window")
                     .arg(name.isEmpty() ? tr("others", "kinds of workloads") : name, grace(choice));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace gpuledger::ui
