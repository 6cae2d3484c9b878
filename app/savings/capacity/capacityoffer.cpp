// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/capacity/capacityoffer.h"

#include "app/base/text/text.h"
#include "app/savings/capacity/fragments.h"
#include "app/savings/capacity/smallholds.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace gpuledger::savings {

using base::Money;
using base::Result;

namespace {

constexpr const char *kPackedPool = "/packed"; // ends the id of the proposal to move work together

RemarkTerm capacityHours(std::int64_t seconds)
{
    return hoursTerm(static_cast<double>(seconds) / 3600);
}

std::vector<std::int64_t> capacityNodes(const std::vector<std::int32_t> &values)
{
    return {values.begin(), values.end()};
}

RemarkTerm medianNodes(const std::vector<std::int32_t> &values)
{
    return countTerm(capacityQuantile(capacityNodes(values), 0.5));
}

std::int32_t mostNodes(const std::vector<std::int32_t> &values)
{
    return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

// Everything that both proposals of a pool say.
struct CapacityOffer {
    const CapacityPool &pool;
    const CapacityPolicy &policy;
    base::Currency currency;
    CapacityUse use;
    std::int64_t avoidable = 0; // per month
};

std::vector<Assumption> capacityAssumptions(const CapacityOffer &offer, int headroom)
{
    const CapacityPolicy &policy = offer.policy;
    char quantile[32];
    std::snprintf(quantile, sizeof quantile, "%g%%", policy.headroom * 100);
    return {{"scale-down-delay", std::to_string(policy.delayHours) + "h"},
            {"headroom-quantile", quantile},
            {"headroom-gpus", std::to_string(headroom)},
            {"minimum-nodes", std::to_string(policy.minimum)},
            {"start-up", std::to_string(policy.startUp.count()) + "s"},
            {"time-step", "1h"}};
}

// What is configured for this pool alone.
void addOwnPolicy(std::vector<Evidence> &out, const CapacityPolicy &policy)
{
    if (policy.ownMinimum)
        out.push_back({{RemarkText::MinimumOfPool, {}}, countTerm(policy.minimum)});
    if (policy.ownDelay)
        out.push_back({{RemarkText::DelayOfPool, {}}, durationTerm(base::Seconds{3600} * policy.delayHours)});
    if (policy.ownStartUp)
        out.push_back({{RemarkText::StartUpOfPool, {}}, durationTerm(policy.startUp)});
}

RemarkTerm piecesValue(const PoolPieces &pieces)
{
    if (pieces.knownHours == 0)
        return remarkTerm({RemarkText::WaitingNotKept, {}});
    if (pieces.smallest == 0)
        return remarkTerm({pieces.unknownSeconds > 0 ? RemarkText::WaitedForUnknown : RemarkText::NothingWaited, {}});
    return remarkTerm(
        {RemarkText::PiecesTooSmall,
         {capacityHours(pieces.tooSmallSeconds), capacityHours(pieces.freeSeconds), countTerm(pieces.smallest)}});
}

void addPieces(std::vector<Evidence> &out, const CapacityPool &pool, const CapacityUse &use)
{
    const PoolPieces pieces = poolPieces(pool);
    if (use.fragmentHours == 0 && pieces.tooSmallSeconds == 0 && pieces.unknownSeconds == 0)
        return;
    out.push_back({{RemarkText::GpuHoursInPieces, {}}, piecesValue(pieces)});
    if (pieces.unknownSeconds > 0)
        out.push_back({{RemarkText::GpuHoursKindUnknown, {}}, capacityHours(pieces.unknownSeconds)});
    if (pieces.knownHours > 0 && pieces.knownHours < pieces.hours)
        out.push_back(
            {{RemarkText::HoursWaitingKept, {}},
             remarkTerm({RemarkText::HoursOfHours, {countTerm(pieces.knownHours), countTerm(pieces.hours)}})});
}

std::vector<Evidence> capacityEvidence(const CapacityOffer &offer, const CapacityReplay &replay)
{
    const CapacityUse &use = offer.use;
    std::vector<Evidence> out{{{RemarkText::NodeHoursOff, {}}, countTerm(replay.offHours)},
                              {{RemarkText::NodeHoursPresent, {}}, countTerm(use.presentHours)},
                              {{RemarkText::NodeHoursEmpty, {}}, countTerm(use.emptyHours)},
                              {{RemarkText::NodesPresent, {}}, medianNodes(replay.present)},
                              {{RemarkText::NodesSufficed, {}}, medianNodes(replay.needed)},
                              {{RemarkText::NodesSufficedMost, {}}, countTerm(mostNodes(replay.needed))},
                              {{RemarkText::NodeHoursSmall, {}}, countTerm(use.smallHours)},
                              {{RemarkText::GpuHoursFragmented, {}}, countTerm(use.fragmentHours)}};
    addPieces(out, offer.pool, use);
    out.insert(out.end(),
               {{{RemarkText::GpuHoursUnallocated, {}}, hoursTerm(offer.pool.unallocated)},
                {{RemarkText::NodeHoursUnobserved, {}}, countTerm(use.unknownHours)},
                {{RemarkText::GpuHoursWaiting, {}}, capacityHours(replay.waitingSeconds)}});
    addOwnPolicy(out, offer.policy);
    return out;
}

// The first few of them, and how many more there are.
RemarkTerm keptNames(const std::vector<std::string> &names)
{
    constexpr std::size_t kMost = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i)
        text += (i > 0 ? ", " : "") + names[i];
    if (names.size() <= kMost)
        return textTerm(std::move(text));
    return remarkTerm({RemarkText::NamesAndMore,
                       {textTerm(std::move(text)), countTerm(static_cast<std::int64_t>(names.size() - kMost))}});
}

Remark keptLabel(const CapacityPool &pool, const KeptNode &kept)
{
    std::vector<std::string> names, owners;
    for (const std::uint32_t work : kept.work) {
        names.push_back(pool.work[work].name);
        if (const std::string &owner = pool.work[work].owner;
            !owner.empty() && std::find(owners.begin(), owners.end(), owner) == owners.end())
            owners.push_back(owner);
    }
    const RemarkTerm node = textTerm(pool.nodes[kept.node].name);
    if (owners.empty())
        return {RemarkText::KeptUp, {keptNames(names), node}};
    return {RemarkText::KeptUpOfTeam, {keptNames(names), keptNames(owners), node}};
}

// `isPriced`: else only the hours are known.
RemarkTerm keptValue(const CapacityOffer &offer, std::int64_t hours, std::int64_t nanos, bool isPriced)
{
    if (!isPriced)
        return countTerm(hours);
    return remarkTerm({RemarkText::NodeHoursAndMoney, {countTerm(hours), amountTerm(Money(nanos, offer.currency))}});
}

// The part of what packing gives back that single small holds explain.
void addKeptNodes(std::vector<Evidence> &out, const CapacityOffer &offer, const KeptNodes &kept, bool isPriced)
{
    out.push_back({{RemarkText::NodeHoursPacked, {}}, countTerm(kept.packedHours)});
    out.push_back({{RemarkText::NodeHoursKept, {}}, keptValue(offer, kept.hours, kept.nanos, isPriced)});
    const std::size_t listed = std::min(kept.nodes.size(), kCapacityKeptListed);
    std::int64_t hours = kept.hours, nanos = kept.nanos; // of the rest
    for (std::size_t i = 0; i < listed; ++i) {
        const KeptNode &one = kept.nodes[i];
        out.push_back({keptLabel(offer.pool, one), keptValue(offer, one.hours, one.nanos, isPriced)});
        hours -= one.hours;
        nanos -= one.nanos;
    }
    if (const auto more = static_cast<std::int64_t>(kept.nodes.size() - listed); more > 0)
        out.push_back({{RemarkText::KeptUpByOthers, {countTerm(more)}}, keptValue(offer, hours, nanos, isPriced)});
}

std::vector<Remark> capacityRisks(const CapacityOffer &offer, const CapacityReplay &replay)
{
    std::vector<Remark> out;
    if (replay.waitingSeconds > 0)
        out.push_back({RemarkText::WorkWouldWait, {capacityHours(replay.waitingSeconds)}});
    if (replay.offHours > 0)
        out.push_back({RemarkText::CloudMayLackCapacity, {}});
    if (replay.offHours > 0 && replay.headroom > 0)
        out.push_back({RemarkText::HeadroomOfSamePast, {}});
    if (offer.pool.hours < kCapacityWeeks * kCapacityHoursPerWeek)
        out.push_back({RemarkText::FewWeeks, {}});
    const auto stay = std::count_if(offer.pool.nodes.begin(), offer.pool.nodes.end(),
                                    [](const CapacityNode &node) { return node.terms != CapacityTerms::Ends; });
    if (stay > 0)
        out.push_back(
            {RemarkText::NodesStay, {countTerm(stay), countTerm(static_cast<std::int64_t>(offer.pool.nodes.size()))}});
    return out;
}

// `packs`: the money is that of nodes in use, so the terms of the empty ones are no reason.
std::optional<Remark> capacityExclusion(const CapacityOffer &offer, const CapacityReplay &replay, bool packs)
{
    const CapacityUse &use = offer.use;
    const std::size_t past = offer.pool.hours - std::min(use.firstHour, offer.pool.hours);
    if (offer.pool.standalone)
        return Remark{RemarkText::MachinesInNoCluster, {}};
    if (!packs && use.emptyHours > 0 && use.emptySunkHours == use.emptyHours)
        return Remark{RemarkText::EmptyNodesSunk, {}};
    if (!packs && use.emptyHours > 0 && use.emptySunkHours + use.emptyUndecidedHours == use.emptyHours)
        return Remark{RemarkText::EmptyNodesOfUnknownTerms, {}};
    if (use.unpricedHours > 0)
        return Remark{RemarkText::NodeHoursUnpriced, {countTerm(use.unpricedHours), countTerm(use.presentHours)}};
    if (past < kCapacityLeastHours)
        return Remark{RemarkText::PoolTooYoung,
                      {countTerm(static_cast<std::int64_t>(past / 24)),
                       countTerm(static_cast<std::int64_t>(kCapacityLeastHours / 24))}};
    if (replay.offHours == 0)
        return Remark{RemarkText::PolicyKeepsNodes, {countTerm(replay.headroom)}};
    return std::nullopt;
}

std::string headroomText(const CapacityReplay &replay)
{
    return replay.headroom == 0 ? std::string()
                                : "# Headroom: placeholder pods of a low priority class that request "
            + std::to_string(replay.headroom) + " GPUs in total and give way to work.\n";
}

// For a comment: never more than one line.
std::string capacityGroup(const CapacityPool &pool)
{
    constexpr std::size_t kLongest = 200; // bytes
    return base::printableLine(pool.group.empty() ? pool.name : pool.group, kLongest);
}

std::string slurmHow(const CapacityOffer &offer, const CapacityReplay &replay)
{
    std::string text = "# slurm.conf, for the nodes of " + capacityGroup(offer.pool)
        + "; needs SuspendProgram and ResumeProgram\nSuspendTime=" + std::to_string(offer.policy.delayHours * 3600)
        + "\nResumeTimeout=" + std::to_string(offer.policy.startUp.count()) + "\n";
    const int spare = (replay.headroom + offer.pool.gpus - 1) / offer.pool.gpus;
    if (const int kept = std::max(spare, offer.policy.minimum); kept > 0)
        text += "# SuspendExcNodes=NODES:" + std::to_string(kept) + " keeps as many of them on.\n";
    return text;
}

std::string capacityHow(const CapacityOffer &offer, const CapacityReplay &replay, bool packs)
{
    const std::string delay = std::to_string(offer.policy.delayHours) + "h";
    const std::string group = capacityGroup(offer.pool);
    switch (offer.pool.scaler) {
    case CapacityScaler::Slurm:
        return slurmHow(offer, replay);
    case CapacityScaler::Karpenter:
        return "# Karpenter, NodePool " + group
            + "\nspec:\n  disruption:\n    consolidationPolicy: " + (packs ? "WhenEmptyOrUnderutilized" : "WhenEmpty")
            + "\n    consolidateAfter: " + delay + "\n" + headroomText(replay);
    case CapacityScaler::ClusterAutoscaler:
        break;
    }
    return "# Cluster autoscaler, node group " + group
        + "\n--scale-down-enabled=true\n--scale-down-unneeded-time=" + delay + "\n"
        + (packs ? "--scale-down-gpu-utilization-threshold=0.5\n" : "--scale-down-gpu-utilization-threshold=0.01\n")
        + "# Size of the node group (of an Auto Scaling group: MinSize and MaxSize): minimum "
        + std::to_string(offer.policy.minimum) + ", maximum " + std::to_string(mostNodes(replay.present)) + "\n"
        + headroomText(replay);
}

// Devices of the nodes from which a saving could come.
std::vector<std::string> capacityResources(const CapacityPool &pool, bool packs)
{
    std::vector<std::string> out;
    for (const CapacityNode &node : pool.nodes) {
        bool empty = false;
        for (std::size_t hour = 0; hour < node.hours.size() && !empty; ++hour)
            empty = node.hours.isEmpty(hour);
        if (node.terms == CapacityTerms::Ends && (packs || empty))
            out.insert(out.end(), node.devices.begin(), node.devices.end());
    }
    return out;
}

// False: of no node it is known that its money ends, and of some it is unknown; then the saving is unknown, not zero.
bool knowsPoolTerms(const CapacityPool &pool)
{
    const auto has = [&](CapacityTerms terms) {
        return std::any_of(pool.nodes.begin(), pool.nodes.end(),
                           [&](const CapacityNode &node) { return node.terms == terms; });
    };
    return has(CapacityTerms::Ends) || !has(CapacityTerms::Unknown);
}

// A node that is off is off for the hour.
std::shared_ptr<const std::vector<FreedTime>> nodesOff(const CapacityPool &pool, const CapacityReplay &replay,
                                                       const std::vector<std::string> &devices)
{
    FreedTime out{devices, pool.start, {}};
    for (std::size_t i = 0; i < replay.present.size(); ++i)
        out.hours.push_back(base::GpuTime::wholeDevice(base::Seconds{3600} * (replay.present[i] - replay.needed[i])));
    return std::make_shared<const std::vector<FreedTime>>(std::vector{std::move(out)});
}

Result<Proposal> capacityProposal(const CapacityOffer &offer, const CapacityReplay &replay, bool packs)
{
    Proposal out;
    out.id = capacityId(offer.pool, packs);
    out.kind = Kind::Capacity;
    out.target = offer.pool.name;
    out.owner = offer.pool.owner;
    out.currency = std::string(offer.currency.code());
    out.assumptions = capacityAssumptions(offer, replay.headroom);
    out.evidence = capacityEvidence(offer, replay);
    out.risks = capacityRisks(offer, replay);
    if (!offer.pool.standalone && replay.offHours > 0)
        out.how = capacityHow(offer, replay, packs);
    out.resources = capacityResources(offer.pool, packs);
    out.excludedBy = capacityExclusion(offer, replay, packs);
    if (offer.use.unpricedHours > 0 || !knowsPoolTerms(offer.pool))
        return out;
    const auto band = capacityBand(replay.savedNanos);
    GPULEDGER_TRY(band);
    const auto amount = [&](std::int64_t nanos) { return Money(std::min(nanos, offer.avoidable), offer.currency); };
    out.avoidable = Money(offer.avoidable, offer.currency);
    out.perMonth = MoneyBand{amount(band->p10), amount(band->p50), amount(band->p90)};
    out.frees = nodesOff(offer.pool, replay, out.resources);
    return out;
}

} // namespace

std::string capacityId(const CapacityPool &pool, bool packed)
{
    return "capacity:" + pool.id + (packed ? kPackedPool : "");
}

bool isPacked(const Proposal &proposal)
{
    return proposal.kind == Kind::Capacity && std::string_view(proposal.id).ends_with(kPackedPool);
}

Result<std::vector<Proposal>> offerCapacity(const CapacityPool &pool, const CapacityPolicy &policy,
                                            base::Currency currency)
{
    std::vector<Proposal> out;
    const auto replay = replayCapacity(pool, policy);
    GPULEDGER_TRY(replay);
    const auto packed = replayPackedCapacity(pool, policy);
    GPULEDGER_TRY(packed);
    CapacityOffer offer{pool, policy, currency, capacityUse(pool)};
    const bool packs = !pool.standalone && packed->offHours > replay->offHours;
    if (offer.use.emptyHours == 0 && !packs)
        return out;
    const auto spent = capacityAvoidable(pool);
    GPULEDGER_TRY(spent);
    const auto avoidable = capacityPerMonth(*spent, pool.hours);
    GPULEDGER_TRY(avoidable);
    offer.avoidable = std::max<std::int64_t>(*avoidable, 0);
    if (offer.use.emptyHours > 0) {
        auto stays = capacityProposal(offer, *replay, false);
        GPULEDGER_TRY(stays);
        if (packs)
            stays->evidence.push_back({{RemarkText::NodesSufficedPacked, {}}, medianNodes(packed->needed)});
        out.push_back(std::move(*stays));
    }
    if (packs) {
        auto moves = capacityProposal(offer, *packed, true);
        GPULEDGER_TRY(moves);
        const auto kept = keptNodes(pool, *replay, *packed);
        GPULEDGER_TRY(kept);
        addKeptNodes(moves->evidence.change(), offer, *kept, moves->perMonth.has_value());
        std::vector<Remark> &risks = moves->risks.change();
        risks.insert(risks.begin(), {RemarkText::WorkMovesAtRisk, {}});
        if (!moves->excludedBy)
            moves->excludedBy = Remark{RemarkText::WorkMoves, {}};
        out.push_back(std::move(*moves));
    }
    return out;
}

Result<ProposalBasis> capacityBasis(const CapacityPool &pool, const CapacityPolicy &policy, base::Currency currency,
                                    bool packed, base::UtcTime start)
{
    constexpr base::Seconds kHour{3600};
    const auto replay = packed ? replayPackedCapacity(pool, policy) : replayCapacity(pool, policy);
    GPULEDGER_TRY(replay);
    BasisHours hours(pool.hours);
    hours.saved = replay->savedNanos;
    for (std::size_t i = 0; i < pool.hours; ++i) {
        const std::int64_t off = replay->present[i] - replay->needed[i];
        hours.time[i] = base::GpuTime::wholeDevice(off * pool.gpus * kHour);
        for (const CapacityNode &node : pool.nodes) {
            const CapacityHour one = node.hours[i];
            const bool ends = node.terms == CapacityTerms::Ends && one.present;
            if (ends && __builtin_add_overflow(hours.spend[i], one.nanos, &hours.spend[i]))
                return base::fail(base::ErrorCode::Overflow, "the cost of a pool is too large");
        }
    }
    hours.paid = hours.spend;
    ProposalBasis out;
    out.currency = currency;
    out.hours = static_cast<std::int64_t>(pool.hours);
    out.inputs = {{"node-hours off", static_cast<double>(replay->offHours), "h"},
                  {"headroom", static_cast<double>(replay->headroom), "GPUs"}};
    GPULEDGER_TRY(addDays(out, start, hours, "off"));
    GPULEDGER_TRY(addWeeks(out, hours.saved, kCapacityWeeks));
    return out;
}

} // namespace gpuledger::savings
