// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/gputime.h"
#include "app/base/time/time.h"
#include "app/model/money/placementrating.h"
#include "app/savings/assumptions/assumptions.h"
#include "app/savings/proposals/basis.h"
#include "app/savings/proposals/curve.h"
#include "app/savings/proposals/proposal.h"
#include "app/savings/spot/capacity/spothistory.h"

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

// Spot machines for training and batch work that has rented machines to itself, replayed on its past runs
// (definitions.md, Savings: Spot). Pure; any thread. Times in whole seconds.
namespace gpuledger::savings {

enum class SpotAnswer : std::uint8_t { Unknown, Yes, No };

// One run of a workload. With several machines at the same time, an interruption of one stops all.
struct SpotPastRun {
    std::int64_t seconds = 0;
    int machines = 1;
    base::UtcTime start{};
};

// What the pods of a workload wrote to disks of their nodes in hours in which they worked, where that is recorded.
struct SpotWrites {
    std::int64_t bursts = 0; // times that a pod began to write much (model::HourSignal::WriteBursts)
    std::int64_t seconds = 0; // in which that would have been seen, of all pods
    std::int64_t longestWithout = 0; // seconds, of hours without a burst that follow each other
    bool operator==(const SpotWrites &) const = default;
};
// The mean time between bursts in seconds, to the nearest five minutes, if they look like checkpoints: there are at
// least kFewestBursts, and no more than three times that long passed without one.
std::optional<std::int64_t> checkpointsSeen(const SpotWrites &writes);
inline constexpr std::int64_t kFewestBursts = 5;

// All runs of one workload. Jobs whose names differ in a generated end are one workload.
struct SpotCandidate {
    std::string id, target, owner; // as in Proposal
    std::string nameSpace; // of a pod
    bool pod = false; // of Kubernetes
    bool batch = false; // training or batch work; false: `inference` or work of people
    bool inference = false; // or of unknown kind
    model::WorkloadKind work = model::WorkloadKind::Batch; // one of kAssumedWork
    std::int32_t market = -1; // index into SpotPast::markets; -1: cloud or machine type unknown
    bool severalMarkets = false;
    // GPU time held, and parts of it: committed or owned, on machines that others used too, on machines of unknown
    // terms, without a price, on spot machines.
    base::GpuTime held, sunk, shared, unknown, unpriced, spot;
    std::int64_t cost = 0; // nano-units, of all that it held
    // Machines on demand that it had to itself: paid time; nano-units, and the part of these that is not above the list
    // price, from which a saving is counted.
    std::int64_t ownSeconds = 0, ownCost = 0, ownBase = 0;
    bool tooLarge = false; // an amount overflows; those given are not to be used
    std::vector<std::string> resources; // devices of these machines
    std::int32_t firstHour = 0, lastHour = 0; // of the past
    // Gaps end a run. One that goes on, or that began before the data, is at least as long as the longest that was seen
    // whole; if none was, they aren't in `runs`, because their length is unknown.
    std::vector<SpotPastRun> runs;
    int unfinished = 0; // runs that go on
    int begunEarlier = 0; // runs that ended, and began before the data
    int restarts = 0; // pods that began again within a run
    // Machine seconds by hour of the past, where they are known; ascending. The rest of `ownSeconds` is taken to be
    // spread evenly from the first to the last hour.
    std::vector<std::pair<std::int32_t, std::int32_t>> ownHours;
    std::optional<std::int64_t> checkpointEvery, deadline; // as it states; the deadline after a run's start
    SpotWrites writes;
    std::optional<base::UtcTime> deadlineAt; // or as a time, which says nothing about a run that starts after it
    SpotAnswer interruptible = SpotAnswer::Unknown; // as it states, which decides for work of every kind
    std::map<std::string, std::string> misread; // annotations whose value can't be read, by name
};

// What a spot machine-hour costs.
struct SpotPrice {
    std::vector<base::Rate> perHour; // of the whole machine; one for each day that has one
    std::vector<std::int64_t> seconds; // machine time paid at each of them, which makes it likely; empty: all alike
    std::vector<base::Day> days = {}; // of each of them, ascending; empty: not known
    bool published = false; // one price, from the published discount to the on-demand price
    bool ofHistory = false; // prices of the interruption history
    bool listed = false; // prices that a price list or a source tells; none of the three: what bills say
    bool otherRegion = false; // the discount is to the list price of another region, because its own is not listed
    std::string source; // of the published one; the files of the history; the lists
    std::optional<base::Day> seen; // the newest; of lists, when they were read last
    bool operator==(const SpotPrice &) const = default;
};

enum class SpotBasis : std::uint8_t {
    None, // nothing is known: unknown, not zero
    History, // intervals with and without capacity
    Telemetry, // spot nodes of the user's own that vanished with work on them, or whose pods state an interruption
    Published, // a rate of the cloud's, without waiting for capacity
};

struct SpotInterruptions {
    SpotBasis basis = SpotBasis::None;
    std::vector<SpotTrace> history;
    // Second of the history in which the futures begin; empty: its end. After its end, the state then is not known.
    std::optional<std::int64_t> now;
    double perHour = 0; // of running, for the two rates
    int events = 0; // of the telemetry
    std::string band; // as published
    std::string source; // who published it; the files of the history
    std::optional<base::Day> seen;
    int podEvents = 0; // of `events`: those that pods state, whose machine stayed
};

// Another machine type in the same cloud and region, on which everything that runs on the market's type runs, too.
struct SpotOther {
    std::string machine;
    SpotPrice price; // not empty
    std::vector<SpotTrace> history; // not empty
};

// One machine type in a cloud and region.
struct SpotMarket {
    std::string cloud, region, machine;
    std::optional<SpotPrice> price; // empty: unknown
    SpotInterruptions interruptions;
    std::vector<SpotOther> others = {}; // only with a history; ascending by machine
    std::optional<model::PlacementRating> placement = {}; // the newest that asked for this type; evidence alone
};

// A file with a history that was not used.
struct SpotUnread {
    std::string file, why;
};

struct SpotPast {
    std::int32_t hours = 0;
    base::Currency currency; // of all amounts
    std::vector<SpotMarket> markets;
    std::vector<SpotCandidate> candidates;
    base::UtcTime start{}; // of the first hour
    std::vector<SpotUnread> unread = {};
};

// "the interruption history FILE was not used: WHY"
Remark unreadRemark(const SpotUnread &file);

struct SpotRules {
    int mostUnpricedPercent = 20; // of the held time
    int mostSharedPercent = 5; // of the held time, on machines that others used in the same hour
    int mostSpotPercent = 50; // of the held time; above, it is on spot already
    int paths = 1000; // futures; fewer if the past has many runs
    int mostRuns = 200'000; // steps in all futures of one workload: runs, or states that they go through if more
    int mostSteps = 1'000'000; // in all futures of all workloads; each has enough for kFewestSpotPaths
    std::uint64_t seed = 1;
    std::size_t mostExcluded = 20; // the costliest; others that do not count are not listed
};

// One proposal for each workload that held something in the last week, by falling cost. In each future every run of the
// past is repeated on spot machines: writes checkpoints, loses what came after the last one, waits and restarts. What
// does not end within the horizon is counted as if it were then done on demand. perMonth = (base of its machines on
// demand - spot cost of the same machine time, lengthened by the future) / hours of the past x 730, never above
// `avoidable`, which is the cost of these machines. With a history of several zones each run moves between these (see
// spotpools.h), or uses the best of them alone if that saves more (see spotzones.h); with other machine types it also
// moves between types if that saves more (see spottypes.h). The evidence says which, and what the other would give. p10
// comes from the p90 of the cost. The checkpoints are those of its labels, else the assumption. A run without
// checkpoints at a constant rate takes (1/l)(e^(ls) - 1) hours (Daly, see daly.h): if that is more than kSpotHopeless
// times the work, and neither a label nor a changed assumption says that it writes some, it is refused. So is, without
// a replay, what takes that long by the same source with its checkpoints, and what has too many states for a replay.
// Amounts that overflow refuse their workload only. Fails with Cancelled.
[[nodiscard]] base::Result<std::vector<Proposal>> proposeSpots(const SpotPast &past, const Assumptions &assumptions,
                                                               const SpotRules &rules = {},
                                                               const std::stop_token &stop = {});

inline constexpr int kSpotCurvePaths = 300; // fewer if the past has many runs

// Of the proposal with this id: what spot machines cost, as a share of what the same machines cost on demand (its
// base), against the time between checkpoints: twelve from a minute to four hours and the one that the proposal counts
// with. Replayed as in the proposal, in the first of its futures; with as many paths both are the same. Marks the
// cheapest of these times and the counted one. std::nullopt: there is no such workload, or it has nothing to replay.
// Fails with Cancelled and Overflow.
[[nodiscard]] base::Result<std::optional<ProposalCurve>> spotCurve(const SpotPast &past, const Assumptions &assumptions,
                                                                   const std::string &id, const SpotRules &rules = {},
                                                                   const std::stop_token &stop = {});

// What the figures of the proposal with this id were computed from; `start` is that of the past. Rows: each run with
// its share of what the machines cost up to the list price, and that less its mean cost on spot machines. std::nullopt:
// there is no such workload, or it was not replayed. Fails as proposeSpots().
[[nodiscard]] base::Result<std::optional<ProposalBasis>> spotBasis(const SpotPast &past, const Assumptions &assumptions,
                                                                   const std::string &id, base::UtcTime start,
                                                                   const SpotRules &rules = {},
                                                                   const std::stop_token &stop = {});

} // namespace gpuledger::savings
