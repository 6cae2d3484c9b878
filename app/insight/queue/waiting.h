// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money.h"
#include "app/insight/idle/idle.h"
#include "app/model/waiting.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Idle while others wait (definitions.md, Idle: blocked, by lending): which idle GPU would serve which waiting job, and
// what blocks the others. Pure; any thread.
//
// The oldest job comes first (those without a known age last, then by id). All GPUs of a job are on one node of its
// cluster; the pods of a Workload that has several get a node each, all or none. It is given the node where the fewest
// idle GPUs have to be freed; ties: the fewest workloads, the fewest GPUs left over, the node's name. Idle workloads
// end whole: what the job does not need of them serves the next ones. A protected workload is never freed.
//
// A job that no node can serve is told the node that lacks least (fewest obstacles, then the first of Blocker's order,
// then most idle GPUs, then the name), and its blocker is the first of that node's obstacles.
//
// A source that does not tell selectors, tolerations or requests is no obstacle: `unchecked` says what was not looked
// at. Affinities, volumes and priorities are never looked at; nor is the quota that an idle workload would free.
namespace gpuledger::insight {

enum class Blocker : std::uint8_t {
    HeldByIdle = 0, // idle workloads hold what it needs: stopping them serves it
    Quota, // its queue has no quota left
    Taint, // the node is cordoned, or has a taint that the job does not tolerate
    NoCpu, // no CPU left on the node
    NoMemory,
    Protected, // idle workloads hold it that must not be stopped
    Scattered, // enough is idle on nodes that lack nothing else, but not on one
    MigLeftovers, // MIG slices of another size
    Flavour, // another kind of GPU or node than it asks for
    NoIdleGpu, // nothing that is idle could help
    NotSeen, // GPUs are free for it, and nothing that is known keeps them from it
    SizeUnknown, // it is not told what it wants
};
inline constexpr std::size_t kBlockers = 12;
std::string_view toString(Blocker blocker); // "held-by-idle", "quota", …

// GPUs (or slices) of one idle workload, or free ones of the node.
struct IdlePart {
    std::string idle; // IdleItem::id; empty: held by nobody
    std::string name; // of the workload
    std::string resource; // of the units
    std::int64_t units = 0;
    std::optional<base::Money> perHour; // of these units; null: unpriced
    std::optional<base::UtcTime> since; // idle since; null: not known
};

struct WaitingItem {
    std::string id; // stable: cluster/namespace/name/uid
    model::WaitingWork work;
    bool isServed = false; // by freeing the idle workloads of `parts`
    std::string node; // that would serve it, or that lacks least; empty: none; several of a Workload: "a, b"
    std::vector<IdlePart> parts; // what it would take there; of another kind where the blocker is about the kind
    Blocker blocker = Blocker::NoIdleGpu;
    std::vector<Blocker> obstacles; // all of that node's; empty when it is served
    struct Unchecked {
        bool selector = false, tolerations = false, cpu = false, memory = false, others = false;
        bool operator==(const Unchecked &) const = default;
    } unchecked;
    // Of `parts`: units x (rate an hour of the workload / its units), free ones at the rate of their node; a month has
    // 730 h. Lost: the same rate for the time in which the job waited and the GPU was idle. Null: of a part not known.
    std::optional<base::Money> perHour, perMonth, lost;
};

// Each unit is in one sum only: that of the oldest job which it could serve.
struct BlockerSum {
    std::size_t jobs = 0;
    std::int64_t wanted = 0, units = 0, unpriced = 0; // GPUs wanted; idle units, those without a price
    std::optional<std::int64_t> perMonth; // nano-units, of what has a price; null: nothing has
    std::optional<std::int64_t> lost; // nano-units; null: of a part not known
    bool isLostKnown = true; // so far
};

struct WaitingList {
    base::UtcTime at{};
    bool isKnown = false; // false: no source can tell whether anything waits; then there are no items
    struct Source {
        std::string name;
        bool isKnown = false;
        std::string reason; // why not, plain text
        std::vector<std::string> missing; // metrics or lists that would tell more
        std::vector<std::string> clusters; // those that its word counts for
    };
    std::vector<Source> sources;
    std::vector<WaitingItem> items; // oldest first
    std::array<BlockerSum, kBlockers> sums; // by the enumeration's number
    std::size_t leftOut = 0; // waiting jobs beyond kMostJobs, the youngest
};
inline constexpr std::size_t kMostJobs = 2000;

// What one whole GPU of a node costs an hour, by cluster and node.
using NodeRates = std::map<std::pair<std::string, std::string>, base::Money>;

// Items and sums of the list at `idle.at`; the caller adds the sources.
WaitingList matchWaiting(const model::WaitingFacts &facts, const IdleList &idle, const NodeRates &rates,
                         base::Currency currency);
// Leaves out the items that are not chosen, and adds the sums up anew.
void keep(WaitingList &list, const std::function<bool(const WaitingItem &)> &isChosen);

} // namespace gpuledger::insight
