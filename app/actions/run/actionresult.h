// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/plan/check.h"
#include "app/model/actionrecord.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

// The outcome of an action, as a code with its details. The outcome is decided by the engine, kept as JSON in
// ActionRecord::result and in the audit log, and put into words only where it is shown
// (ui/format/actions/resultphrase.h). Plain values; any thread.
namespace gpuledger::actions {

// The comment behind each code lists the members of ActionResult that it uses, and says "undo" if only an undo has this
// outcome.
enum class ResultCode {
    None, // not known yet
    Said, // text: a whole sentence, from the platform or from an earlier version
    // Nothing was done.
    CheckFailed, // check
    HaltedByUser,
    HaltedByOther, // another action of the same run failed
    NotAllowed, // undo; text: the missing right
    SourceMayNot, // undo; text: the source that the configuration does not allow to change anything
    ChangedSince, // undo; field, value: now, before: before the stop
    StoppedSince, // undo; text: who has stopped it since
    MarkGone, // undo; the object no longer has a stop mark
    StillThere, // undo; the deleted object still exists
    NameTaken, // undo; the object is gone, or another object has its name
    StoppedAgain, // undo; action: the later stop
    PlatformRefused, // text: the platform's message
    ChangedMeanwhile, // text: how, between the checks and the call
    TryLater, // text: the platform's message
    NeverLeft, // the program ended before the call was sent
    // The answer was lost and the platform was queried instead.
    AnswerLost, // text: how it was lost
    AnswerUnwritten, // the program ended before the answer was saved
    GoneAsAsked,
    GoneUnexplained, // it is not known whether this action was the cause
    FoundDone,
    FoundAgain, // undo; the object was recreated
    NotDone, // field, value
    NotMadeAgain, // undo
    StoppedByOther, // text: by whom; empty if not known
    // Found while reading the object back.
    SetBack, // field, value
    OtherValue, // undo; field, value: now, before: before the stop
    Gone,
    StillHeld, // text: what still holds GPUs through it
    StillSet, // undo; field, value
    NoEffect,
    BroughtBack, // action: the undo
    Last = BroughtBack,
};

struct ActionResult {
    ResultCode code = ResultCode::None;
    std::string text{}; // foreign text, unescaped
    std::string field{}, value{}, before{}; // values are JSON
    std::int64_t action = 0; // 0: none
    std::optional<Check> check{};

    bool operator==(const ActionResult &) const = default;
};

inline ActionResult refusedBy(Check check)
{
    return {ResultCode::CheckFailed, {}, {}, {}, {}, 0, std::move(check)};
}

std::string_view toString(ResultCode code); // "check-failed", …
// Serializes to a JSON object; empty for None.
std::string dataOf(const ActionResult &result);
// Parses such an object, or a sentence of an earlier version (legacyresult.h); None if the text is empty.
ActionResult resultIn(const std::string &data);
inline ActionResult resultOf(const model::ActionRecord &record)
{
    return resultIn(record.result);
}

} // namespace gpuledger::actions
