// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money.h"
#include "app/model/action.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpuledger::model {

// How far an action is (reliability.md, section 3). Proposed and checked ones are in memory only; what somebody
// confirmed is on disk, and moves forwards only.
enum class ActionState {
    Proposed,
    Checked,
    Confirmed, // on disk; its call has not left
    Executing, // on disk before its call leaves
    Executed, // the platform said so; not read back yet
    Verified, // read back: the field has what was set, and nobody holds GPUs through it any more
    Refused, // a check or the platform said no; nothing was done
    Failed, // nothing was done, or what was done did not have its effect; the result says which
    Unknown, // the answer was lost: settled by asking the platform, never by repeating
    Undone, // brought back by another action
};
std::string_view toString(ActionState state);
std::optional<ActionState> actionStateFrom(std::string_view name);
// Whether the state is the last one (Verified may still become Undone).
bool isFinal(ActionState state);
// Whether one may follow the other.
bool mayFollow(ActionState from, ActionState to);

enum class ActionKind { Stop, Undo };
std::string_view toString(ActionKind kind); // "stop", "undo"

// What somebody confirmed, before its call leaves. Written once.
struct ActionIntent {
    std::string key; // random; also in the mark at the object
    std::string plan; // hash of the plan that was shown and confirmed
    ActionKind kind = ActionKind::Stop;
    std::int64_t undoes = 0; // the action that an undo brings back
    TargetRef target;
    bool isSimulated = false;
    StopVerb verb = StopVerb::None;
    std::string version; // of the object when it was checked
    std::string field, oldValue, newValue; // JSON values
    std::string manifest; // of what has no other undo
    std::string holders; // ids of what held GPUs through it, as in the idle list, a line each
    std::string owner; // team
    double gpus = 0;
    std::optional<base::Money> perMonth; // what it costs per month if left; null: unpriced
    std::string actor, reason;
    base::UtcTime at{};
    std::string evidence; // JSON: the checks and the figures that were true then
};

struct ActionRecord {
    std::int64_t id = 0;
    ActionIntent intent;
    ActionState state = ActionState::Confirmed;
    base::UtcTime changedAt{};
    // JSON (app/actions/actionresult.h), or a sentence in logs of earlier versions; empty while nothing is known.
    std::string result;
    std::string receipt; // the platform's id of the call
    std::string versionAfter; // of the object after the call; of a pod made again: its uid
};

// Somebody's wish about a workload that is not to be stopped, for now or at all.
struct Lease {
    enum class Kind {
        Snooze, // not shown as idle until then
        KeepUntil, // can't be stopped until then
        Protect, // can't be stopped
        StopAfter, // stopped then, unless somebody objects
    };
    std::int64_t id = 0;
    Kind kind = Kind::Snooze;
    std::string holder; // id as in the idle list
    std::optional<base::UtcTime> until; // none: until it is taken back
    std::string actor, reason;
    base::UtcTime at{};
    std::optional<base::UtcTime> endedAt;
    std::string endedBy;
};
// In front of the name of whoever marked it, where the watch stops something for them.
inline constexpr std::string_view kOnBehalf = "watch for ";
// The user whom an actor acts for.
std::string_view userOf(std::string_view actor);
std::string_view toString(Lease::Kind kind); // "snooze", "keep-until", "protect", "stop-after"
std::optional<Lease::Kind> leaseKindFrom(std::string_view name);

} // namespace gpuledger::model
