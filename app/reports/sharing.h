// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/gputime.h"
#include "app/base/money.h"
#include "app/base/result.h"
#include "app/model/settings.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Shared and idle cost goes to teams by one stated rule (definitions.md, Owner). What it moves is beside the lines of a
// statement: those say whose the cost is, and the rule who pays for it. Pure functions; any thread.
namespace gpuledger::reports {

enum class SharingRule {
    Holder, // idle cost: stays with who held the GPUs
    OwnLine, // stays as it is: shared cost with "shared", idle cost as a line of its own that no team pays
    Proportional, // by what a team costs itself: without idle cost where that is shared out too
    GpuHours,
    Even,
    Fixed, // by weights
};
std::string_view toString(SharingRule rule); // as in the configuration: "holder", "own_line", "gpu_hours", …
std::optional<SharingRule> sharingRuleFromString(std::string_view text);

struct SharingRules {
    SharingRule idle = SharingRule::Holder, shared = SharingRule::OwnLine;
    std::map<std::string, double> weights; // of Fixed; teams without one pay nothing

    bool movesNothing() const { return idle == SharingRule::Holder && shared == SharingRule::OwnLine; }
    friend bool operator==(const SharingRules &, const SharingRules &) = default;
};
SharingRules sharingRules(const model::Settings &settings);

// What a team has, before anything is shared out.
struct SharingTeam {
    std::string team;
    base::Money total, idle; // idle: of the total
    std::optional<base::GpuTime> time;
};

// Of the teams in their order. The sums of `moved` are zero where no cost is kept as a line of its own, else less
// `ownLine`.
struct Sharing {
    SharingRules rules;
    base::Money shared, idle; // what was shared out of either kind; zero where nobody could be asked to pay
    base::Money ownLine; // idle cost that no team pays
    std::vector<base::Money> moved; // to be added to the totals of the teams

    bool movesNothing() const;
};
// Receivers are all teams but "shared", "unowned" and that without a name. Shares by largest remainder. Fails with
// Overflow.
[[nodiscard]] base::Result<Sharing> shareOut(const std::vector<SharingTeam> &teams, const SharingRules &rules,
                                             base::Currency currency);

} // namespace gpuledger::reports
