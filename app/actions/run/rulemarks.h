// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/run/marks.h"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// Marks that alert rules make (definitions.md, Alerts): what is idle in the scope of an alert is marked while it fires.
// Such a mark is a lease of kind StopAfter like any other (marks.h), with the rule as its actor.
namespace gpuledger::actions {

inline constexpr std::string_view kAlertActor = "alert "; // before the name of the rule
inline bool isOfRule(const model::Lease &mark)
{
    return mark.kind == model::Lease::Kind::StopAfter && mark.actor.starts_with(kAlertActor);
}
// What was left out is looked at again after this time.
inline constexpr base::Seconds kLookAgain{3600};

enum class MarkScope { Team, Cluster, Pool, All };
// A rule that marks, and where it fires now.
struct MarkingRule {
    std::string name;
    MarkScope scope = MarkScope::Team;
    base::Seconds after{}; // from when something is marked to its stop; kShortestNotice to kLongestNotice
    std::map<std::string, std::string> firing; // scope ("vision", "prod", "prod/a100", "all") to the reason for the log
    std::set<std::string> unknown{}; // scopes of `firing` for which it is unknown now whether it still fires
    bool isEvaluated = true; // false: `firing` is as of an earlier time, or nothing is known of it
};
// Whether the rule that made `mark` fires now for certain where `item` is.
bool isConfirmed(const std::vector<MarkingRule> &rules, const model::Lease &mark, const insight::IdleItem &item);

enum class LeftOut {
    Check, // failed; `check`
    Kept, // someone protects, keeps or snoozes it; `check`
    Sibling, // something else that holds GPUs through the object can't be marked; `detail` is its name
    OneWay, // it can't be brought back
    TooMuch, // with what rules have marked already, it exceeds the limits of one confirmation
    Gone,
    Last = Gone,
};
std::string_view toString(LeftOut why); // "check", …

// What was done about one holder. Already on disk when it is reported.
struct RuleMark {
    enum class Kind { Marked, LeftOut, Released };
    Kind kind = Kind::Marked;
    std::string rule, holder;
    std::string name; // of the workload; foreign text
    std::optional<model::Lease> lease; // Marked, Released
    LeftOut why{}; // LeftOut
    std::optional<Check> check; // LeftOut; Released: the objection with which it ended, if there was one
    // Marked: why there is no note at the object; empty if there is one. Foreign text.
    std::string detail;
};
using RuleMarkProgress = std::function<void(const RuleMark &)>;

// What a process knows of earlier rounds; losing it costs only time.
struct RuleMarkMemory {
    std::map<std::string, base::UtcTime> leftOut; // by rule and holder
};

// Marks what is idle in the scopes in which `rules` fire, and releases the marks of rules that no longer fire there,
// never those of people. Where a rule could not be evaluated, nothing is marked or released, and where its value is
// unknown, nothing is marked. A mark gives its whole notice (`after`), however long the alert has fired. Every check of
// a stop is made; left out are, besides what fails one, what is kept or snoozed, and what was marked before, unless the
// alert had resolved then or it has worked since: an objection holds until it works again, also one that was only made
// at the object by changing the note. To see that one, a mark is released once its object can be read, or just before
// it is due. All marks of rules together stay within the limits of one confirmation. What is planned is noted at the
// object, if the platform can and permits it; notes of marks that are over are removed. `rules`: all that mark, also
// those that don't fire. Does nothing unless the configuration sets actions.stop_marked. The caller holds the
// ActionLock. Blocking; call on a worker thread. Fails with Cancelled, with Storage… codes, or if telemetry can't be
// queried at all.
[[nodiscard]] base::Result<void> markForRules(const std::vector<MarkingRule> &rules, ActionContext &engine,
                                              const std::filesystem::path &dataFolder, RuleMarkMemory &memory,
                                              std::stop_token stop, const RuleMarkProgress &tell);

} // namespace gpuledger::actions
