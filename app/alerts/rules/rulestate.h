// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/rules/rule.h"

#include <cstdint>
#include <optional>
#include <string_view>

// The state machine of a rule for one scope (design: definitions.md, Alerts), as that of Prometheus. Pure; any thread;
// no errors.
namespace gpuledger::alerts {

enum class AlertState {
    Inactive,
    Pending, // the condition holds, but not yet for the length of the rule
    Firing,
    Resolved, // fired until a moment ago: for kResolvedKept, then Inactive
};
std::string_view toString(AlertState state); // "inactive", "pending", "firing", "resolved"
inline constexpr base::Seconds kResolvedKept{900};

// What the metric was at a time. std::nullopt: unknown.
struct Reading {
    base::UtcTime at{};
    std::optional<std::int64_t> nanos; // of the unit of the rule
    bool nothing = false; // known to have nothing of which it could be too much or too little; `nanos` is std::nullopt
    bool operator==(const Reading &) const = default;
};

struct ScopeState {
    AlertState state = AlertState::Inactive;
    std::optional<base::UtcTime> at; // of the newest reading; std::nullopt: there was none
    base::UtcTime since{}; // when this state began; of Firing, what the key of the alert is made of
    base::Seconds held{0}; // Pending: how long the condition is known to have held
    bool heldLast = false; // at the newest reading the condition held
    std::optional<std::int64_t> newest; // value of the newest reading; std::nullopt: unknown
    std::optional<std::int64_t> peak; // Firing, Resolved: the worst value while it fired
    bool operator==(const ScopeState &) const = default;
};

struct Transition {
    AlertState from = AlertState::Inactive, to = AlertState::Inactive;
    base::UtcTime at{};
    bool operator==(const Transition &) const = default;
};

// Takes a reading. An unknown value, and every value outside the working hours, neither fires nor resolves: what fires
// stays so, and the time up to the next known value does not count as time that the condition held. Nor does the time
// between readings that are more than Rule::longestStep() apart (the clock jumped forward). A reading that is not newer
// than the last is ignored (the clock jumped back): what was decided is not decided again. Where nothing is left, the
// condition does not hold. Returns a change of state.
std::optional<Transition> step(const Rule &rule, ScopeState &scope, const Reading &reading);

} // namespace gpuledger::alerts
