// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/rules/rulestate.h"

namespace gpuledger::alerts {

namespace {

void stepNotFiring(const Rule &rule, ScopeState &scope, const Reading &reading, base::Seconds sinceLast)
{
    const bool holds = !reading.nothing && rule.holds(*reading.nanos);
    if (!holds) {
        const bool isKept = scope.state == AlertState::Resolved && reading.at - scope.since < kResolvedKept;
        if (scope.state != AlertState::Inactive && !isKept) {
            scope.state = AlertState::Inactive;
            scope.since = reading.at;
            scope.peak.reset();
        }
    } else {
        if (scope.state != AlertState::Pending) {
            scope.state = AlertState::Pending;
            scope.since = reading.at;
            scope.held = base::Seconds{0};
            scope.peak.reset();
        } else if (scope.heldLast && sinceLast <= rule.longestStep()) {
            scope.held += sinceLast;
        }
        if (scope.held >= rule.length) {
            scope.state = AlertState::Firing;
            scope.since = reading.at;
            scope.peak = reading.nanos;
        }
    }
    scope.heldLast = holds;
}

void stepFiring(const Rule &rule, ScopeState &scope, const Reading &reading)
{
    scope.heldLast = !reading.nothing && rule.holds(*reading.nanos);
    if (!reading.nothing && rule.keepsFiring(*reading.nanos)) {
        scope.peak = rule.worse(scope.peak.value_or(*reading.nanos), *reading.nanos);
        return;
    }
    scope.state = AlertState::Resolved;
    scope.since = reading.at;
}

} // namespace

std::string_view toString(AlertState state)
{
    switch (state) {
    case AlertState::Inactive:
        return "inactive";
    case AlertState::Pending:
        return "pending";
    case AlertState::Firing:
        return "firing";
    case AlertState::Resolved:
        break;
    }
    return "resolved";
}

std::optional<Transition> step(const Rule &rule, ScopeState &scope, const Reading &reading)
{
    if (scope.at && reading.at <= *scope.at)
        return std::nullopt;
    const AlertState before = scope.state;
    const base::Seconds sinceLast = scope.at ? reading.at - *scope.at : base::Seconds{0};
    scope.at = reading.at;
    scope.newest = reading.nanos;
    if ((!reading.nanos && !reading.nothing) || !rule.worksAt(reading.at))
        scope.heldLast = false;
    else if (before == AlertState::Firing)
        stepFiring(rule, scope, reading);
    else
        stepNotFiring(rule, scope, reading, sinceLast);
    if (scope.state != AlertState::Pending)
        scope.held = base::Seconds{0};
    if (scope.state == before)
        return std::nullopt;
    return Transition{before, scope.state, reading.at};
}

} // namespace gpuledger::alerts
