// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/gputime.h"
#include "app/model/settings.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Assigns shared and idle cost to teams by one stated rule. The moved amounts are separate from the lines of a
// statement: the lines show whose cost it is, and the rule decides who pays for it. Pure functions; any thread.
namespace gpuledger::reports {

// How a shared cost is split among teams.
enum class SharingRule {
    Holder, // idle cost: stays with the holder of the GPUs
    OwnLine, // stays as it is: shared cost with "shared", idle cost as a separate line that no team pays
    Proportional, // by a team's own cost: without idle cost if that is shared out too
    GpuHours,
    Even,
    Fixed, // by weights
};
std::string_view toString(SharingRule rule); // as in the configuration: "holder", "own_line", "gpu_hours", …
std::optional<SharingRule> sharingRuleFromString(std::string_view text);

// The configured rules for shared and idle cost.
struct SharingRules {
    SharingRule idle = SharingRule::Holder, shared = SharingRule::OwnLine;
    std::map<std::string, double> weights; // for Fixed; teams without a weight pay nothing

    bool movesNothing() const { return idle == SharingRule::Holder && shared == SharingRule::OwnLine; }
    friend bool operator==(const SharingRules &, const SharingRules &) = default;
};
SharingRules sharingRules(const model::Settings &settings);

// A team's figures before anything is shared out.
struct SharingTeam {
    std::string team;
    base::Money total, idle; // idle: part of the total
    std::optional<base::GpuTime> time;
};

// For the teams, in order. The sums of `moved` are zero if no cost is kept as a separate line, else minus `ownLine`.
struct Sharing {
    SharingRules rules;
    base::Money shared, idle; // the amount shared out of each kind; zero if there was no team to pay it
    base::Money ownLine; // idle cost that no team pays
    std::vector<base::Money> moved; // to be added to the teams' totals

    bool movesNothing() const;
};
// Receivers are all teams except "shared", "unowned" and the one without a name. Split by largest remainder. Fails with
// Overflow.
[[nodiscard]] base::Result<Sharing> shareOut(const std::vector<SharingTeam> &teams, const SharingRules &rules,
                                             base::Currency currency);

} // namespace gpuledger::reports
