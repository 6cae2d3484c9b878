// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/check.h"
#include "app/model/actionrecord.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

// What became of an action, as a code and its particulars: kept as JSON in ActionRecord::result and in the audit log,
// decided by where anything is decided, and worded where it is shown (ui/format/resultphrase.h). Values; any thread.
namespace gpuledger::actions {

// Behind a code: the members of ActionResult that go with it; "undo" where only an undo has it.
enum class ResultCode {
    None, // nothing is known yet
    Said, // text: a whole sentence, of the platform or of an earlier version
    // Nothing was done.
    CheckFailed, // check
    HaltedByUser,
    HaltedByOther, // another one of the same run failed
    NotAllowed, // undo; text: the missing right
    SourceMayNot, // undo; text: the source that the configuration does not let change anything
    ChangedSince, // undo; field, value: now, before: before the stop
    StoppedSince, // undo; text: who stopped it since
    MarkGone, // undo; the object has no mark of the stop any more
    StillThere, // undo; what was deleted exists
    NameTaken, // undo; the object is gone, or another one has its name
    StoppedAgain, // undo; action: the later stop
    PlatformRefused, // text: the platform's words
    TryLater, // text: the platform's words
    NeverLeft, // the program ended before the call left
    // Asked of the platform, because the answer was lost.
    AnswerLost, // text: how
    AnswerUnwritten, // the program ended before the answer was written down
    GoneAsAsked,
    GoneUnexplained, // whether by this is not known
    FoundDone,
    FoundAgain, // undo; it was made again
    NotDone, // field, value
    NotMadeAgain, // undo
    StoppedByOther, // text: who; empty: not known
    // Read back.
    SetBack, // field, value
    OtherValue, // undo; field, value: now, before: before the stop
    Gone,
    StillHeld, // text: what holds GPUs through it still
    StillSet, // undo; field, value
    NoEffect,
    BroughtBack, // action: the undo
    Last = BroughtBack,
};

struct ActionResult {
    ResultCode code = ResultCode::None;
    std::string text{}; // foreign text: plain
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
// As a JSON object; empty for None.
std::string dataOf(const ActionResult &result);
// What such an object says, or a sentence of an earlier version (legacyresult.h); None where it is empty.
ActionResult resultIn(const std::string &data);
inline ActionResult resultOf(const model::ActionRecord &record)
{
    return resultIn(record.result);
}

} // namespace gpuledger::actions
