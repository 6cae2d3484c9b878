// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/gputime.h"
#include "app/base/time/time.h"
#include "app/savings/proposals/basis.h"
#include "app/savings/proposals/curve.h"
#include "app/savings/proposals/proposal.h"
#include "app/savings/rightsize/rightsizefit.h"

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Smaller machines for workloads that have machines to themselves, replayed on the past (definitions.md, Savings:
// Right-size). Pure; any thread.
namespace gpuledger::savings {

// One hour in which a workload was the only one on some machines whose money ends with them and is known.
struct RightSizeHour {
    std::int32_t hour = 0; // since the start of the past
    std::int32_t machineSeconds = 0; // paid
    // Nano-units of whole machines: paid, and the part of it that is not above the list price. A saving is counted from
    // the latter, so that a bill above the list price is not taken for a size.
    std::int64_t cost = 0, base = 0;
};

struct RightSizeWorkload {
    std::string id, target, owner; // as in Proposal
    std::string cluster, nameSpace, controllerKind, controllerName; // the last two are empty for a bare pod
    WorkTier tier = WorkTier::Production;
    bool inference = false, training = false;
    bool pod = false; // of Kubernetes
    std::int32_t gpu = -1; // index into RightSizePast::gpus; -1: not in the catalogue
    std::int32_t market = -1; // index into RightSizePast::markets; -1: the cloud is unknown
    bool severalModels = false, severalMarkets = false, sliced = false;
    std::string machine; // instance type; empty: unknown or several
    int machineGpus = 0; // most GPUs of one machine
    int heldGpus = 0, usedGpus = 0; // most at the same time on one machine
    int podGpus = 0; // most that one pod or job used at the same time
    bool spread = false; // one pod or job held GPUs of several machines at the same time, or several worked together
    RightSizeLoads loads; // of the GPUs in use, as far as memory and activity are known
    // GPU time held, and parts of it.
    base::GpuTime held, unobserved, memoryUnknown, sunk, shared, unknown;
    base::GpuTime unpriced; // also where the rest of a machine that it has to itself has no price
    base::GpuTime spot; // on machines that the cloud may take back
    base::GpuTime coarse; // with GPU utilization, which says how long something ran, not how much
    std::int32_t firstHour = 0, lastHour = 0;
    std::int64_t cost = 0; // nano-units, of all that it held
    std::vector<RightSizeHour> hours; // ascending, one for each hour
    // Sums over `hours` of machineSeconds, cost and base, without spot machines.
    std::int64_t ownSeconds = 0, ownCost = 0, ownBase = 0;
    std::vector<std::string> resources; // devices of the machines of `hours`
};

// Work that no list shows by itself, because it never had a machine to itself: as little of it as its slice needs.
struct RightSizeSliceWork {
    int heldGpus = 0, usedGpus = 0; // as in RightSizeWorkload
    bool inference = false;
    RightSizePeak peak;
    base::GpuTime held, unobserved, memoryUnknown; // the last two are parts of the first
};

struct RightSizePlace {
    std::string cloud, region;
};

struct RightSizePast {
    std::int32_t hours = 0;
    base::Currency currency;
    std::vector<RightSizeGpu> gpus;
    std::vector<std::vector<RightSizeOffer>> markets; // what a cloud offers in a region
    std::vector<RightSizePlace> places; // of each market
    std::vector<RightSizeWorkload> workloads; // in the order in which they appeared
    // Of other workloads of the last week, those for which a slice may be enough; by cluster and GPU.
    std::map<std::pair<std::string, std::int32_t>, std::vector<RightSizeSliceWork>> sliceWork;
    // Sums of other workloads that held nothing in the last week, without hours, loads and an owner: what the spot
    // engine needs of earlier runs. Neither the first nor the last of a series is among them, nor a right-size
    // proposal.
    std::vector<RightSizeWorkload> earlier;
    std::vector<std::uint64_t> earlierNames; // rightSizeName() of each workload in these sums, ascending
    base::UtcTime start{}; // of the first hour
};

// What counts of a workload for the packing of slices, whatever is assumed; std::nullopt: nothing. Reads of the past
// only how long it is.
std::optional<RightSizeSliceWork> sliceWorkOf(const RightSizePast &past, const RightSizeWorkload &one);

// A number for a workload of a cluster; two names may have the same one, with a chance of 1 in 10^19.
std::uint64_t rightSizeName(std::string_view cluster, std::string_view target);

struct RightSizeRules {
    int mostMemoryPercent = 85; // p99 of the card's memory; above, nothing is proposed
    int mostUnknownPercent = 20; // of the held time: not observed, without memory, without a price
    int mostSharedPercent = 5; // of the held time on machines that others used in the same hour
    RightSizeHeadroom headroom;
    int mostTooSmallProduction = mostTooSmallPermille(WorkTier::Production); // permille of the time in use
    int mostTooSmallOther = mostTooSmallPermille(WorkTier::Batch);
    std::size_t mostExcluded = 20; // the costliest; others that do not count are not listed

    int mostTooSmall(WorkTier tier) const
    {
        return tier == WorkTier::Production ? mostTooSmallProduction : mostTooSmallOther;
    }
};

// One proposal for each workload that held something in the last week, has one GPU model and could do with less, and
// the costliest of those that do not count, by falling cost. Then, for each cluster and MIG card, one that never counts
// and says on how many cards small workloads would fit as slices: a slice has no price of its own. perMonth = (base -
// price of the other machine x machine hours) / hours of the past x 730, as capacityBand() gives it, never above
// `avoidable`, which is the cost of the machines. Fails with Cancelled and Overflow.
[[nodiscard]] base::Result<std::vector<Proposal>>
proposeRightSizes(const RightSizePast &past, const RightSizeRules &rules = {}, const std::stop_token &stop = {});

// Of the proposal with this id: the share of the GPU time in use that needed no more than so much memory of its GPU.
// Marks what is needed (the p99 with its headroom) and the usable memory of the present and the proposed GPU.
// std::nullopt: there is no such workload, or its memory use is unknown. Fails with Overflow.
[[nodiscard]] base::Result<std::optional<ProposalCurve>>
rightSizeCurve(const RightSizePast &past, const std::string &id, const RightSizeRules &rules = {});

// What the figures of the proposal with this id were computed from; `start` is that of the past. Rows: by day, what its
// machines cost up to the list price, and that less the price of the other machine for the same time. std::nullopt:
// there is no such workload, or no other machine for it. Fails with Overflow.
[[nodiscard]] base::Result<std::optional<ProposalBasis>>
rightSizeBasis(const RightSizePast &past, const std::string &id, base::UtcTime start, const RightSizeRules &rules = {});

} // namespace gpuledger::savings
