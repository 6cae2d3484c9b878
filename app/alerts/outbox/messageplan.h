// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/notice.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// Which messages are due for what fires now and what targets were told before. It compares states and not changes, so
// that nothing is lost or sent twice, whenever the program ends. Pure; any thread; no errors.
namespace gpuledger::alerts {

inline constexpr std::size_t kMostListed = 50; // notices in one message
inline constexpr std::size_t kMostEach = 100; // messages for a target in a round; the rest follows in later rounds

// How a target wants its messages (ports::TargetTraits).
struct PlanTarget {
    bool resolves = true;
    bool groups = true;
    bool repeats = false; // every alert must be listed: the target takes what is missing as over
};

struct PlanAlert {
    std::string key, rule, scope;
    base::UtcTime firedAt{};
    bool operator==(const PlanAlert &) const = default;
};

struct PlanSilence {
    std::string rule, scope; // empty: all
    base::TimeRange time;
};
bool silences(const PlanSilence &silence, std::string_view rule, std::string_view scope, base::UtcTime now);

// What a target was told, or is about to be told.
struct PlanTold {
    PlanAlert alert;
    std::string target;
    model::NoticeState notice = model::NoticeState::Firing;
    bool isLost = false; // the target never got it
    base::UtcTime at{}; // when its message was made
};

// Who is told as well, this long after the first target was told.
struct PlanEscalation {
    base::Seconds after{0};
    std::vector<std::string> send;
};

struct PlanQuestion {
    base::UtcTime now{};
    std::vector<PlanAlert> firing;
    std::map<std::string, std::vector<std::string>> send; // targets by rule
    std::map<std::string, PlanTarget> targets; // by name; others get nothing
    std::vector<PlanTold> told;
    std::vector<PlanSilence> silences;
    std::set<std::string> acknowledged; // keys
    std::map<std::string, std::vector<PlanEscalation>> escalate{}; // by rule
    std::set<std::string> unsure{}; // keys of what may no longer fire, because its value is unknown: not escalated now
    std::map<std::string, std::vector<std::string>> routed{}; // by key: targets besides those of the rule
    bool isRoutedTo(const std::string &key, const std::string &target) const;
};

// When the first target was told that an alert fires, by key. A time that lies ahead by more than kClockSlack was that
// of a wrong clock: it counts from when the alert fired.
std::map<std::string, base::UtcTime> firstTold(const PlanQuestion &question);

struct PlannedMessage {
    std::string target, rule;
    model::NoticeState notice = model::NoticeState::Firing;
    std::vector<PlanAlert> alerts; // by scope; only the first kMostListed are listed
    std::size_t listed() const { return std::min(alerts.size(), kMostListed); }
};

// A target is told once that an alert fires, unless it is silenced or acknowledged, and once that it is over, if it was
// told that it fires. What a silence holds back is sent when it ends, if it still fires or the target still believes
// that. What still fires when the time of an escalation has passed since firstTold() is told to its targets, too, and
// its end like to all others.
// Resolved messages come first; then by target and rule.
std::vector<PlannedMessage> planMessages(const PlanQuestion &question);

} // namespace gpuledger::alerts
