// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/rules/rulemachine.h"
#include "ui/viewmodels/alerts/alertsdesk.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

// Rules and alerts made by hand, and a desk that answers with them, for tests of the Alerts page. Any thread.
namespace gpuledger::tests {

inline constexpr std::int64_t kAlertNow = 1'790'000'100; // 2026-09-21

inline model::AlertRule sampleRule(const std::string &name = "idle-cost")
{
    model::AlertRule rule;
    rule.name = name;
    rule.metric = "idle-cost";
    rule.per = "team";
    rule.bound = "200 USD/day";
    rule.length = base::Seconds{7200};
    return rule;
}

struct AlertAnswers {
    std::mutex mutex;
    std::vector<model::AlertRule> rules;
    std::vector<std::string> calls; // "retry 4" …
    std::vector<model::AlertRule> replayed;
    services::AlertHistory history;
    std::optional<std::string> bound; // proposed for a new rule
    int teams = 0; // for which every rule fires as well
    int yearStarts = 1;
    std::vector<model::AlertRoute> routes;

    void note(const std::string &call)
    {
        const std::lock_guard lock(mutex);
        calls.push_back(call);
    }
};

// "team-00042"
inline std::string stormTeam(int number)
{
    const std::string digits = std::to_string(number);
    return "team-" + std::string(5 - std::min<std::size_t>(5, digits.size()), '0') + digits;
}

// Every rule fires for the team vision and is pending nowhere else; its replay fires twice, once for half an hour.
inline ui::AlertsSnapshot sampleAlerts(const AlertAnswers &answers)
{
    ui::AlertsSnapshot now;
    now.asked = base::fromUnix(kAlertNow);
    now.covered = {now.asked - 100 * base::kDay, now.asked};
    now.currency = base::Currency::usd();
    now.configured = answers.rules;
    now.yearStarts = answers.yearStarts;
    now.targets = {{"desk", "desktop"}};
    now.routes = answers.routes;
    now.history = answers.history;
    for (const model::AlertRule &rule : answers.rules) {
        services::RuleResult result;
        result.rule = alerts::ruleOf(rule, now.currency, now.zone).value();
        result.state = alerts::AlertState::Firing;
        result.scopes = 3;
        result.unknown = 1;
        const base::UtcTime since = now.asked - base::Seconds{7200};
        const auto fires = [&](const std::string &team, std::int64_t nanos) {
            result.firing.push_back(
                {team, since, nanos, 350'000'000'000, alerts::alertKey(rule.name, team, since), {}});
        };
        for (int i = 0; i < answers.teams; ++i)
            fires(stormTeam(i), 201'000'000'000 + i);
        fires("vision", 312'400'000'000);
        now.evaluation.rules.push_back(std::move(result));
    }
    return now;
}

inline base::Result<services::AlertReplay> sampleReplay(const model::AlertRule &rule, base::TimeRange range)
{
    auto parsed = alerts::ruleOf(rule, base::Currency::usd(), {});
    GPULEDGER_TRY(parsed);
    services::AlertReplay replay;
    replay.rule = std::move(*parsed);
    replay.range = range;
    replay.currency = base::Currency::usd();
    replay.noticesPerWeek = 0.2;
    replay.notices = 2;
    replay.unactionable = 1;
    const base::UtcTime from = range.start + base::kDay;
    replay.fired = {{"vision", {from, from + base::Seconds{1800}, 250'000'000'000}, false},
                    {"vision", {from + base::kDay, std::nullopt, 400'000'000'000}, false}};
    return replay;
}

inline ui::AlertsDesk sampleAlertsDesk(const std::shared_ptr<AlertAnswers> &answers)
{
    ui::AlertsDesk desk;
    desk.now = [answers](const std::stop_token &) -> base::Result<ui::AlertsSnapshot> {
        const std::lock_guard lock(answers->mutex);
        return sampleAlerts(*answers);
    };
    desk.replay = [answers](const model::AlertRule &rule, base::TimeRange range) {
        {
            const std::lock_guard lock(answers->mutex);
            answers->replayed.push_back(rule);
        }
        return sampleReplay(rule, range);
    };
    desk.bound = [answers](const model::AlertRule &rule) -> base::Result<std::optional<std::string>> {
        answers->note("bound " + rule.metric + ' ' + rule.per);
        const std::lock_guard lock(answers->mutex);
        return answers->bound;
    };
    desk.idle = [answers](const std::string &per, const std::string &scope) -> base::Result<insight::IdleList> {
        answers->note("idle " + per + ' ' + scope);
        return insight::IdleList();
    };
    desk.silence = [answers](const services::Silence &wanted) -> base::Result<services::Silence> {
        answers->note("silence " + wanted.rule + ' ' + wanted.scope + ' '
                      + std::to_string((wanted.until - wanted.from).count()) + ' ' + wanted.reason);
        return wanted;
    };
    desk.acknowledge = [answers](const services::Acknowledgement &wanted) -> base::Result<void> {
        answers->note("acknowledge " + wanted.key);
        return {};
    };
    const auto number = [answers](const std::string &what) {
        return [answers, what](std::int64_t id) -> base::Result<void> {
            answers->note(what + ' ' + std::to_string(id));
            return {};
        };
    };
    desk.endSilence = number("end");
    desk.retry = number("retry");
    desk.discard = number("discard");
    desk.test = [answers](const std::string &target, const std::stop_token &) -> base::Result<ports::Delivery> {
        answers->note("test " + target);
        return ports::Delivery{ports::DeliveryOutcome::Refused, {}, "no bus"};
    };
    return desk;
}

} // namespace gpuledger::tests
