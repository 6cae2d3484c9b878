// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/actionrecord.h"

#include <array>
#include <utility>

namespace gpuledger::model {

namespace {

using S = ActionState;
constexpr std::array<std::pair<S, std::string_view>, 10> kStates{{{S::Proposed, "proposed"},
                                                                  {S::Checked, "checked"},
                                                                  {S::Confirmed, "confirmed"},
                                                                  {S::Executing, "executing"},
                                                                  {S::Executed, "executed"},
                                                                  {S::Verified, "verified"},
                                                                  {S::Refused, "refused"},
                                                                  {S::Failed, "failed"},
                                                                  {S::Unknown, "unknown"},
                                                                  {S::Undone, "undone"}}};
using L = Lease::Kind;
constexpr std::array<std::pair<L, std::string_view>, 4> kLeases{
    {{L::Snooze, "snooze"}, {L::KeepUntil, "keep-until"}, {L::Protect, "protect"}, {L::StopAfter, "stop-after"}}};

} // namespace

std::string_view toString(ActionState state)
{
    return kStates[static_cast<std::size_t>(state)].second;
}

std::optional<ActionState> actionStateFrom(std::string_view name)
{
    for (const auto &[state, text] : kStates) {
        if (text == name)
            return state;
    }
    return std::nullopt;
}

bool isFinal(ActionState state)
{
    return state == S::Verified || state == S::Refused || state == S::Failed || state == S::Undone;
}

bool mayFollow(ActionState from, ActionState to)
{
    switch (from) {
    case S::Proposed:
        return to == S::Checked || to == S::Refused;
    case S::Checked:
        return to == S::Confirmed || to == S::Refused;
    case S::Confirmed:
        return to == S::Executing || to == S::Refused || to == S::Failed;
    case S::Executing:
        return to == S::Executed || to == S::Refused || to == S::Failed || to == S::Unknown;
    case S::Unknown:
        return to == S::Executed || to == S::Failed;
    case S::Executed:
        return to == S::Verified || to == S::Failed || to == S::Undone;
    case S::Verified:
        return to == S::Undone;
    case S::Failed: // done, but without effect: it can still be brought back
        return to == S::Undone;
    case S::Refused:
    case S::Undone:
        return false;
    }
    return false;
}

std::string_view toString(ActionKind kind)
{
    return kind == ActionKind::Stop ? "stop" : "undo";
}

std::string_view userOf(std::string_view actor)
{
    return actor.starts_with(kOnBehalf) ? actor.substr(kOnBehalf.size()) : actor;
}

std::string_view toString(Lease::Kind kind)
{
    return kLeases[static_cast<std::size_t>(kind)].second;
}

std::optional<Lease::Kind> leaseKindFrom(std::string_view name)
{
    for (const auto &[kind, text] : kLeases) {
        if (text == name)
            return kind;
    }
    return std::nullopt;
}

} // namespace gpuledger::model
