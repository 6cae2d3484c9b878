// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What is asked before anything is stopped (definitions.md, Actions). Values; ui/format words them.
namespace gpuledger::actions {

enum class CheckName {
    SameObject, // uid, version and value are those that were shown
    StillIdle, // everything that holds GPUs through it, by telemetry asked just now
    SameOwner,
    NotProtected, // rules, labels at the object and its namespace, leases
    Stoppable, // its kind and its state allow it
    Allowed, // the configuration and the platform let us
    DryRun, // the platform's rehearsal
    NoWrites, // nothing is being written: no checkpoint is under way
    Clock, // the computer's clock did not jump
    Last = Clock,
};

enum class Outcome { Passed, Failed, NotAsked };

enum class Why {
    None,
    Gone, // the object or the holder is not there any more
    AnotherObject, // the same name, another uid
    Changed, // subject: what it is now
    Active, // subject: what is active
    TooLittleSeen, // subject: of what too little was observed to call it idle
    Stale, // telemetry is too old; subject: time of the newest sample
    NotInList, // subject: what holds GPUs through the object, and is not known to be idle
    OwnerChanged, // subject: who owns it now
    Rule, // subject: the rule that protects it
    Label, // subject: object or namespace whose label protects it
    Annotation, // subject: the same
    Tag, // subject: the same
    Lease, // subject: who asked for it, and until when
    Obstacle, // subject: the platform's reason
    Managed, // subject: other controllers that decide about it and were not named
    Irreversible, // the configuration does not permit to stop what can't be brought back; subject: its full name
    NoPlatform, // no source of the configuration reaches it
    Ambiguous, // subject: the sources that each have one of its name
    NoRight, // `rights` of the source lack "stop"; subject: the source
    Forbidden, // subject: the missing right
    Rejected, // subject: the platform's words
    NoRehearsal, // it can't be rehearsed there; subject: the platform's words
    Writing, // subject: bytes a second
    NoSignal, // nothing tells whether it writes
    Jumped, // subject: by how many seconds
    Unreachable, // subject: what failed
    Unsettled, // subject: the action that is under way
    Unmarked, // subject: of what the mark was taken back
    Last = Unmarked,
};

struct Check {
    CheckName name{};
    Outcome outcome = Outcome::NotAsked;
    Why why = Why::None;
    std::string subject; // foreign text: plain
    // Still idle: the sample that decided it, and the share that was active in it (nothing: it was a request, or none).
    std::optional<base::UtcTime> sampleAt{};
    std::optional<double> share{};

    bool operator==(const Check &) const = default;
};

std::string_view toString(CheckName name); // "same-object", …
std::string_view toString(Why why); // "gone", …
std::optional<CheckName> checkNameFrom(std::string_view text);
std::optional<Why> whyFrom(std::string_view text);

inline bool allPassed(const std::vector<Check> &checks)
{
    for (const Check &check : checks) {
        if (check.outcome == Outcome::Failed)
            return false;
    }
    return !checks.empty();
}

} // namespace gpuledger::actions
