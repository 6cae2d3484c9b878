// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/savings/proposals/freedtime.h"
#include "app/savings/proposals/remark.h"
#include "app/savings/proposals/sharedlist.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuledger::savings {

// In the order in which equally large proposals for the same resource are preferred: the least intrusive first. The
// first three end the use of machines (usage optimization), the last two pay less for the same use (rate optimization).
enum class Kind : std::uint8_t { Capacity, Schedule, RightSize, Spot, Commitments };
inline constexpr std::array kKinds{Kind::Capacity, Kind::Schedule, Kind::RightSize, Kind::Spot, Kind::Commitments};
std::string_view toString(Kind kind); // "capacity", as the command line and figure ids write it
std::optional<Kind> kindFrom(std::string_view text);

// A month of a projection has 730 hours, as in the idle list (insight::kIdleHoursPerMonth).
inline constexpr std::int64_t kHoursPerMonth = 730;

// Quantiles of an amount; p10 <= p50 <= p90. All three are equal where the past leaves no spread.
struct MoneyBand {
    base::Money p10, p50, p90;
};

// What a projection rests on that the facts don't say. Values are text as the configuration writes them ("60s",
// "99%").
struct Assumption {
    std::string name; // lower case with dashes: "scale-down-delay"
    std::string value;
};

// One thing that could be done, and what it would have saved in the past that it was replayed on.
struct Proposal {
    std::string id; // stable while kind and target stay: "schedule:ml-prod/research/notebook-7"
    Kind kind = Kind::Capacity;
    std::string target; // a workload, a pool of nodes, an instance type; as shown
    std::string owner; // a team; empty: several, or nobody
    std::string currency;
    // Saved per month. Never above `avoidable`. Null if it can't be computed; then excludedBy says why.
    std::optional<MoneyBand> perMonth;
    // Spend per month that ends if nothing of the target is used: what is sunk isn't in it. Null: unknown.
    std::optional<base::Money> avoidable;
    SharedList<Assumption> assumptions;
    SharedList<Evidence> evidence; // what was counted in the past, in the order in which it is read
    SharedList<Remark> risks; // what argues against it
    // How to do it: a command of this program, a manifest or a request to hand over. Empty: nothing to run.
    std::string how;
    // The devices or commitments whose money it is (ids of the facts). Two proposals that share one never both count.
    std::vector<std::string> resources;
    std::optional<Remark> excludedBy; // why it does not count; std::nullopt: it counts
    // Machine time that it takes off on-demand machines. Null: unknown; then no commitment for its resources counts
    // beside it.
    std::shared_ptr<const std::vector<FreedTime>> frees;
    // What it adds to the sum, if that is less than `perMonth`, which it would save by itself. Set by
    // withoutDoubleCounting().
    std::optional<MoneyBand> counted;
};

// What it adds to the sum; std::nullopt: it does not count.
std::optional<MoneyBand> countsWith(const Proposal &proposal);

// The sum of one currency without double counting. A band of a sum adds the quantiles, which is as if all proposals
// rose and fell together: too wide rather than too narrow.
struct SavingsSum {
    std::string currency;
    MoneyBand perMonth;
    std::vector<std::pair<Kind, MoneyBand>> byKind; // those that count, in the order of kKinds
};

struct SavingsList {
    base::TimeRange range; // the past that was replayed
    std::vector<SavingsSum> sums; // by currency, ascending
    // Those that count by falling p50, then the excluded ones by falling p50, then by id.
    std::vector<Proposal> items;
    std::vector<Remark> warnings = {}; // what could not be used, such as a file that can't be read
};

// Commitments for the demand that remains without this machine time: proposals with the same ids. May be called once.
using RemainingCommitments =
    std::function<base::Result<std::vector<Proposal>>(std::span<const FreedTime *const> freed)>;

// Decides what counts, in the order of FinOps practice (usage optimization before rate optimization,
// https://www.finops.org/framework/capabilities/rate-optimization/):
// 1. capacity, schedule and right-size. A proposal one of whose resources a better one has (larger p50, then earlier
//    kind, then id) does not count.
// 2. spot, likewise, for what these leave.
// 3. commitments, for the demand that all these leave (`remaining`). One that shares resources with them counts with
//    what it saves there, at most with the rest of its avoidable money; if that is not above zero, or without
//    `remaining`, not at all. Of two that share a resource, the better one by that amount counts.
// Where only a commitment over its whole demand would save more than the order, it and those that it overlaps with say
// so in their evidence. Commitments that are bought for the same resources are among these.
//
// Those whose p50 is not above zero do not count; those that are excluded already stay so and hold nothing. Proposals
// of different currencies never compete. Sorts and sums. Fails only as `remaining` does.
base::Result<SavingsList> withoutDoubleCounting(base::TimeRange range, std::vector<Proposal> proposals,
                                                const RemainingCommitments &remaining);
SavingsList withoutDoubleCounting(base::TimeRange range, std::vector<Proposal> proposals);

// Of those that count, in a list without double counting or a part of it: by currency. Fails with Overflow.
base::Result<std::vector<SavingsSum>> sumsOf(std::span<const Proposal> proposals);

} // namespace gpuledger::savings
