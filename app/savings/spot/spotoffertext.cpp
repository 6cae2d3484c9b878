// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/spotoffertext.h"

#include "app/base/text/text.h"
#include "app/savings/spot/placementtext.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace gpuledger::savings {

using base::GpuTime;
using base::Rate;

namespace {

// "0.31"
std::string correlationText(double value)
{
    const auto hundredths = std::llround(std::abs(value) * 100);
    const std::string rest = std::to_string(hundredths % 100);
    return (value < 0 && hundredths > 0 ? "-" : "") + std::to_string(hundredths / 100) + '.'
        + (rest.size() < 2 ? "0" : "") + rest;
}

void addSpotEvidence(Proposal &p, RemarkText label, RemarkTerm value)
{
    p.evidence.push_back({{label, {}}, std::move(value)});
}

RemarkTerm spotSentence(RemarkText text, std::vector<RemarkTerm> terms)
{
    return remarkTerm({text, std::move(terms)});
}

RemarkTerm spotHours(std::int64_t seconds)
{
    return hoursTerm(static_cast<double>(seconds) / 3600);
}

// What the workload states is evidence instead.
void addSpotAssumptions(const SpotFound &found, const Assumptions &assumptions, Proposal &p)
{
    const SpotCandidate &one = *found.work;
    for (const char *name : {"checkpoint-every", "checkpoint-cost", "restart", "spot-deadline-slack"}) {
        const std::string_view assumed(name);
        if ((assumed == "checkpoint-every" && (one.checkpointEvery || found.checkpointsSeen))
            || (assumed == "spot-deadline-slack" && found.plan.deadline))
            continue;
        p.assumptions.push_back({name, assumptions.textOf(one.work, name)});
    }
}

void addRuns(const SpotFound &found, Proposal &p)
{
    const SpotCandidate &one = *found.work;
    if (one.unfinished > 0)
        addSpotEvidence(p, RemarkText::SpotUnfinishedRuns, countTerm(one.unfinished));
    if (one.begunEarlier > 0)
        addSpotEvidence(p, RemarkText::SpotRunsBegunEarlier, countTerm(one.begunEarlier));
    if (one.runs.empty())
        return;
    std::vector<std::int64_t> lengths;
    int machines = 1;
    for (const SpotPastRun &run : one.runs) {
        lengths.push_back(run.seconds);
        machines = std::max(machines, run.machines);
    }
    std::sort(lengths.begin(), lengths.end());
    addSpotEvidence(p, RemarkText::SpotRuns, countTerm(static_cast<std::int64_t>(lengths.size())));
    addSpotEvidence(p, RemarkText::SpotMedianRun, spotHours(lengths[(lengths.size() - 1) / 2]));
    addSpotEvidence(p, RemarkText::SpotLongestRun, spotHours(lengths.back()));
    if (machines > 1)
        addSpotEvidence(p, RemarkText::SpotMachinesAtOnce, countTerm(machines));
    addSpotEvidence(p, RemarkText::SpotRestarts, countTerm(one.restarts));
}

RemarkTerm priceSource(const SpotPrice &price)
{
    if (price.ofHistory)
        return spotSentence(RemarkText::SpotPriceOfHistory, {textTerm(price.source)});
    if (price.listed)
        return spotSentence(RemarkText::SpotPriceOfLists, {textTerm(price.source)});
    if (price.published)
        return spotSentence(price.otherRegion ? RemarkText::SpotPriceOfOtherRegion : RemarkText::SpotPriceOfDiscount,
                            {textTerm(price.source)});
    return spotSentence(RemarkText::SpotPriceOfBills, {countTerm(static_cast<std::int64_t>(price.perHour.size()))});
}

void addPrices(const SpotPast &past, const SpotFound &found, Proposal &p)
{
    const SpotCandidate &one = *found.work;
    __extension__ using Wide = __int128;
    if (one.ownSeconds > 0)
        addSpotEvidence(
            p, RemarkText::SpotOnDemandRate,
            rateTerm(Rate(static_cast<std::int64_t>(Wide{one.ownCost} * 3600 / one.ownSeconds), past.currency)));
    const auto &price = found.market->price;
    if (!price || price->perHour.empty())
        return;
    const auto [least, most] =
        std::minmax_element(price->perHour.begin(), price->perHour.end(),
                            [](const Rate &a, const Rate &b) { return a.nanosPerHour() < b.nanosPerHour(); });
    addSpotEvidence(p, RemarkText::SpotRate, rateTerm(meanSpotRate(*price)));
    if (least->nanosPerHour() < most->nanosPerHour()) {
        addSpotEvidence(p, RemarkText::SpotLowestRate, rateTerm(*least));
        addSpotEvidence(p, RemarkText::SpotHighestRate, rateTerm(*most));
    }
    addSpotEvidence(p, RemarkText::SpotPriceSource, priceSource(*price));
    if (price->seen)
        addSpotEvidence(p, RemarkText::SpotPriceDate, dayTerm(price->seen->start()));
}

RemarkTerm fromHistory(const SpotInterruptions &known)
{
    RemarkTerm traces =
        spotSentence(RemarkText::SpotFromHistory, {countTerm(static_cast<std::int64_t>(known.history.size()))});
    return known.source.empty() ? traces
                                : spotSentence(RemarkText::WithSource, {std::move(traces), textTerm(known.source)});
}

RemarkTerm fromTelemetry(const SpotInterruptions &known)
{
    const RemarkTerm machines = countTerm(known.events - known.podEvents);
    return known.podEvents == 0
        ? spotSentence(RemarkText::SpotFromTelemetry, {machines})
        : spotSentence(RemarkText::SpotFromTelemetryAndPods, {machines, countTerm(known.podEvents)});
}

// Whether the history ends before its futures begin.
bool historyEnds(const SpotInterruptions &known)
{
    return known.basis == SpotBasis::History && known.now
        && std::all_of(known.history.begin(), known.history.end(),
                       [&](const SpotTrace &trace) { return trace.end() < *known.now; });
}

void addInterruptions(const SpotFound &found, Proposal &p)
{
    const SpotInterruptions &known = found.market->interruptions;
    const auto add = [&](RemarkTerm source) {
        addSpotEvidence(p, RemarkText::SpotInterruptionSource, std::move(source));
        if (known.seen)
            addSpotEvidence(p, RemarkText::SpotInterruptionDate, dayTerm(known.seen->start()));
        addSpotEvidence(p, RemarkText::SpotPerMonth,
                        decimalTerm(spotRateOf(known) * static_cast<double>(kHoursPerMonth)));
    };
    switch (known.basis) {
    case SpotBasis::None:
        return;
    case SpotBasis::History:
        return add(fromHistory(known));
    case SpotBasis::Telemetry:
        return add(fromTelemetry(known));
    case SpotBasis::Published:
        return add(spotSentence(RemarkText::SpotFromPublished, {textTerm(known.band), textTerm(known.source)}));
    }
}

void addZonesTold(const SpotZones &zones, Proposal &p)
{
    const auto count = countTerm(static_cast<std::int64_t>(zones.count));
    if (zones.moves)
        addSpotEvidence(p, RemarkText::SpotZoneCount, count);
    else
        addSpotEvidence(p, RemarkText::SpotZoneUsed, textTerm(zones.best));
    addSpotEvidence(p, RemarkText::SpotZonePrices,
                    spotSentence(zones.pricesFollow ? RemarkText::SpotPricesFollow : RemarkText::SpotPricesDrawn, {}));
    if (zones.correlation)
        addSpotEvidence(p, RemarkText::SpotZoneCorrelation, textTerm(correlationText(*zones.correlation)));
    if (zones.alone)
        addSpotEvidence(p, RemarkText::SpotZoneAlone,
                        spotSentence(RemarkText::WithSource, {amountTerm(*zones.alone), textTerm(zones.best)}));
    if (!zones.moves && zones.moving)
        p.evidence.push_back({{RemarkText::SpotZonesMoving, {count}}, amountTerm(*zones.moving)});
}

std::string typeList(const std::vector<std::string> &names)
{
    std::string out;
    for (const std::string &name : names)
        out += (out.empty() ? "" : ", ") + name;
    return out;
}

void addTypesTold(const SpotFound &found, Proposal &p)
{
    const SpotTypes &types = *found.types;
    if (!types.moves) {
        p.evidence.push_back(
            {{RemarkText::SpotTypesMoving, {textTerm(typeList(types.names))}}, amountTerm(types.moving)});
        return;
    }
    addSpotEvidence(p, RemarkText::SpotTypesUsed, textTerm(typeList(types.names)));
    for (const SpotOther &other : found.market->others) {
        if (std::find(types.names.begin(), types.names.end(), other.machine) == types.names.end())
            continue;
        p.evidence.push_back(
            {{RemarkText::SpotTypeRate, {textTerm(other.machine)}}, rateTerm(meanSpotRate(other.price))});
        p.evidence.push_back({{RemarkText::SpotTypeRateSource, {textTerm(other.machine)}}, priceSource(other.price)});
    }
    addSpotEvidence(p, RemarkText::SpotTypesAlone, amountTerm(types.alone));
}

// Runs that begin when the stated time is over.
std::int64_t runsAfterDeadline(const SpotCandidate &one)
{
    return !one.deadlineAt ? 0 : std::count_if(one.runs.begin(), one.runs.end(), [&](const SpotPastRun &run) {
        return run.start >= *one.deadlineAt;
    });
}

void addFutures(const SpotFound &found, Proposal &p)
{
    const SpotReplay &replay = *found.replay;
    const RemarkTerm every = durationTerm(base::Seconds{found.plan.checkpointEvery});
    addSpotEvidence(p, RemarkText::SpotFutures, countTerm(replay.paths));
    addSpotEvidence(p, RemarkText::SpotPerRun, decimalTerm(replay.interruptions));
    addSpotEvidence(p, RemarkText::SpotLost, shareTerm(replay.lost));
    addSpotEvidence(p, RemarkText::SpotLater, shareTerm(replay.later));
    if (found.work->ownBase > 0) {
        const auto median = static_cast<double>(replay.cost[(replay.cost.size() - 1) / 2]);
        addSpotEvidence(p, RemarkText::SpotDiscount, shareTerm(1 - median / static_cast<double>(found.work->ownBase)));
    }
    addSpotEvidence(p, RemarkText::SpotMissed, shareTerm(replay.missed));
    addSpotEvidence(p, RemarkText::SpotCheckpoints,
                    spotSentence(found.work->checkpointEvery  ? RemarkText::SpotCheckpointsLabel
                                     : found.checkpointsSeen  ? RemarkText::SpotCheckpointsSeen
                                     : found.checkpointsKnown ? RemarkText::SpotCheckpointsSet
                                                              : RemarkText::SpotCheckpointsUnknown,
                                 {every}));
    if (const SpotWrites &writes = found.work->writes; writes.seconds > 0)
        addSpotEvidence(
            p, RemarkText::SpotWrites,
            spotSentence(RemarkText::SpotWritesSeen, {countTerm(writes.bursts), spotHours(writes.seconds)}));
    if (found.work->deadline)
        addSpotEvidence(p, RemarkText::SpotDeadlineStated, durationTerm(base::Seconds{*found.work->deadline}));
    else if (found.plan.deadline)
        addSpotEvidence(p, RemarkText::SpotDeadlineOfKind, durationTerm(base::Seconds{*found.plan.deadline}));
    if (found.work->deadlineAt)
        addSpotEvidence(p, RemarkText::SpotDeadlineTime, textTerm(base::toRfc3339(*found.work->deadlineAt)));
    addSpotEvidence(p, RemarkText::SpotBestInterval, durationTerm(base::Seconds{found.bestEvery}));
    addSpotEvidence(p, RemarkText::SpotBareHours,
                    found.endsBare() ? hoursTerm(found.bareHours) : spotSentence(RemarkText::SpotBareNoEnd, {}));
}

void addSpotRisks(const SpotFound &found, Proposal &p)
{
    const SpotCandidate &one = *found.work;
    const SpotBasis basis = found.market->interruptions.basis;
    const auto add = [&](RemarkText text) { p.risks.push_back({text, {}}); };
    if (!found.checkpointsKnown)
        add(RemarkText::SpotRiskCheckpoints);
    if (found.checkpointsSeen)
        add(RemarkText::SpotRiskWrites);
    add(basis == SpotBasis::History ? RemarkText::SpotRiskCapacity : RemarkText::SpotRiskWaiting);
    if (found.market->placement)
        addPlacementRisk(*found.market->placement, p);
    if (basis == SpotBasis::Published || found.market->price->published)
        add(RemarkText::SpotRiskOld);
    if (historyEnds(found.market->interruptions))
        add(RemarkText::SpotRiskHistoryEnds);
    if (found.market->price->otherRegion)
        add(RemarkText::SpotRiskRegion);
    if (basis == SpotBasis::Telemetry)
        add(RemarkText::SpotRiskPoolVanished);
    if (std::any_of(one.runs.begin(), one.runs.end(), [](const SpotPastRun &run) { return run.machines > 1; }))
        add(basis == SpotBasis::History ? RemarkText::SpotRiskTogether : RemarkText::SpotRiskEachMachine);
    if (one.shared.ticks > 0)
        add(RemarkText::OthersInPart);
    if (found.zones && found.zones->moves && found.zones->sets > 1)
        add(RemarkText::SpotRiskZonesApart);
    if (found.zones)
        add(found.market->price->ofHistory ? RemarkText::SpotRiskZoneData : RemarkText::SpotRiskZonePrice);
    if (found.types && found.types->moves)
        add(RemarkText::SpotRiskTypes);
    if (const std::int64_t late = runsAfterDeadline(one); late > 0)
        p.risks.push_back(
            {RemarkText::SpotRiskDeadlineOver, {textTerm(base::toRfc3339(*one.deadlineAt)), countTerm(late)}});
    if (found.replay->unfinished > 0)
        p.risks.push_back({RemarkText::SpotRiskUnfinished, {shareTerm(found.replay->unfinished)}});
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
std::string plainName(std::string_view name)
{
    return base::printableLine(name, 200);
}

std::string spotHow(const SpotFound &found)
{
    const SpotCandidate &one = *found.work;
    const bool isMoving = found.types && found.types->moves;
    const std::string machines = plainName(isMoving ? typeList(found.types->names) : found.market->machine);
    const std::string_view selector = spotSelector(found.market->cloud);
    const std::string zone = found.zones && !found.zones->moves ? plainName(found.zones->best) : std::string();
    if (!one.pod || selector.empty())
        return "Run " + plainName(one.target) + " on spot machines of the " + (isMoving ? "types " : "type ") + machines
            + (zone.empty() ? zone : " in the zone " + zone);
    const std::string head = "# In the pod template of " + plainName(one.target) + ", namespace "
        + plainName(one.nameSpace) + ":\nspec:\n  nodeSelector:\n    " + std::string(selector) + "\n";
    if (isMoving)
        return head
            + "  affinity:\n    nodeAffinity:\n      requiredDuringSchedulingIgnoredDuringExecution:\n"
              "        nodeSelectorTerms:\n          - matchExpressions:\n"
              "              - key: node.kubernetes.io/instance-type\n                operator: In\n"
              "                values: ["
            + machines + "]\n";
    return head + "    node.kubernetes.io/instance-type: " + machines + "\n"
        + (zone.empty() ? zone : "    topology.kubernetes.io/zone: " + zone + "\n");
}

} // namespace

Remark unreadRemark(const SpotUnread &file)
{
    return {RemarkText::SpotHistoryUnread, {textTerm(file.file), textTerm(file.why)}};
}

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
    addSpotAssumptions(found, assumptions, p);
    addSpotEvidence(p, RemarkText::HoursReplayed, countTerm(past.hours));
    addSpotEvidence(p, RemarkText::GpuHoursHeld, hoursTerm(one.held));
    if (found.market)
        addSpotEvidence(p, RemarkText::MachineNow,
                        spotSentence(RemarkText::SpotMachineInRegion,
                                     {textTerm(found.market->machine), textTerm(found.market->region)}));
    addSpotEvidence(p, RemarkText::SpotOwnHours, spotHours(one.ownSeconds));
    addRuns(found, p);
    if (found.market) {
        addPrices(past, found, p);
        addInterruptions(found, p);
        if (found.market->placement)
            addPlacementEvidence(*found.market->placement, p);
    }
    if (found.replay) {
        addFutures(found, p);
        if (found.zones)
            addZonesTold(*found.zones, p);
        if (found.types)
            addTypesTold(found, p);
        addSpotRisks(found, p);
        if (!found.excludedBy)
            p.how = spotHow(found);
    }
    for (const auto &[name, value] : one.misread)
        p.risks.push_back({RemarkText::SpotMisread, {textTerm(name), textTerm(value)}});
    for (const SpotUnread &file : past.unread)
        p.risks.push_back(unreadRemark(file));
    for (const auto &[label, time] :
         {std::pair(RemarkText::GpuHoursUnpriced, one.unpriced), std::pair(RemarkText::GpuHoursSunk, one.sunk),
          std::pair(RemarkText::GpuHoursShared, one.shared), std::pair(RemarkText::GpuHoursOfUnknownTerms, one.unknown),
          std::pair(RemarkText::SpotHoursSpot, one.spot)}) {
        if (time.ticks > 0)
            addSpotEvidence(p, label, hoursTerm(time));
    }
    return p;
}

} // namespace gpuledger::savings
