// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/spotrefusal.h"

#include "app/savings/spot/daly.h"
#include "app/savings/spot/spotestimate.h"

#include <algorithm>

namespace gpuledger::savings {

namespace {

constexpr double kSpotMostMissed = 0.1; // share of the runs, by machine time, that may end after their deadline

Remark planTooSlow(const SpotFound &found)
{
    const RemarkTerm every = durationTerm(base::Seconds{found.plan.checkpointEvery});
    const RemarkTerm work = hoursTerm(static_cast<double>(found.longest.seconds) / 3600);
    const double perHour = spotRateOf(found.market->interruptions) * found.longest.machines;
    const RemarkTerm often = decimalTerm(perHour * static_cast<double>(kHoursPerMonth));
    if (found.planHours >= kSpotNoEnd)
        return {RemarkText::SpotPlanCannotEnd, {every, work, often}};
    return {RemarkText::SpotPlanTooSlow, {every, work, hoursTerm(found.planHours), often}};
}

Remark neverEnds(const SpotFound &found)
{
    const RemarkTerm work = hoursTerm(static_cast<double>(found.longest.seconds) / 3600);
    const double perHour = spotRateOf(found.market->interruptions) * found.longest.machines;
    // Interruptions a month, because a term has one decimal.
    const RemarkTerm often = decimalTerm(perHour * static_cast<double>(kHoursPerMonth));
    if (!found.endsBare())
        return {RemarkText::SpotWorkCannotEnd, {work, often}};
    return {RemarkText::SpotNeverEnds, {work, hoursTerm(found.bareHours), often}};
}

} // namespace

void addSpotClosedForms(SpotFound &found)
{
    const auto &runs = found.work->runs;
    found.longest = *std::max_element(runs.begin(), runs.end(),
                                      [](const SpotPastRun &a, const SpotPastRun &b) { return a.seconds < b.seconds; });
    const double perHour = spotRateOf(found.market->interruptions) * found.longest.machines;
    SpotPlan bare = found.plan;
    bare.checkpointEvery = 0;
    found.bareHours = dalyHours(spotWorkOf(bare, found.longest), perHour);
    found.planHours = dalyHours(spotWorkOf(found.plan, found.longest), perHour);
    found.bestEvery = dalyBestInterval(spotWorkOf(found.plan, found.longest), perHour);
}

std::optional<Remark> spotHopeless(const SpotFound &found, const SpotRules &rules)
{
    if (found.planHours > kSpotHopeless * static_cast<double>(found.longest.seconds) / 3600)
        return planTooSlow(found);
    if (spotStepsOf(*found.work, *found.market, found.plan) > rules.mostRuns)
        return Remark{RemarkText::TooLargeToCompute, {}};
    return std::nullopt;
}

std::optional<Remark> spotRefusal(const SpotFound &found)
{
    const double hours = static_cast<double>(found.longest.seconds) / 3600;
    if (!found.checkpointsKnown && found.bareHours > kSpotHopeless * hours)
        return neverEnds(found);
    const SpotReplay &replay = *found.replay;
    if (replay.unfinished > kSpotMostUnfinished)
        return Remark{RemarkText::SpotNoCapacity, {shareTerm(replay.unfinished)}};
    if (replay.missed <= kSpotMostMissed)
        return std::nullopt;
    const RemarkTerm missed = shareTerm(replay.missed);
    if (found.plan.deadlineAt)
        return Remark{RemarkText::SpotMissesTime, {missed, textTerm(base::toRfc3339(*found.plan.deadlineAt))}};
    return found.plan.deadline
        ? Remark{RemarkText::SpotMissesDeadline, {missed, durationTerm(base::Seconds{*found.plan.deadline})}}
        : Remark{RemarkText::SpotTooLate, {missed, shareTerm(static_cast<double>(found.plan.slackPercent) / 100)}};
}

} // namespace gpuledger::savings
