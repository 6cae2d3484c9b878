// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/model/action.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpuledger::model {

// The progress of an action (reliability.md, section 3). Proposed and Checked exist in memory only; from Confirmed on,
// the state is on disk, and only moves forwards.
enum class ActionState {
    Proposed,
    Checked,
    Confirmed, // on disk; its call has not been sent
    Executing, // on disk before its call is sent
    Executed, // reported by the platform; not read back yet
    Verified, // read back: the field has the value that was set, and no one holds GPUs through the object any more
    Refused, // refused by a check or the platform; nothing was done
    Failed, // nothing was done, or what was done had no effect; the result says which
    Unknown, // the answer was lost: settled by querying the platform, never by repeating
    Undone, // brought back by another action
};
std::string_view toString(ActionState state);
std::optional<ActionState> actionStateFrom(std::string_view name);
// True if the state is final (Verified may still become Undone).
bool isFinal(ActionState state);
// True if the transition is allowed.
bool mayFollow(ActionState from, ActionState to);

enum class ActionKind { Stop, Undo };
std::string_view toString(ActionKind kind); // "stop", "undo"

// What the user confirmed, before its call is sent. Written once.
struct ActionIntent {
    std::string key; // random; also in the mark on the object
    std::string plan; // hash of the plan that was shown and confirmed
    ActionKind kind = ActionKind::Stop;
    std::int64_t undoes = 0; // the action that this undo reverts
    TargetRef target;
    bool isSimulated = false;
    StopVerb verb = StopVerb::None;
    std::string version; // of the object when it was checked
    std::string field, oldValue, newValue; // JSON values
    std::string manifest; // for objects that cannot be undone otherwise
    std::string holders; // ids of the holders of GPUs through it, as in the idle list, one per line
    std::string owner; // team
    double gpus = 0;
    std::optional<base::Money> perMonth; // monthly cost if it is not stopped; null: no price
    std::string actor, reason;
    base::UtcTime at{};
    std::string evidence; // JSON: the checks and figures at that time
};

// An action and its progress, as stored in the log.
struct ActionRecord {
    std::int64_t id = 0;
    ActionIntent intent;
    ActionState state = ActionState::Confirmed;
    base::UtcTime changedAt{};
    std::string result; // one sentence; empty while unknown
    std::string receipt; // the platform's id of the call
    std::string versionAfter; // of the object after the call; of a recreated pod: its uid
};

// After a stop, telemetry lists what it stopped for at most this long. What is listed later runs again.
inline constexpr base::Seconds kUntilStopIsSeen{1800};

// A user's request not to stop a workload, temporarily or permanently, or to stop it later.
struct Lease {
    enum class Kind {
        Snooze, // not listed as idle until then
        KeepUntil, // cannot be stopped until then
        Protect, // cannot be stopped
        StopAfter, // stopped then, unless someone objects
    };
    std::int64_t id = 0;
    Kind kind = Kind::Snooze;
    std::string holder; // id as in the idle list
    std::optional<base::UtcTime> until; // empty: until revoked
    std::string actor, reason;
    base::UtcTime at{};
    std::optional<base::UtcTime> endedAt;
    std::string endedBy;
};
// Prefix before the name of the user who set the mark, when the watch stops something for that user.
inline constexpr std::string_view kOnBehalf = "watch for ";
// The user that an actor acts for.
std::string_view userOf(std::string_view actor);
std::string_view toString(Lease::Kind kind); // "snooze", "keep-until", "protect", "stop-after"
std::optional<Lease::Kind> leaseKindFrom(std::string_view name);

} // namespace gpuledger::model
