// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/plan/check.h"

#include "app/actions/plan/nametable.h"

namespace gpuledger::actions {

namespace {

constexpr NameTable<CheckName, 9> kNames{{{CheckName::SameObject, "same-object"},
                                          {CheckName::StillIdle, "still-idle"},
                                          {CheckName::SameOwner, "same-owner"},
                                          {CheckName::NotProtected, "not-protected"},
                                          {CheckName::Stoppable, "stoppable"},
                                          {CheckName::Allowed, "allowed"},
                                          {CheckName::DryRun, "dry-run"},
                                          {CheckName::NoWrites, "no-writes"},
                                          {CheckName::Clock, "clock"}}};
static_assert(isWhole(kNames));

constexpr NameTable<Why, 30> kReasons{{{Why::None, "none"},
                                       {Why::Gone, "gone"},
                                       {Why::AnotherObject, "another-object"},
                                       {Why::Changed, "changed"},
                                       {Why::Active, "active"},
                                       {Why::TooLittleSeen, "too-little-seen"},
                                       {Why::PartlyIdle, "partly-idle"},
                                       {Why::Stale, "stale"},
                                       {Why::NotInList, "not-in-list"},
                                       {Why::OwnerChanged, "owner"},
                                       {Why::Rule, "rule"},
                                       {Why::Label, "label"},
                                       {Why::Annotation, "annotation"},
                                       {Why::Tag, "tag"},
                                       {Why::Lease, "lease"},
                                       {Why::Obstacle, "obstacle"},
                                       {Why::Managed, "managed"},
                                       {Why::Irreversible, "irreversible"},
                                       {Why::NoPlatform, "no-platform"},
                                       {Why::Ambiguous, "ambiguous"},
                                       {Why::NoRight, "no-right"},
                                       {Why::Forbidden, "forbidden"},
                                       {Why::Rejected, "rejected"},
                                       {Why::NoRehearsal, "no-rehearsal"},
                                       {Why::Writing, "writing"},
                                       {Why::NoSignal, "no-signal"},
                                       {Why::Jumped, "jumped"},
                                       {Why::Unreachable, "unreachable"},
                                       {Why::Unsettled, "unsettled"},
                                       {Why::Unmarked, "unmarked"}}};
static_assert(isWhole(kReasons));

} // namespace

std::optional<CheckName> checkNameFrom(std::string_view text)
{
    return valueIn(kNames, text);
}

std::optional<Why> whyFrom(std::string_view text)
{
    return valueIn(kReasons, text);
}

std::string_view toString(CheckName name)
{
    return nameIn(kNames, name);
}

std::string_view toString(Why why)
{
    return nameIn(kReasons, why);
}

} // namespace gpuledger::actions
