// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spotoffertext.h"

#include "app/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace gpuledger::savings {

using base::GpuTime;
using base::Rate;

namespace {

using Say = RemarkText;

void addSpotEvidence(Proposal &p, Say label, RemarkTerm value)
{
    p.evidence.push_back({{label, {}}, std::move(value)});
}

RemarkTerm spotSentence(Say text, std::vector<RemarkTerm> terms)
{
    return remarkTerm({text, std::move(terms)});
}

RemarkTerm spotHours(std::int64_t seconds)
{
    return hoursTerm(static_cast<double>(seconds) / 3600);
}

void addRuns(const SpotFound &found, Proposal &p)
{
    const SpotCandidate &one = *found.work;
    if (one.runs.empty())
        return;
    std::vector<std::int64_t> lengths;
    int machines = 1;
    for (const SpotPastRun &run : one.runs) {
        lengths.push_back(run.seconds);
        machines = std::max(machines, run.machines);
    }
    std::sort(lengths.begin(), lengths.end());
    addSpotEvidence(p, Say::SpotRuns, countTerm(static_cast<std::int64_t>(lengths.size())));
    addSpotEvidence(p, Say::SpotMedianRun, spotHours(lengths[(lengths.size() - 1) / 2]));
    addSpotEvidence(p, Say::SpotLongestRun, spotHours(lengths.back()));
    if (machines > 1)
        addSpotEvidence(p, Say::SpotMachinesAtOnce, countTerm(machines));
    addSpotEvidence(p, Say::SpotRestarts, countTerm(one.restarts));
}

void addPrices(const SpotPast &past, const SpotFound &found, Proposal &p)
{
    const SpotCandidate &one = *found.work;
    __extension__ using Wide = __int128;
    if (one.ownSeconds > 0)
        addSpotEvidence(
            p, Say::SpotOnDemandRate,
            rateTerm(Rate(static_cast<std::int64_t>(Wide{one.ownCost} * 3600 / one.ownSeconds), past.currency)));
    const auto &price = found.market->price;
    if (!price || price->perHour.empty())
        return;
    const auto [least, most] =
        std::minmax_element(price->perHour.begin(), price->perHour.end(),
                            [](const Rate &a, const Rate &b) { return a.nanosPerHour() < b.nanosPerHour(); });
    Wide sum = 0;
    for (const Rate &rate : price->perHour)
        sum += rate.nanosPerHour();
    const auto mean = static_cast<std::int64_t>(sum / static_cast<std::int64_t>(price->perHour.size()));
    addSpotEvidence(p, Say::SpotRate, rateTerm(Rate(mean, past.currency)));
    if (least->nanosPerHour() < most->nanosPerHour()) {
        addSpotEvidence(p, Say::SpotLowestRate, rateTerm(*least));
        addSpotEvidence(p, Say::SpotHighestRate, rateTerm(*most));
    }
    addSpotEvidence(p, Say::SpotPriceSource,
                    price->published ? spotSentence(Say::SpotPriceOfDiscount, {textTerm(price->source)})
                                     : spotSentence(Say::SpotPriceOfBills,
                                                    {countTerm(static_cast<std::int64_t>(price->perHour.size()))}));
    if (price->seen)
        addSpotEvidence(p, Say::SpotPriceDate, dayTerm(price->seen->start()));
}

void addInterruptions(const SpotFound &found, Proposal &p)
{
    const SpotInterruptions &known = found.market->interruptions;
    const auto add = [&](RemarkTerm source) {
        addSpotEvidence(p, Say::SpotInterruptionSource, std::move(source));
        if (known.seen)
            addSpotEvidence(p, Say::SpotInterruptionDate, dayTerm(known.seen->start()));
        addSpotEvidence(p, Say::SpotPerMonth, decimalTerm(spotRateOf(known) * static_cast<double>(kHoursPerMonth)));
    };
    switch (known.basis) {
    case SpotBasis::None:
        return;
    case SpotBasis::History:
        return add(spotSentence(Say::SpotFromHistory, {countTerm(static_cast<std::int64_t>(known.history.size()))}));
    case SpotBasis::Telemetry:
        return add(spotSentence(Say::SpotFromTelemetry, {countTerm(known.events)}));
    case SpotBasis::Published:
        return add(spotSentence(Say::SpotFromPublished, {textTerm(known.band), textTerm(known.source)}));
    }
}

void addFutures(const SpotFound &found, Proposal &p)
{
    const SpotReplay &replay = *found.replay;
    const RemarkTerm every = durationTerm(base::Seconds{found.plan.checkpointEvery});
    addSpotEvidence(p, Say::SpotFutures, countTerm(replay.paths));
    addSpotEvidence(p, Say::SpotPerRun, decimalTerm(replay.interruptions));
    addSpotEvidence(p, Say::SpotLost, shareTerm(replay.lost));
    addSpotEvidence(p, Say::SpotLater, shareTerm(replay.later));
    if (found.work->ownBase > 0) {
        const auto median = static_cast<double>(replay.cost[(replay.cost.size() - 1) / 2]);
        addSpotEvidence(p, Say::SpotDiscount, shareTerm(1 - median / static_cast<double>(found.work->ownBase)));
    }
    addSpotEvidence(p, Say::SpotMissed, shareTerm(replay.missed));
    addSpotEvidence(p, Say::SpotCheckpoints,
                    spotSentence(found.work->checkpointEvery  ? Say::SpotCheckpointsLabel
                                     : found.checkpointsKnown ? Say::SpotCheckpointsSet
                                                              : Say::SpotCheckpointsUnknown,
                                 {every}));
    addSpotEvidence(p, Say::SpotBestInterval, durationTerm(base::Seconds{found.bestEvery}));
    if (std::isfinite(found.bareHours))
        addSpotEvidence(p, Say::SpotBareHours, hoursTerm(found.bareHours));
}

void addSpotRisks(const SpotFound &found, Proposal &p)
{
    const SpotCandidate &one = *found.work;
    const SpotBasis basis = found.market->interruptions.basis;
    const auto add = [&](Say text) { p.risks.push_back({text, {}}); };
    if (!found.checkpointsKnown)
        add(Say::SpotRiskCheckpoints);
    add(basis == SpotBasis::History ? Say::SpotRiskCapacity : Say::SpotRiskWaiting);
    if (basis == SpotBasis::Published || found.market->price->published)
        add(Say::SpotRiskOld);
    if (basis == SpotBasis::Telemetry)
        add(Say::SpotRiskPoolVanished);
    if (std::any_of(one.runs.begin(), one.runs.end(), [](const SpotPastRun &run) { return run.machines > 1; }))
        add(basis == SpotBasis::History ? Say::SpotRiskTogether : Say::SpotRiskEachMachine);
    if (one.shared.ticks > 0)
        add(Say::OthersInPart);
    if (found.replay->unfinished > 0)
        p.risks.push_back({Say::SpotRiskUnfinished, {shareTerm(found.replay->unfinished)}});
}

// Labels that put a pod on spot machines of a cloud, as their documentation has them.
constexpr std::string_view kSpotOnAws =
    "eks.amazonaws.com/capacityType: SPOT  # with Karpenter: karpenter.sh/capacity-type: spot";
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kSpotSelectors{{
    {"aws", kSpotOnAws}, // allowed: a cloud
    {"gcp", "cloud.google.com/gke-spot: \"true\""},
    {"azure", "kubernetes.azure.com/scalesetpriority: spot"},
}};

std::string_view spotSelector(std::string_view cloud)
{
    const auto *const found = std::find_if(kSpotSelectors.begin(), kSpotSelectors.end(),
                                           [&](const auto &known) { return known.first == cloud; });
    return found == kSpotSelectors.end() ? std::string_view() : found->second;
}

// Names are labels of telemetry: a line break in one must not become a line of a manifest.
std::string spotHow(const SpotFound &found)
{
    const SpotCandidate &one = *found.work;
    const std::string target = base::printableLine(one.target, 200);
    const std::string machine = base::printableLine(found.market->machine, 200);
    const std::string_view selector = spotSelector(found.market->cloud);
    if (!one.pod || selector.empty())
        return "Run " + target + " on spot machines of the type " + machine;
    return "# In the pod template of " + target + ", namespace " + base::printableLine(one.nameSpace, 200)
        + ":\nspec:\n  nodeSelector:\n    " + std::string(selector)
        + "\n    node.kubernetes.io/instance-type: " + machine + "\n";
}

} // namespace

Proposal spotProposal(const SpotPast &past, const Assumptions &assumptions, const SpotFound &found)
{
    const SpotCandidate &one = *found.work;
    Proposal p;
    p.id = one.id;
    p.kind = Kind::Spot;
    p.target = one.target;
    p.owner = one.owner;
    p.currency = std::string(past.currency.code());
    p.excludedBy = found.excludedBy;
    p.resources = one.resources;
    for (const char *name : {"checkpoint-every", "checkpoint-cost", "restart", "spot-deadline-slack"})
        p.assumptions.push_back({name, assumptions.text(name)});
    addSpotEvidence(p, Say::HoursReplayed, countTerm(past.hours));
    addSpotEvidence(p, Say::GpuHoursHeld, hoursTerm(one.held));
    if (found.market)
        addSpotEvidence(
            p, Say::MachineNow,
            spotSentence(Say::SpotMachineInRegion, {textTerm(found.market->machine), textTerm(found.market->region)}));
    addSpotEvidence(p, Say::SpotOwnHours, spotHours(one.ownSeconds));
    addRuns(found, p);
    if (found.market) {
        addPrices(past, found, p);
        addInterruptions(found, p);
    }
    if (found.replay) {
        addFutures(found, p);
        addSpotRisks(found, p);
        if (!found.excludedBy)
            p.how = spotHow(found);
    }
    for (const auto &[label, time] :
         {std::pair(Say::GpuHoursUnpriced, one.unpriced), std::pair(Say::GpuHoursSunk, one.sunk),
          std::pair(Say::GpuHoursShared, one.shared), std::pair(Say::GpuHoursOfUnknownTerms, one.unknown),
          std::pair(Say::SpotHoursSpot, one.spot)}) {
        if (time.ticks > 0)
            addSpotEvidence(p, label, hoursTerm(time));
    }
    return p;
}

} // namespace gpuledger::savings
