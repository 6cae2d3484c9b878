// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/actions/resultphrase.h"

#include "ui/format/actions/actionphrase.h"

#include <cmath>

// Marks the text for lupdate; this library does not link Qt.
#define QT_TRANSLATE_NOOP(context, text) text

namespace gpuledger::ui {

using actions::ActionResult;
using actions::Check;
using actions::MarkEvent;
using actions::ResultCode;
using Term = Phrase::Term;

namespace {

using phrases::say;
using phrases::word;

// For an undo that was not started.
Phrase undoRefused(const ActionResult &result)
{
    const Term text = word(result.text);
    switch (result.code) {
    case ResultCode::NotAllowed:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "not allowed: %1"), {text});
    case ResultCode::SourceMayNot:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the configuration does not let source %1 change anything"),
            {text});
    case ResultCode::ChangedSince:
        if (result.value == result.before)
            return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 is %2 again already; nothing was changed"),
                       {word(result.field), word(result.value)});
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "%1 is now %2; it was %3 before the stop and nothing was changed"),
                   {word(result.field), word(result.value), word(result.before)});
    case ResultCode::StoppedSince:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "someone else has stopped it since: %1"), {text});
    case ResultCode::MarkGone:
        return say(QT_TRANSLATE_NOOP(
            "gpuledger::ui::Phrase",
            "someone else has changed it since: it no longer carries the mark of this stop; nothing was changed"));
    case ResultCode::StillThere:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it is still there; nothing was changed"));
    case ResultCode::NameTaken:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the object is gone, or another one has its name now"));
    case ResultCode::StoppedAgain:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it was stopped again by action %1; bring that one back"),
                   {word(std::to_string(result.action))});
    default:
        return {};
    }
}

// For what was found when reading the object back.
Phrase readBack(const ActionResult &result)
{
    const Term field = word(result.field), value = word(result.value);
    switch (result.code) {
    case ResultCode::SetBack:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "someone reset %1 to %2"), {field, value});
    case ResultCode::OtherValue:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "it was brought back, but %1 is now %2; it was %3 before the stop"),
                   {field, value, word(result.before)});
    case ResultCode::Gone:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the object is gone"));
    case ResultCode::StillHeld:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it was done, but these still hold GPUs: %1"),
                   {word(result.text)});
    case ResultCode::StillSet:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it was done, but %1 is still %2"), {field, value});
    case ResultCode::NoEffect:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it was done, but did not take effect"));
    case ResultCode::BroughtBack:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "brought back by action %1"),
                   {word(std::to_string(result.action))});
    default:
        return undoRefused(result);
    }
}

// For what the platform reported after the answer was lost.
Phrase askedFor(const ActionResult &result)
{
    const Term text = word(result.text);
    switch (result.code) {
    case ResultCode::AnswerLost:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the answer was lost: %1"), {text});
    case ResultCode::AnswerUnwritten:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the program ended before the answer was written down"));
    case ResultCode::GoneAsAsked:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it is gone, as requested"));
    case ResultCode::GoneUnexplained:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the object is gone; it is not known whether this caused it"));
    case ResultCode::FoundDone:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the platform confirms: it was done"));
    case ResultCode::FoundAgain:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the platform confirms: it is there again"));
    case ResultCode::NotDone:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it was not done: %1 is %2; it is not repeated automatically"),
            {word(result.field), word(result.value)});
    case ResultCode::NotMadeAgain:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                              "it is not there: it was not recreated, or has ended; it is not repeated automatically"));
    case ResultCode::StoppedByOther:
        return result.text.empty()
            ? say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "someone else stopped it"))
            : say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "someone else stopped it: %1"), {text});
    default:
        return readBack(result);
    }
}

// ", 6.0 % at 2026-11-01T00:00:00Z"
std::string sampleText(const Check &check)
{
    std::string text = check.subject.empty() ? ": " : ", ";
    if (check.share) {
        const auto tenths = std::llround(*check.share * 1000);
        text += std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + " % at ";
    } else {
        text += check.why == actions::Why::Active ? "a request at " : "last sample at ";
    }
    return text + base::toRfc3339(*check.sampleAt);
}

std::string plainText(const Check &check)
{
    std::string text = "refused by the last check (" + std::string(toString(check.name)) + ": "
        + std::string(toString(check.why)) + ')';
    if (!check.subject.empty())
        text += ": " + check.subject;
    if (check.sampleAt)
        text += sampleText(check);
    return text + "; nothing was done";
}

} // namespace

Phrase textOf(const ActionResult &result)
{
    const Term text = word(result.text);
    switch (result.code) {
    case ResultCode::None:
        return {};
    case ResultCode::Said:
        return say("%1", {text});
    case ResultCode::CheckFailed:
        return result.check ? textOf(*result.check) : Phrase{};
    case ResultCode::HaltedByUser:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "halted by the user; nothing was done"));
    case ResultCode::HaltedByOther:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "halted, because another of these failed; nothing was done"));
    case ResultCode::PlatformRefused:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the platform refused it, nothing was done: %1"), {text});
    case ResultCode::ChangedMeanwhile:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "it changed between the checks and the call, nothing was done: %1"),
                   {text});
    case ResultCode::TryLater:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the platform asked to try later, nothing was done: %1"),
                   {text});
    case ResultCode::NeverLeft:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the program ended before sending its call; nothing was done"));
    default:
        return askedFor(result);
    }
}

std::string plainText(const ActionResult &result)
{
    return result.check ? plainText(*result.check) : textOf(result).english();
}

std::string plainText(const model::ActionRecord &record)
{
    return plainText(actions::resultOf(record));
}

std::string plainText(const MarkEvent &event)
{
    if (event.kind == MarkEvent::Kind::Postponed)
        return "a fresh notice (" + std::string(toString(event.delay)) + ')';
    std::string text = "the mark is over (" + std::string(toString(event.end)) + ')';
    if (event.action != 0)
        text += ": action " + std::to_string(event.action);
    const std::string why = event.check ? plainText(*event.check)
        : event.detail.empty()          ? plainText(event.result)
                                        : event.detail;
    return why.empty() ? text : text + ": " + why;
}

} // namespace gpuledger::ui
