// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/insight/idle/idle.h"
#include "app/model/fleet/waiting.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Matches waiting jobs with idle capacity: which idle GPUs would serve which job, and what blocks the other jobs. Pure;
// any thread.
//
// The oldest job comes first (jobs of unknown age last, then by id). All GPUs of a job are on one node of its cluster;
// if a Workload has several pods, each is placed on a node, all or none. A job is placed on the node where the fewest
// idle GPUs have to be freed; ties: the fewest workloads, the fewest GPUs left over, the node's name. Idle workloads
// are stopped as a whole: what the job does not need of them serves the next jobs. A protected workload is never freed.
//
// For a job that no node can serve, the node that lacks least is reported (fewest obstacles, then the first in
// Blocker's order, then most idle GPUs, then the name); the job's blocker is the first of that node's obstacles.
//
// A source that does not report selectors, tolerations or requests is not an obstacle: `unchecked` lists what was not
// checked. Affinities, volumes and priorities are never checked; nor is the quota that stopping an idle workload would
// release.
namespace gpuledger::insight {

enum class Blocker : std::uint8_t {
    HeldByIdle = 0, // idle workloads hold what it needs: stopping them serves the job
    Quota, // its queue has no quota left
    Taint, // the node is cordoned, or has a taint that the job does not tolerate
    NoCpu, // no CPU left on the node
    NoMemory,
    Protected, // held by idle workloads that must not be stopped
    Scattered, // enough is idle across nodes that lack nothing else, but not on a single node
    MigLeftovers, // only MIG slices of another size
    Flavour, // another kind of GPU or node than requested
    NoIdleGpu, // no idle GPU could help
    NotSeen, // GPUs are free for it, and no known reason keeps it waiting
    SizeUnknown, // its request is not reported
};
inline constexpr std::size_t kBlockers = 12;
std::string_view toString(Blocker blocker); // "held-by-idle", "quota", …

// GPUs (or slices) of one idle workload, or free ones of the node.
struct IdlePart {
    std::string idle; // IdleItem::id; empty: unallocated
    std::string name; // of the workload
    std::string resource; // of the units
    std::int64_t units = 0;
    std::optional<base::Money> perHour; // of these units; null: no price
    std::optional<base::UtcTime> since; // idle since; null: unknown
};

// A waiting job, and the capacity that would serve it or the reason why none can.
struct WaitingItem {
    std::string id; // stable: cluster/namespace/name/uid
    model::WaitingWork work;
    bool isServed = false; // by stopping the idle workloads of `parts`
    std::string node; // the node that would serve it, or that lacks least; empty: none; for a Workload with several
                      // pods: "a, b"
    std::vector<IdlePart> parts; // what it would use there; of another kind if the blocker is about the kind
    Blocker blocker = Blocker::NoIdleGpu;
    std::vector<Blocker> obstacles; // all of that node's; empty if the job is served
    struct Unchecked {
        bool selector = false, tolerations = false, cpu = false, memory = false, others = false;
        bool operator==(const Unchecked &) const = default;
    } unchecked;
    // Of `parts`: units x (hourly rate of the workload / its units), free ones at the rate of their node; a month has
    // 730 h. Lost: the same rate for the time in which the job waited and the GPU was idle. Null if part of it is
    // unknown.
    std::optional<base::Money> perHour, perMonth, lost;
};

// Each unit is in one sum only: that of the oldest job it could serve.
struct BlockerSum {
    std::size_t jobs = 0;
    std::int64_t wanted = 0, units = 0, unpriced = 0; // GPUs wanted; idle units, and those without a price
    std::optional<std::int64_t> perMonth; // nano-units, of the part with a price; null: nothing has one
    std::optional<std::int64_t> lost; // nano-units; null: part of it is unknown
    bool isLostKnown = true; // so far
};

// The waiting jobs at an instant, with sums by blocker.
struct WaitingList {
    base::UtcTime at{};
    bool isKnown = false; // false: no source reports whether anything waits; then there are no items
    struct Source {
        std::string name;
        bool isKnown = false;
        std::string reason; // why not, in plain text
        std::vector<std::string> missing; // metrics or lists that would provide more
        std::vector<std::string> clusters; // those that its answer applies to
    };
    std::vector<Source> sources;
    std::vector<WaitingItem> items; // oldest first
    std::array<BlockerSum, kBlockers> sums; // indexed by the enumeration's value
    std::size_t leftOut = 0; // waiting jobs beyond kMostJobs, the youngest
};
inline constexpr std::size_t kMostJobs = 2000;

// Hourly price of one whole GPU of a node, by cluster and node.
using NodeRates = std::map<std::pair<std::string, std::string>, base::Money>;

// Items and sums of the list at `idle.at`; the caller adds the sources.
WaitingList matchWaiting(const model::WaitingFacts &facts, const IdleList &idle, const NodeRates &rates,
                         base::Currency currency);
// Removes the items that are not chosen, and recomputes the sums.
void keep(WaitingList &list, const std::function<bool(const WaitingItem &)> &isChosen);

} // namespace gpuledger::insight
