// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/gputime.h"
#include "app/base/time/time.h"
#include "app/savings/capacity/capacityhours.h"
#include "app/savings/capacity/sharecounts.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

// How many nodes of a pool would have sufficed: a policy for scaling it down, replayed over its past hour by hour. Pure
// functions of plain values; any thread. Money is in nano-units of one currency.
namespace gpuledger::savings {

// Whether a node's money ends with the node.
enum class CapacityTerms : std::uint8_t {
    Ends, // rented on demand or as spot
    Sunk, // committed, reserved or owned
    Unknown, // counts like Sunk
};

// What sets the size of the pool, as far as its labels and holders tell.
enum class CapacityScaler : std::uint8_t { ClusterAutoscaler, Karpenter, Slurm };

// Work that holds GPUs of a pool.
struct CapacityWork {
    std::string name; // "eks-prod/research/Deployment/chat", as shown
    std::string owner; // a team; empty: nobody, or several
};

// What holds at most a quarter of a node's GPUs, in hours that follow each other.
struct SmallHold {
    std::uint32_t first = 0, count = 0; // hours
    std::vector<std::uint16_t> shares; // sizes of what CapacityPool::shares counts
    std::vector<std::uint32_t> work; // indexes into CapacityPool::work, ascending
};

// What waited in one hour for GPUs of a pool's kind.
struct WaitingHour {
    bool known = false; // false: not recorded in all of the hour
    std::uint16_t seconds = 0; // in which anything waited
    std::uint16_t least = 0; // GPUs, on one node, that the smallest of all requests asked for; 0: nothing waited
    std::uint16_t unknownSeconds =
        0; // in which something waited that may have asked for another kind; not in the others
};

struct CapacityNode {
    std::string name;
    CapacityTerms terms = CapacityTerms::Unknown;
    std::vector<std::string> devices; // ids of the facts
    CapacityHours hours; // as many as the pool has
    std::vector<SmallHold> small; // ascending by hour; only hours that are known
};

// Nodes that can replace each other: one cluster, node group, machine type, number of GPUs and way of paying.
struct CapacityPool {
    std::string id, name; // the name as shown
    std::string cluster; // empty: none
    std::string group; // node group or node pool of the platform; empty: unknown
    std::string owner; // a team; empty: several, or nobody
    CapacityScaler scaler = CapacityScaler::ClusterAutoscaler;
    bool standalone = false; // no scheduler places work on these machines
    int gpus = 1; // of a node
    std::string gpuModel = {}; // empty: unknown
    std::size_t hours = 0; // of the range
    std::vector<CapacityNode> nodes;
    // By hour, of the known nodes: GPUs that one holder has on one node, at the time when the node had most of them
    // held. GPUs with a common holder, and holders with a common GPU, are one share.
    std::vector<ShareCounts> shares;
    std::vector<CapacityWork> work; // that SmallHold names
    std::vector<WaitingHour> waiting; // as many as the pool has hours; empty: nothing is known
    base::GpuTime unallocated; // in the range
    base::UtcTime start{}; // of the first hour
};

// A node with so few held GPUs, but some, is small.
constexpr bool isSmallHold(int held, int gpus)
{
    return held > 0 && 4 * held <= gpus;
}

struct CapacityPolicy {
    int delayHours = 1; // without any allocated GPU before a node may leave; at least 1
    double headroom = 0.99; // quantile of the GPUs newly allocated in an hour; so many stay free
    int minimum = 0; // nodes
    base::Seconds startUp{600}; // until a node can be used
    // Set for this pool, instead of being assumed of every pool.
    bool ownDelay = false, ownMinimum = false, ownStartUp = false;
};

struct CapacityReplay {
    std::vector<std::int32_t> present, needed; // nodes, by hour; those that would have been off are the difference
    std::vector<std::int64_t> savedNanos; // by hour; never above what the nodes that leave cost in that hour
    std::int64_t offHours = 0; // node-hours
    std::int64_t waitingSeconds = 0; // GPU-seconds that work would have waited for nodes to start
    int headroom = 0; // GPUs
};

// Nothing moves. In an hour a node may be off if its money ends, and it was present and empty in this hour and in the
// `delayHours` before. Before the hour, so many nodes are kept on: those that were not empty for the delay, the
// headroom (whole empty nodes, ceil(headroom / gpus)) beyond those that were in use in the hour before, and the
// minimum. Work that arrives at a node that is off takes an empty one that is on; what finds none waits for the start.
// An hour off saves the mean cost of the nodes that were empty in this hour and the one before. Fails with Overflow.
[[nodiscard]] base::Result<CapacityReplay> replayCapacity(const CapacityPool &pool, const CapacityPolicy &policy);

// The same if each hour's shares were packed anew into as few nodes as packedNodes() needs, but never into more than
// were in use; work moves. An hour off saves the mean cost of the present nodes whose money ends. Fails with Overflow.
[[nodiscard]] base::Result<CapacityReplay> replayPackedCapacity(const CapacityPool &pool, const CapacityPolicy &policy);

// Nodes for these shares, none of which is split, by first-fit decreasing: at most 11/9 of the optimum + 6/9 (G. Dosa,
// "The tight bound of first fit decreasing bin-packing algorithm", ESCAPE 2007), and the optimum if the sizes divide
// each other and the node (Coffman, Garey and Johnson, "Bin packing with divisible item sizes", 1987). A share that is
// larger than a node counts as a whole one.
int packedNodes(const ShareCounts &shares, int gpus);

// GPUs newly allocated in each hour after the first in which the nodes are known before and after.
std::vector<std::int64_t> capacityArrivals(const CapacityPool &pool);
// Nearest-rank quantile of values; 0 if there are none.
std::int64_t capacityQuantile(std::vector<std::int64_t> values, double quantile);

// What was, summed over the range.
struct CapacityUse {
    std::int64_t presentHours = 0, emptyHours = 0, unknownHours = 0; // node-hours
    std::int64_t unpricedHours = 0; // of the nodes whose money ends
    std::int64_t emptySunkHours = 0, emptyUndecidedHours = 0; // of the empty ones
    std::int64_t smallHours = 0; // node-hours with something held, but at most a quarter of the GPUs
    std::int64_t fragmentHours = 0; // GPU-hours that were free on nodes with something held
    std::size_t firstHour = 0; // in which a node was present
};
CapacityUse capacityUse(const CapacityPool &pool);

// The cost of all present nodes whose money ends. Fails with Overflow.
[[nodiscard]] base::Result<std::int64_t> capacityAvoidable(const CapacityPool &pool);

// Nano-units per month of 730 hours.
struct CapacityBand {
    std::int64_t p10 = 0, p50 = 0, p90 = 0;
};
inline constexpr std::size_t kCapacityHoursPerWeek = 168;
inline constexpr std::size_t kCapacityWeeks = 3; // for a spread
// From savings by hour: the newest whole weeks, drawn with replacement 1,000 times by a fixed seed. With fewer than
// kCapacityWeeks of them all three are the mean of all hours. Fails with Overflow.
[[nodiscard]] base::Result<CapacityBand> capacityBand(std::span<const std::int64_t> savedNanos);
// An amount of `hours` as an amount of a month, rounded down. Fails with Overflow.
[[nodiscard]] base::Result<std::int64_t> capacityPerMonth(std::int64_t nanos, std::size_t hours);

} // namespace gpuledger::savings
