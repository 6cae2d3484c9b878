// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/outbox/messageplan.h"

#include "app/alerts/rules/rulemachine.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace gpuledger::alerts {

using model::NoticeState;

namespace {

using AlertsOfRule = std::map<std::pair<std::string, std::string>, std::vector<PlanAlert>>; // by target and rule

std::string toldId(const std::string &key, const std::string &target, NoticeState notice)
{
    return key + '\n' + std::string(model::toString(notice)) + '\n' + target;
}

bool isSilenced(const PlanQuestion &question, const PlanAlert &alert)
{
    return std::any_of(question.silences.begin(), question.silences.end(),
                       [&](const PlanSilence &one) { return silences(one, alert.rule, alert.scope, question.now); });
}

std::unordered_set<std::string> toldIds(const PlanQuestion &question)
{
    std::unordered_set<std::string> ids;
    for (const PlanTold &told : question.told)
        ids.insert(toldId(told.alert.key, told.target, told.notice));
    return ids;
}

using ToldTimes = std::map<std::string, base::UtcTime>; // by key

// Whom an alert is to be told to by now.
std::set<std::string> targetsOf(const PlanQuestion &question, const PlanAlert &alert, const ToldTimes &times)
{
    std::set<std::string> out;
    if (const auto send = question.send.find(alert.rule); send != question.send.end())
        out.insert(send->second.begin(), send->second.end());
    if (const auto routed = question.routed.find(alert.key); routed != question.routed.end())
        out.insert(routed->second.begin(), routed->second.end());
    const auto steps = question.escalate.find(alert.rule);
    const auto told = times.find(alert.key);
    if (steps == question.escalate.end() || told == times.end() || question.unsure.contains(alert.key))
        return out;
    for (const PlanEscalation &step : steps->second) {
        if (question.now - told->second >= step.after)
            out.insert(step.send.begin(), step.send.end());
    }
    return out;
}

AlertsOfRule newlyFiring(const PlanQuestion &question, const std::unordered_set<std::string> &ids)
{
    AlertsOfRule out;
    const ToldTimes times = firstTold(question);
    for (const PlanAlert &alert : question.firing) {
        if (question.acknowledged.contains(alert.key) || isSilenced(question, alert))
            continue;
        for (const std::string &target : targetsOf(question, alert, times)) {
            if (question.targets.contains(target) && !ids.contains(toldId(alert.key, target, NoticeState::Firing)))
                out[{target, alert.rule}].push_back(alert);
        }
    }
    return out;
}

AlertsOfRule newlyOver(const PlanQuestion &question, const std::unordered_set<std::string> &ids)
{
    std::unordered_set<std::string> firing;
    for (const PlanAlert &alert : question.firing)
        firing.insert(alert.key);
    AlertsOfRule out;
    for (const PlanTold &told : question.told) {
        const auto target = question.targets.find(told.target);
        const bool believesFiring = told.notice == NoticeState::Firing && !told.isLost
            && !ids.contains(toldId(told.alert.key, told.target, NoticeState::Resolved));
        if (believesFiring && !firing.contains(told.alert.key) && target != question.targets.end()
            && target->second.resolves && !isSilenced(question, told.alert))
            out[{told.target, told.alert.rule}].push_back(told.alert);
    }
    return out;
}

// How many alerts go into one message.
std::size_t sizeOfMessage(const PlanTarget &target, std::size_t alerts)
{
    if (!target.groups)
        return 1;
    return target.repeats ? kMostListed : alerts;
}

void addMessages(const PlanQuestion &question, NoticeState notice, AlertsOfRule &alerts,
                 std::map<std::string, std::size_t> &counts, std::vector<PlannedMessage> &out)
{
    for (auto &[of, all] : alerts) {
        std::sort(all.begin(), all.end(), [](const PlanAlert &a, const PlanAlert &b) {
            return std::tie(a.scope, a.firedAt, a.key) < std::tie(b.scope, b.firedAt, b.key);
        });
        const std::size_t size = sizeOfMessage(question.targets.at(of.first), all.size());
        for (std::size_t i = 0; i < all.size() && counts[of.first] < kMostEach; i += size, ++counts[of.first]) {
            const auto begin = all.begin() + static_cast<std::ptrdiff_t>(i);
            const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(i + size, all.size()));
            out.push_back({of.first, of.second, notice, {begin, end}});
        }
    }
}

} // namespace

bool PlanQuestion::isRoutedTo(const std::string &key, const std::string &target) const
{
    const auto found = routed.find(key);
    return found != routed.end()
        && std::find(found->second.begin(), found->second.end(), target) != found->second.end();
}

bool silences(const PlanSilence &silence, std::string_view rule, std::string_view scope, base::UtcTime now)
{
    return silence.time.contains(now) && (silence.rule.empty() || silence.rule == rule)
        && (silence.scope.empty() || silence.scope == scope);
}

std::map<std::string, base::UtcTime> firstTold(const PlanQuestion &question)
{
    ToldTimes out;
    for (const PlanTold &told : question.told) {
        if (told.notice != NoticeState::Firing)
            continue;
        const base::UtcTime at = told.at > question.now + kClockSlack ? told.alert.firedAt : told.at;
        const auto found = out.emplace(told.alert.key, at).first;
        found->second = std::min(found->second, at);
    }
    return out;
}

std::vector<PlannedMessage> planMessages(const PlanQuestion &question)
{
    const auto ids = toldIds(question);
    AlertsOfRule over = newlyOver(question, ids), firing = newlyFiring(question, ids);
    std::map<std::string, std::size_t> counts;
    std::vector<PlannedMessage> out;
    addMessages(question, NoticeState::Resolved, over, counts, out);
    addMessages(question, NoticeState::Firing, firing, counts, out);
    return out;
}

} // namespace gpuledger::alerts
