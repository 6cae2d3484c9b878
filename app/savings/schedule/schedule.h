// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/gputime.h"
#include "app/base/time/time.h"
#include "app/base/time/timezone.h"
#include "app/savings/proposals/basis.h"
#include "app/savings/proposals/curve.h"
#include "app/savings/proposals/proposal.h"

#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

// Replays off-hours on the real past of workloads (definitions.md, Savings: Schedule). Pure; any thread.
namespace gpuledger::savings {

inline constexpr int kScheduleWeekHours = 168;
using OffHours = std::bitset<kScheduleWeekHours>; // local hours of the week; bit 0 = Monday 00:00-01:00

struct SchedulePolicy {
    std::string name; // "nights"
    std::string hours; // as shown: "daily 20:00-07:00"
    std::string stopAt, startAt; // the five fields of cron, local time
    OffHours off;
};
// "nights" (20:00 to 07:00), "weekends" and "nights and weekends".
const std::vector<SchedulePolicy> &schedulePolicies();

// One hour in which a workload held something, over all its devices.
struct ScheduleHour {
    std::int32_t hour = 0; // since the start of the past
    base::GpuTime held, active, unobserved, unpriced; // the last three are parts of `held`
    std::int64_t cost = 0; // nano-units, of the part of `held` with a price
};

// Money of one hour on one machine that would have ended with the workload, because nobody but those named in `with`
// held a part of the machine, and its terms let it end.
struct ScheduleEnding {
    std::int32_t hour = 0;
    std::int32_t with = 0; // index into SchedulePast::groups
    std::int64_t cost = 0, idle = 0; // nano-units; `idle` is the part of `cost` in which it did no work
    base::GpuTime machine = {}; // machine time that ends; of several workloads on a machine, by their GPU time
};

// What a schedule could be applied to.
struct ScheduleWorkload {
    std::string id, target, owner; // as in Proposal
    std::optional<Remark> why; // it can be scheduled: "notebook", "namespace dev"
    std::string protection; // the rule by which it must not be stopped; empty: it may be
    std::string cluster; // empty: unknown
    std::string nameSpace, controllerKind, controllerName; // of Kubernetes; the last two are empty for a bare pod
    int replicas = 1; // pods in the newest bucket in which it held something
    std::vector<ScheduleHour> hours; // ascending, one for each hour
    std::vector<ScheduleEnding> endings; // ascending by hour, one for each machine
    // Held time whose money would not have ended: committed or the user's own; on a machine that others used; on a
    // machine that nothing shows to be rented.
    base::GpuTime sunk, shared, unknown;
    std::vector<std::string> resources; // devices of `endings`
};

// The clock and the days off of one team.
struct ScheduleCalendar {
    base::TimeZone zone;
    std::set<std::int32_t> holidays; // days since 1970-01-01 of the local calendar
};

struct SchedulePast {
    base::TimeZone zone; // of the workloads whose owner has no calendar
    std::map<std::string, ScheduleCalendar> calendars; // by owner
    base::UtcTime start{}; // a full hour of `zone`
    std::int32_t hours = 0;
    base::Currency currency;
    std::vector<ScheduleWorkload> workloads;
    std::vector<std::vector<std::int32_t>> groups; // other workloads (indices) on a machine; [0] is empty
};

// In which the hours of this owner's workloads are read. A reference into `past`.
const base::TimeZone &scheduleZone(const SchedulePast &past, const std::string &owner);

// What a range is cut to: its newest whole weeks (so that no weekday counts more than another), or all its full hours
// if there are fewer than two weeks. Begins at a full hour of the zone.
base::TimeRange scheduleRange(base::TimeRange range, const base::TimeZone &zone);

struct ScheduleRules {
    std::vector<SchedulePolicy> policies = schedulePolicies();
    int mostCutPercent = 5; // of the observed off hours in which it held something
    int mostUnobservedPercent = 20; // of the off hours in which it held something
    int mostUnpricedPercent = 20; // of the time that it held; the rest counts as no saving
    int observedPercent = 90; // of what is held in an hour, for the hour to count as observed
    base::Seconds scaleDownDelay{600}; // from the stop to the end of the machine's cost
    std::uint64_t seed = 1;
};

// One proposal for each workload that held something in the last week, in their order. An off hour in which it worked
// counts as cut and saves nothing; one that was not observed saves nothing. Otherwise the money of its endings is
// saved, if each workload in `with` is within the limits too, is off by its own policy and did no work in that hour;
// the first hour after one without a saving loses `scaleDownDelay`. So saved + cost of cut hours <= cost of the off
// hours.
//
// Hours of the week are those of the owner's calendar, else of the past's zone. An hour of the past may lie in two
// local ones: where a team's zone differs from the past's by parts of an hour, and on one side of a change of the
// clocks by half an hour. Then each quarter of it is off or not, with a quarter of the hour's amounts, and work in it
// counts as cut if there was more than the other quarters can have held; any work keeps the hour from saving something.
// Every hour of a holiday is off, unless the policy has no off hour at all.
//
// Each workload gets the policy with the most saved money among those within the limits.
// perMonth = saved / hours of the past x 730. p10, p50 and p90 are quantiles of 2,000 resamples of the whole weeks,
// never above `avoidable`; with fewer than three weeks all three are the mean.
// Fails with Cancelled and Overflow.
[[nodiscard]] base::Result<std::vector<Proposal>>
replaySchedules(const SchedulePast &past, const ScheduleRules &rules = {}, const std::stop_token &stop = {});

// Of the proposal with this id: GPUs that were held and GPUs that worked in each local hour of the week, as means over
// the weeks of the past, and the off hours of its policy. std::nullopt: there is no such workload. Fails as
// replaySchedules().
[[nodiscard]] base::Result<std::optional<ProposalCurve>> scheduleCurve(const SchedulePast &past, const std::string &id,
                                                                       const ScheduleRules &rules = {},
                                                                       const std::stop_token &stop = {});

// What the figures of the proposal with this id were computed from. Rows: by day, the off hours of its policy with what
// they cost and what would have been saved, and the hours of work that would have been cut. std::nullopt: there is no
// such workload, or it has no amount. Fails as replaySchedules().
[[nodiscard]] base::Result<std::optional<ProposalBasis>> scheduleBasis(const SchedulePast &past, const std::string &id,
                                                                       const ScheduleRules &rules = {},
                                                                       const std::stop_token &stop = {});

} // namespace gpuledger::savings
