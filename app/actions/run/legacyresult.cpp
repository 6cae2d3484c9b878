// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/run/legacyresult.h"

#include "app/base/text/text.h"

#include <algorithm>
#include <string_view>

namespace gpuledger::actions {

namespace {

constexpr std::string_view kRefusedBy = "refused by the last check (", kNothingDone = "; nothing was done";
constexpr std::string_view kPlatform = "the platform refused it, nothing was done: ";
constexpr std::string_view kUnsent = "the program ended before its call left; nothing was done";
constexpr std::string_view kOver = "the mark is over (", kFresh = "a fresh notice (", kAction = ": action ";

// Removes the prefix if the text begins with it.
bool take(std::string_view &text, std::string_view beginning)
{
    const bool has = text.starts_with(beginning);
    if (has)
        text.remove_prefix(beginning.size());
    return has;
}

// "refused by the last check (NAME: WHY): SUBJECT; nothing was done", where the subject may be missing.
std::optional<Check> checkOf(std::string_view rest)
{
    if (!take(rest, kRefusedBy))
        return std::nullopt;
    const auto colon = rest.find(": "), close = rest.find(')');
    if (colon == std::string_view::npos || close == std::string_view::npos || close < colon
        || rest.size() < close + 1 + kNothingDone.size() || !rest.ends_with(kNothingDone))
        return std::nullopt;
    const auto name = checkNameFrom(rest.substr(0, colon));
    const auto why = whyFrom(rest.substr(colon + 2, close - colon - 2));
    if (!name || !why)
        return std::nullopt;
    rest.remove_prefix(close + 1);
    rest.remove_suffix(kNothingDone.size());
    take(rest, ": ");
    return Check{*name, Outcome::Failed, *why, std::string(rest)};
}

// ": action N: …", where the action and what follows it may be missing.
void readOver(std::string_view rest, MarkEvent &event)
{
    if (take(rest, kAction)) {
        const auto cut = std::min(rest.find(':'), rest.size());
        event.action = base::parseInt(rest.substr(0, cut)).value_or(0);
        rest.remove_prefix(cut);
    }
    take(rest, ": ");
    event.check = checkOf(rest);
    if (!event.check)
        event.detail = rest;
}

} // namespace

ActionResult legacyResult(const std::string &sentence)
{
    if (auto check = checkOf(sentence))
        return refusedBy(std::move(*check));
    if (sentence == kUnsent)
        return {ResultCode::NeverLeft};
    std::string_view rest = sentence;
    const bool isPlatforms = take(rest, kPlatform);
    return {isPlatforms ? ResultCode::PlatformRefused : ResultCode::Said, std::string(rest)};
}

std::optional<MarkEvent> legacyMark(const std::string &sentence)
{
    std::string_view rest = sentence;
    const bool isOver = take(rest, kOver);
    const bool isFresh = !isOver && take(rest, kFresh);
    const auto close = rest.find(')');
    if ((!isOver && !isFresh) || close == std::string_view::npos)
        return std::nullopt;
    const auto end = markEndFrom(rest.substr(0, close));
    const auto delay = markDelayFrom(rest.substr(0, close));
    if (isOver ? !end : !delay)
        return std::nullopt;
    MarkEvent event;
    event.kind = isOver ? MarkEvent::Kind::Over : MarkEvent::Kind::Postponed;
    if (isFresh) {
        event.delay = *delay;
        return event;
    }
    event.end = *end;
    readOver(rest.substr(close + 1), event);
    return event;
}

} // namespace gpuledger::actions
