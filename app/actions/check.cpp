// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/check.h"

#include <array>

namespace gpuledger::actions {

namespace {

constexpr std::array<std::string_view, 9> kNames{"same-object",   "still-idle", "same-owner",
                                                 "not-protected", "stoppable",  "allowed",
                                                 "dry-run",       "no-writes",  "clock"};
constexpr std::array<std::string_view, 29> kReasons{
    "none",      "gone",        "another-object", "changed",   "active",       "too-little-seen",
    "stale",     "not-in-list", "owner",          "rule",      "label",        "annotation",
    "tag",       "lease",       "obstacle",       "managed",   "irreversible", "no-platform",
    "ambiguous", "no-right",    "forbidden",      "rejected",  "no-rehearsal", "writing",
    "no-signal", "jumped",      "unreachable",    "unsettled", "unmarked"};

template <typename T, std::size_t N>
std::optional<T> valueIn(const std::array<std::string_view, N> &names, std::string_view text)
{
    for (std::size_t i = 0; i < N; ++i) {
        if (names.at(i) == text)
            return static_cast<T>(i);
    }
    return std::nullopt;
}

} // namespace

std::optional<CheckName> checkNameFrom(std::string_view text)
{
    return valueIn<CheckName>(kNames, text);
}

std::optional<Why> whyFrom(std::string_view text)
{
    return valueIn<Why>(kReasons, text);
}

std::string_view toString(CheckName name)
{
    return kNames.at(static_cast<std::size_t>(name));
}

std::string_view toString(Why why)
{
    return kReasons.at(static_cast<std::size_t>(why));
}

} // namespace gpuledger::actions
