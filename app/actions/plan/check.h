// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The checks made before anything is stopped. Plain values; ui/format puts them into words.
namespace gpuledger::actions {

enum class CheckName {
    SameObject, // uid, version and value are those that were shown to the user
    StillIdle, // everything that holds GPUs through the object is idle, according to telemetry read just now
    SameOwner,
    NotProtected, // by rules, by labels on the object or its namespace, or by leases
    Stoppable, // its kind and state allow it
    Allowed, // by the configuration and by the platform
    DryRun, // the platform accepts a dry run
    NoWrites, // nothing is being written, so no checkpoint is under way
    Clock, // the computer's clock did not jump
    Last = Clock,
};

enum class Outcome { Passed, Failed, NotAsked };

enum class Why {
    None,
    Gone, // the object or the holder no longer exists
    AnotherObject, // same name, different uid
    Changed, // subject: the current state
    Active, // subject: what is active
    TooLittleSeen, // subject: the holder with too few samples to call it idle
    PartlyIdle, // subject: the holder, which works on some of its GPUs
    Stale, // telemetry is too old; subject: time of the newest sample
    NotInList, // subject: what holds GPUs through the object and is not known to be idle
    OwnerChanged, // subject: the current owner
    Rule, // subject: the rule that protects it
    Label, // subject: the object or namespace whose label protects it
    Annotation, // subject: the object or namespace with the annotation
    Tag, // subject: the resource with the tag
    Lease, // subject: who asked for the lease, and until when
    Obstacle, // subject: the platform's reason
    Managed, // subject: other controllers that manage the object and were not named in the request
    Irreversible, // the configuration does not permit irreversible stops; subject: the object's full name
    NoPlatform, // no configured source reaches it
    Ambiguous, // subject: the sources that each have an object of this name
    NoRight, // `rights` of the source do not include "stop"; subject: the source
    Forbidden, // subject: the missing right
    Rejected, // subject: the platform's message
    NoRehearsal, // the platform offers no dry run for it; subject: the platform's message
    Writing, // subject: bytes per second
    NoSignal, // no source reports whether it writes
    Jumped, // subject: size of the jump in seconds
    Unreachable, // subject: what failed
    Unsettled, // subject: the action that is still under way
    Unmarked, // subject: the holder whose mark was removed
    Last = Unmarked,
};

struct Check {
    CheckName name{};
    Outcome outcome = Outcome::NotAsked;
    Why why = Why::None;
    std::string subject; // foreign text, unescaped
    // StillIdle: time of the deciding sample, and the share that was active in it (std::nullopt if a request decided
    // it, or if nothing was active).
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
