// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"
#include "app/store/values/gapkept.h"

#include <array>
#include <map>

// Chooses the grace windows that no configuration sets, from how past idle gaps ended. Values and functions only; any
// thread.
namespace gpuledger::store {

// Where a grace window comes from.
struct GraceChoice {
    enum class From { Configured, Default, Measured };
    From from = From::Configured;
    base::Seconds grace{};
    // Of gaps that have lasted so long, the share in which the workload is back at work within kFalseStop; 0..1, by the
    // same curves as the chance in the idle list. Without a past of its kind's own (gaps: 0) it is that of the default.
    double falseShare = 0;
    std::int64_t gaps = 0; // of the kind, whose end is known
    bool operator==(const GraceChoice &) const = default;
};
using GraceChoices = std::map<model::WorkloadKind, GraceChoice>;

inline constexpr base::Seconds kFalseStop{3600}; // as a replay counts false stops by default
inline constexpr double kMostFalse = 0.05;
// With fewer gaps of a kind the stated default stays: at 5 %, 100 gaps have a standard error of 2 points.
inline constexpr std::int64_t kLeastGraceGaps = 100;
// The lengths that are tried, in buckets: 15 min to 24 h, each the lower bound of a class of age.
inline constexpr std::array<std::int32_t, 11> kGraceGrid{3, 6, 12, 24, 36, 48, 72, 96, 144, 192, 288};

// For each kind of `settings`: what is configured, else the shortest length of the grid at which falseShare is at most
// kMostFalse (24 h if none is), else, with too few gaps, the stated default.
GraceChoices chooseGrace(const model::IdleSettings &settings, const GapPast &past);

// The rule with the chosen lengths. Applied twice it gives the same.
model::IdleSettings withGrace(model::IdleSettings settings, const GraceChoices &choices);

} // namespace gpuledger::store
