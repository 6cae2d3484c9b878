// SPDX-License-Identifier: GPL-3.0-or-later
// A round of the alert rules: what changed, and which messages follow.
#include "app/alerts/outbox/messageplan.h"
#include "app/alerts/outbox/noticetext.h"
#include "app/alerts/outbox/routes.h"
#include "app/alerts/rules/firing.h"
#include "app/alerts/rules/rulemachine.h"
#include "app/base/crypto/sha256.h"
#include "app/services/alerts/alertconfig.h"
#include "app/services/alerts/alertdesk.h"
#include "app/services/alerts/alertservice.h"
#include "app/services/alerts/marks/marktold.h"
#include "app/services/alerts/noticebuilder.h"
#include "app/services/alerts/noticewords.h"
#include "app/services/alerts/series/rulereader.h"
#include "app/services/engine/engine.h"
#include "app/store/actions/actionstore.h"
#include "app/store/alerts/alertstore.h"

#include <algorithm>
#include <utility>

namespace gpuledger::services {

using alerts::AlertState;
using alerts::PlanAlert;
using alerts::Rule;
using alerts::RuleMachine;
using base::Result;
using model::NoticeState;

namespace {

constexpr base::Seconds kValueLength{3600}; // each value is of the hour before it

std::optional<base::UtcTime> newestOf(const RuleMachine &machine)
{
    std::optional<base::UtcTime> newest;
    for (const auto &[scope, state] : machine.scopes()) {
        if (state.at)
            newest = std::max(newest.value_or(*state.at), *state.at);
    }
    return newest;
}

// From when on the readings of a rule are asked for: daily values of some scopes are known days later than of others.
std::optional<base::UtcTime> askedFrom(const RuleMachine &machine)
{
    auto from = newestOf(machine);
    if (!from)
        return std::nullopt;
    if (alerts::isDaily(machine.rule().metric)) {
        const base::UtcTime earliest = *from - alerts::kKnownLater;
        for (const auto &[scope, state] : machine.scopes()) {
            if (state.at)
                from = std::max(earliest, std::min(*from, *state.at));
        }
    }
    return *from - kValueLength - machine.rule().longestStep();
}

std::vector<PlanAlert> firingOf(const RuleMachine &machine)
{
    const std::string &rule = machine.rule().name;
    std::vector<PlanAlert> out;
    for (const auto &[scope, state] : machine.scopes()) {
        if (state.state == AlertState::Firing)
            out.push_back({alerts::alertKey(rule, scope, state.since), rule, scope, state.since});
    }
    return out;
}

std::string stateText(AlertState state)
{
    return std::string(alerts::toString(state));
}

} // namespace

struct AlertDesk::Round {
    base::UtcTime now{};
    const Setup &setup;
    std::vector<Rule> rules;
    store::AlertRows stored;
    store::AlertRoundRows rows;
    std::vector<PlanAlert> firing;
    std::set<std::string> unsure; // keys of what fires, but not for certain now
    std::set<std::string> unknown{}; // keys of what fires with a value that is unknown now
    std::map<std::string, RuleMachine> machines; // by rule
    AlertRound answer;
    std::map<std::string, base::UtcTime> ends{}; // of alerts that ended in this round, by key
    std::map<std::string, base::UtcTime> toldAt{}; // when the first target was told that it fires, by key

    const store::StoredRuleState *storedOf(const std::string &rule) const
    {
        const auto found = std::find_if(stored.states.begin(), stored.states.end(),
                                        [&](const store::StoredRuleState &one) { return one.rule == rule; });
        return found == stored.states.end() ? nullptr : &*found;
    }
    void change(const AlertChange &one)
    {
        rows.changes.push_back(
            {one.at, one.rule, one.scope, one.key, stateText(one.from), stateText(one.to), one.value});
        answer.changes.push_back(one);
        if (one.from == AlertState::Firing)
            ends.try_emplace(one.key, one.at);
    }
    // What fired under the states of a rule that is gone or is another one now.
    void endAll(const store::StoredRuleState &state)
    {
        Rule rule;
        rule.name = state.rule;
        RuleMachine machine(std::move(rule));
        if (!machine.import(state.states))
            return;
        for (const PlanAlert &alert : firingOf(machine))
            change({now, alert.rule, alert.scope, alert.key, AlertState::Firing, AlertState::Resolved, {}});
    }
    // What fires outside of the working hours, or with an unknown value, waits with its escalation.
    void noteUnsure(const RuleMachine &machine)
    {
        const Rule &rule = machine.rule();
        for (const auto &[scope, state] : machine.scopes()) {
            if (state.state != AlertState::Firing)
                continue;
            const std::string key = alerts::alertKey(rule.name, scope, state.since);
            if (!state.newest)
                unknown.insert(key);
            if (!state.newest || !rule.worksAt(now))
                unsure.insert(key);
        }
    }
    // `at`: when it was evaluated.
    void keep(const RuleMachine &machine, const std::string &definition, base::UtcTime at)
    {
        noteUnsure(machine);
        rows.states.push_back({machine.rule().name, definition, machine.exported(), at});
        const auto all = firingOf(machine);
        firing.insert(firing.end(), all.begin(), all.end());
        machines.emplace(machine.rule().name, machine);
    }
    struct Running;
    Running started(const Rule &rule) const;
    void leave(const Running &running);
    void run(Running &running, const RuleSeries &series);
    void step(RuleMachine &machine, const std::string &scope, const alerts::Reading &reading, bool isTold);
    void begin(const RuleMachine &machine);
    void renew(RuleMachine &machine) const;
    std::optional<base::UtcTime> endOf(const std::string &key) const;
};

// A change is part of the history only if `isTold`.
void AlertDesk::Round::step(RuleMachine &machine, const std::string &scope, const alerts::Reading &reading, bool isTold)
{
    const auto known = machine.scopes().find(scope);
    const base::UtcTime before = known == machine.scopes().end() ? base::UtcTime{} : known->second.since;
    const auto moved = machine.add(scope, reading);
    if (!moved || !isTold)
        return;
    const Rule &rule = machine.rule();
    std::string key;
    if (moved->to == AlertState::Firing)
        key = alerts::alertKey(rule.name, scope, moved->at);
    else if (moved->from == AlertState::Firing)
        key = alerts::alertKey(rule.name, scope, before);
    change({moved->at, rule.name, scope, key, moved->from, moved->to,
            alertValueText(rule, reading.nanos, setup.settings.currency)});
}

// The first round of a rule: what fires now began, and nothing else did.
void AlertDesk::Round::begin(const RuleMachine &machine)
{
    const Rule &rule = machine.rule();
    for (const PlanAlert &alert : firingOf(machine))
        change({alert.firedAt, rule.name, alert.scope, alert.key, AlertState::Inactive, AlertState::Firing,
                alertValueText(rule, machine.scopes().at(alert.scope).newest, setup.settings.currency)});
}

// A rule that is again what it was before can have the keys that it had then. Targets that were told that these are
// over would not be told that they fire.
void AlertDesk::Round::renew(RuleMachine &machine) const
{
    std::set<std::string> over;
    for (const store::ToldAlert &told : stored.told) {
        if (told.notice == NoticeState::Resolved)
            over.insert(told.key);
    }
    for (const PlanAlert &alert : firingOf(machine)) {
        if (over.contains(alert.key))
            machine.beginAgain(alert.scope, now);
    }
}

// When an alert ended, if that was in this round.
std::optional<base::UtcTime> AlertDesk::Round::endOf(const std::string &key) const
{
    const auto ended = ends.find(key);
    return ended == ends.end() ? std::nullopt : std::optional(ended->second);
}

// A rule at the begin of a round.
struct AlertDesk::Round::Running {
    std::string definition;
    const store::StoredRuleState *stored = nullptr; // of a rule of this name
    RuleMachine machine;
    bool goesOn = false; // with the stored states
};

AlertDesk::Round::Running AlertDesk::Round::started(const Rule &rule) const
{
    Running out{definitionOf(rule, setup.settings), storedOf(rule.name), RuleMachine(rule)};
    out.goesOn = out.stored && out.stored->definition == out.definition && out.machine.import(out.stored->states);
    out.machine.goBackTo(now);
    return out;
}

// It stays as it was.
void AlertDesk::Round::leave(const Running &running)
{
    answer.unevaluated.insert(running.machine.rule().name);
    if (running.goesOn) {
        keep(running.machine, running.definition, running.stored->at);
        for (const PlanAlert &alert : firingOf(running.machine))
            unsure.insert(alert.key);
    } else if (running.stored) {
        rows.states.push_back(*running.stored);
    }
}

void AlertDesk::Round::run(Running &running, const RuleSeries &series)
{
    RuleMachine &machine = running.machine;
    if (running.stored && !running.goesOn)
        endAll(*running.stored);
    for (const auto &[scope, readings] : series) {
        for (const alerts::Reading &reading : alerts::decidedOf(machine.rule(), readings, now))
            step(machine, scope, reading, running.goesOn);
    }
    if (!running.goesOn) {
        renew(machine);
        begin(machine);
    }
    keep(machine, running.definition, now);
}

Result<void> AlertDesk::runRules(Round &round, const std::stop_token &stop)
{
    std::vector<Round::Running> all;
    std::vector<RuleReader::Request> requests;
    for (const Rule &rule : round.rules) {
        const RuleMachine &machine = all.emplace_back(round.started(rule)).machine;
        RuleReader::Request request{&rule, askedFrom(machine), {}};
        for (const auto &[scope, state] : machine.scopes())
            request.scopes.push_back(scope);
        requests.push_back(std::move(request));
    }
    RuleReader reader(m_engine, std::move(requests));
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "cancelled");
        const auto series = reader.series(i);
        if (series) {
            round.run(all[i], *series);
            continue;
        }
        round.answer.problems.push_back("alert " + round.rules[i].name + ": " + series.error().text);
        round.leave(all[i]);
    }
    for (const store::StoredRuleState &stored : round.stored.states) {
        if (std::none_of(round.rules.begin(), round.rules.end(),
                         [&](const Rule &rule) { return rule.name == stored.rule; }))
            round.endAll(stored);
    }
    return {};
}

void AlertDesk::queue(Round &round, const alerts::PlanQuestion &question, const alerts::PlannedMessage &planned,
                      NoticeBuilder &builder)
{
    const bool isLater = isToldLater(round.setup.settings, planned.rule, planned.target);
    model::NoticeGroup group;
    group.at = round.now;
    std::string id = planned.target + '\n' + std::string(model::toString(planned.notice));
    store::NewMessage message{planned.target, planned.rule, planned.notice, {}, {}};
    for (const PlanAlert &alert : planned.alerts) {
        id += '\n' + alert.key;
        message.alerts.push_back(
            {alert.key, planned.target, planned.notice, alert.rule, alert.scope, alert.firedAt, 0, false});
        if (group.notices.size() == planned.listed())
            continue;
        NoticeBuilder::Facts facts{planned.notice, {}, {}, {}, {}};
        const auto told = round.toldAt.find(alert.key);
        if (isLater && !question.isRoutedTo(alert.key, planned.target) && told != round.toldAt.end())
            facts.unacknowledged = round.now - told->second;
        const auto ended = round.endOf(alert.key);
        if (planned.notice == NoticeState::Resolved)
            facts.endedAt = ended.value_or(round.now);
        const auto machine = round.machines.find(alert.rule);
        if (machine == round.machines.end()) {
            group.notices.push_back(builder.bare(alert, facts));
            continue;
        }
        const auto scope = machine->second.scopes().find(alert.scope);
        if (scope != machine->second.scopes().end()) {
            facts.nanos = scope->second.newest;
            if (facts.endedAt && !ended && scope->second.state == AlertState::Resolved)
                facts.endedAt = scope->second.since;
        }
        facts.markAfter = markAfterOf(round.setup.settings, alert.rule);
        group.notices.push_back(builder.notice(machine->second.rule(), alert, facts));
    }
    group.unlisted = planned.alerts.size() - group.notices.size();
    group.id = base::sha256Hex(id);
    message.content = alerts::textOf(group);
    round.rows.messages.push_back(std::move(message));
}

// A message that is repeated lists only what still fires.
Result<void> AlertDesk::dropEndedRepeats(Round &round)
{
    const auto pending = m_engine.cache().alerts().pending();
    GPULEDGER_TRY(pending);
    const std::set<std::string> firing(round.rows.firing.begin(), round.rows.firing.end());
    for (const store::StoredMessage &message : *pending) {
        const auto group = alerts::noticeGroupOf(message.content);
        if (message.state != store::MessageState::Delivered || !group)
            continue;
        std::set<std::string> ended;
        for (const model::Notice &notice : group->notices) {
            if (!firing.contains(notice.key))
                ended.insert(notice.key);
        }
        if (ended.size() == group->notices.size())
            round.rows.endedRepeats.push_back(message.id);
        else if (!ended.empty())
            round.rows.contents.emplace_back(message.id, alerts::textOf(alerts::without(*group, ended)));
    }
    return {};
}

Result<void> AlertDesk::plan(Round &round)
{
    for (const PlanAlert &alert : round.firing)
        round.rows.firing.push_back(alert.key);
    const auto marks = ruleMarksOf(m_engine.cache().actions(), round.setup.settings, round.now);
    GPULEDGER_TRY(marks);
    for (const model::Lease &mark : *marks)
        round.rows.firing.push_back(keyOfMark(mark));
    alerts::PlanQuestion question;
    question.now = round.now;
    question.firing = round.firing;
    question.unsure = round.unsure;
    const auto routes = alerts::routesOf(round.setup.settings, round.now);
    for (const PlanAlert &alert : round.firing) {
        const auto subject = alerts::routeSubjectOf(round.machines.at(alert.rule).rule(), alert.scope);
        if (auto targets = alerts::routedTargets(routes, subject); !targets.empty())
            question.routed.emplace(alert.key, std::move(targets));
    }
    for (const model::AlertRule &rule : round.setup.settings.alerts) {
        question.send[rule.name] = rule.send;
        for (const model::Escalation &step : rule.escalate)
            question.escalate[rule.name].push_back({step.after, step.send});
    }
    for (const store::ToldAlert &told : round.stored.told) {
        if (!isOfMarks(told.rule)) // tellMarks() plans for these
            question.told.push_back(
                {{told.key, told.rule, told.scope, told.firedAt}, told.target, told.notice, told.isLost, told.toldAt});
    }
    for (const store::StoredSilence &one : round.stored.silences)
        question.silences.push_back({one.rule, one.scope, {one.from, one.until}});
    for (const store::StoredAck &ack : round.stored.acks)
        question.acknowledged.insert(ack.key);
    if (!question.firing.empty() || !question.told.empty())
        askTargets(question, round.answer.problems);
    round.toldAt = alerts::firstTold(question);
    NoticeBuilder builder(m_fleet, round.setup.settings.currency, round.now);
    for (const alerts::PlannedMessage &planned : alerts::planMessages(question))
        queue(round, question, planned, builder);
    if (builder.problem())
        round.answer.problems.push_back("notices don't list what is idle: " + builder.problem()->text);
    return dropEndedRepeats(round);
}

Result<AlertRound> AlertDesk::evaluate(const std::stop_token &stop)
{
    GPULEDGER_TRY(m_engine.refuseInReport());
    store::AlertStore store = m_engine.cache().alerts();
    Round round{m_engine.clock().now(), m_engine.setup(), {}, {}, {}, {}, {}, {}, {}, {}};
    round.answer.at = round.rows.at = round.now;
    auto rules = m_alerts.rules();
    GPULEDGER_TRY(rules);
    round.rules = std::move(*rules);
    auto stored = store.rows(round.now);
    GPULEDGER_TRY(stored);
    if (round.rules.empty() && stored->states.empty() && stored->told.empty())
        return std::move(round.answer); // without alerts nothing is written
    const auto leads = store.lead(m_instance, round.now);
    GPULEDGER_TRY(leads);
    if (!*leads)
        return followed(round.now);
    m_leads = true;
    stored = store.rows(round.now); // another program may have led until now
    GPULEDGER_TRY(stored);
    round.stored = std::move(*stored);
    GPULEDGER_TRY(runRules(round, stop));
    GPULEDGER_TRY(plan(round));
    if (stop.stop_requested())
        return base::fail(base::ErrorCode::Cancelled, "cancelled");
    const auto isStored = store.putRound(m_instance, round.rows);
    GPULEDGER_TRY(isStored);
    if (!*isStored)
        return followed(round.now);
    for (const PlanAlert &alert : round.firing)
        round.answer.firing.push_back(
            {alert.rule, alert.scope, alert.key, alert.firedAt, !round.unknown.contains(alert.key)});
    round.answer.queued = round.rows.messages.size();
    return std::move(round.answer);
}

} // namespace gpuledger::services
