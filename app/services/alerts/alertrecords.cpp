// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of alerts and messages from stored rounds, and what people do with them: silences, acknowledgements,
// dead letters.
#include "app/alerts/outbox/noticetext.h"
#include "app/alerts/rules/rulemachine.h"
#include "app/base/text/text.h"
#include "app/services/alerts/alertconfig.h"
#include "app/services/alerts/alertdesk.h"
#include "app/services/alerts/alertservice.h"
#include "app/services/alerts/marks/marktold.h"
#include "app/services/engine/engine.h"
#include "app/store/actions/actionstore.h"
#include "app/store/alerts/alertstore.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace gpuledger::services {

using alerts::AlertState;
using base::ErrorCode;
using base::Result;

namespace {

constexpr std::array kAllAlertStates{AlertState::Inactive, AlertState::Pending, AlertState::Firing,
                                     AlertState::Resolved};

AlertState alertStateNamed(const std::string &text)
{
    const auto *found = std::find_if(kAllAlertStates.begin(), kAllAlertStates.end(),
                                     [&](AlertState state) { return alerts::toString(state) == text; });
    return found == kAllAlertStates.end() ? AlertState::Inactive : *found;
}

// The keys of what fires, by the stored states.
std::set<std::string> firingKeys(const std::vector<alerts::Rule> &rules, const store::AlertRows &rows)
{
    std::set<std::string> out;
    for (const alerts::Rule &rule : rules) {
        for (const store::StoredRuleState &stored : rows.states) {
            alerts::RuleMachine machine(rule);
            if (stored.rule != rule.name || !machine.import(stored.states))
                continue;
            for (const auto &[scope, state] : machine.scopes()) {
                if (state.state == AlertState::Firing)
                    out.insert(alerts::alertKey(rule.name, scope, state.since));
            }
        }
    }
    return out;
}

// The notices of these keys, and the group without them.
store::MessageCut messageCutOf(const model::NoticeGroup &group, const std::vector<std::string> &keys)
{
    const std::set<std::string> gone(keys.begin(), keys.end());
    std::set<std::string> others;
    for (const model::Notice &notice : group.notices) {
        if (!gone.contains(notice.key))
            others.insert(notice.key);
    }
    model::NoticeGroup cut = alerts::without(group, others), rest = alerts::without(group, gone);
    cut.unlisted = keys.size() - cut.notices.size();
    rest.unlisted -= std::min(rest.unlisted, cut.unlisted);
    return {keys, rest.notices.empty() ? std::string() : alerts::textOf(rest), alerts::textOf(cut), {}};
}

} // namespace

// The round of a program that does not lead.
Result<AlertRound> AlertDesk::followed(base::UtcTime now)
{
    AlertRound out;
    out.at = now;
    out.isLeader = false;
    const auto rules = m_alerts.rules();
    GPULEDGER_TRY(rules);
    const auto stored = m_engine.cache().alerts().rows(now);
    GPULEDGER_TRY(stored);
    for (const alerts::Rule &rule : *rules) {
        const std::string definition = definitionOf(rule, m_engine.setup().settings);
        out.unevaluated.insert(rule.name);
        for (const store::StoredRuleState &state : stored->states) {
            alerts::RuleMachine machine(rule);
            if (state.rule != rule.name || state.definition != definition || !machine.import(state.states))
                continue;
            if (now - state.at < store::kAlertLease) // who leads evaluates more often than that
                out.unevaluated.erase(rule.name);
            for (const auto &[scope, of] : machine.scopes()) {
                if (of.state == AlertState::Firing)
                    out.firing.push_back({rule.name, scope, alerts::alertKey(rule.name, scope, of.since), of.since,
                                          of.newest.has_value()});
            }
        }
    }
    return out;
}

Result<AlertHistory> AlertDesk::history(base::TimeRange range)
{
    store::AlertStore store = m_engine.cache().alerts();
    if (range.end == m_engine.clock().now())
        range.end += base::Seconds{1}; // until now: with what happened in this second
    AlertHistory out;
    const auto changes = store.changes(range);
    GPULEDGER_TRY(changes);
    for (const store::StoredAlertChange &one : *changes)
        out.changes.push_back(
            {one.at, one.rule, one.scope, one.key, alertStateNamed(one.from), alertStateNamed(one.to), one.value});
    const auto messages = store.messages(range);
    GPULEDGER_TRY(messages);
    for (const store::StoredMessage &one : *messages)
        out.outbox.push_back(entryOf(one));
    const auto rows = store.rows(m_engine.clock().now());
    GPULEDGER_TRY(rows);
    for (const store::StoredSilence &one : rows->silences)
        out.silences.push_back({one.id, one.rule, one.scope, one.from, one.until, one.by, one.reason});
    const auto rules = m_alerts.rules();
    GPULEDGER_TRY(rules);
    const auto firing = firingKeys(*rules, *rows);
    for (const store::StoredAck &one : rows->acks) {
        if (firing.contains(one.key))
            out.acknowledged.push_back({one.key, one.by, one.note, one.at});
    }
    return out;
}

Result<std::vector<OutboxCount>> AlertDesk::undelivered()
{
    const auto counts = m_engine.cache().alerts().undelivered();
    GPULEDGER_TRY(counts);
    std::vector<OutboxCount> out;
    for (const store::UndeliveredCount &one : *counts)
        out.push_back({one.target, one.waiting, one.dead});
    return out;
}

Result<Silence> AlertDesk::silence(Silence silence)
{
    GPULEDGER_TRY(m_engine.refuseInReport());
    if (silence.until <= silence.from)
        return base::fail(ErrorCode::InvalidArgument, "the silence ends before it begins");
    const auto rules = m_alerts.rules();
    GPULEDGER_TRY(rules);
    const bool isKnown =
        std::any_of(rules->begin(), rules->end(), [&](const alerts::Rule &rule) { return rule.name == silence.rule; });
    if (!silence.rule.empty() && !isKnown)
        return base::fail(ErrorCode::InvalidArgument, "there is no alert \"" + base::printable(silence.rule, 64) + '"');
    if (silence.by.empty())
        silence.by = m_engine.actor();
    const auto id = m_engine.cache().alerts().silence(
        {0, silence.rule, silence.scope, silence.from, silence.until, silence.by, silence.reason});
    GPULEDGER_TRY(id);
    silence.id = *id;
    return silence;
}

Result<void> AlertDesk::endSilence(std::int64_t id)
{
    GPULEDGER_TRY(m_engine.refuseInReport());
    const auto ended = m_engine.cache().alerts().endSilence(id, m_engine.clock().now());
    GPULEDGER_TRY(ended);
    if (!*ended)
        return base::fail(ErrorCode::NotFound, "there is no silence " + std::to_string(id) + " that has not ended");
    return {};
}

Result<void> AlertDesk::acknowledge(Acknowledgement acknowledgement)
{
    GPULEDGER_TRY(m_engine.refuseInReport());
    store::AlertStore store = m_engine.cache().alerts();
    const auto rules = m_alerts.rules();
    GPULEDGER_TRY(rules);
    const auto rows = store.rows(m_engine.clock().now());
    GPULEDGER_TRY(rows);
    auto keys = firingKeys(*rules, *rows);
    const auto marks = ruleMarksOf(m_engine.cache().actions(), m_engine.setup().settings, m_engine.clock().now());
    GPULEDGER_TRY(marks);
    for (const model::Lease &mark : *marks)
        keys.insert(keyOfMark(mark));
    if (!keys.contains(acknowledgement.key))
        return base::fail(ErrorCode::NotFound,
                          "no alert fires, and no mark is planned, with the key \""
                              + base::printable(acknowledgement.key, 64) + '"');
    if (acknowledgement.by.empty())
        acknowledgement.by = m_engine.actor();
    GPULEDGER_TRY(
        store.acknowledge({acknowledgement.key, acknowledgement.by, acknowledgement.note, acknowledgement.at}));
    return cancelAcknowledged();
}

// Messages that wait and say that an acknowledged alert fires. One that is being sent is left alone; the next
// deliver() looks again.
Result<void> AlertDesk::cancelAcknowledged()
{
    const base::UtcTime now = m_engine.clock().now();
    store::AlertStore store = m_engine.cache().alerts();
    const auto rows = store.rows(now);
    GPULEDGER_TRY(rows);
    std::map<std::string, std::string> acknowledged; // key to who did
    for (const store::StoredAck &ack : rows->acks)
        acknowledged.emplace(ack.key, ack.by);
    if (acknowledged.empty())
        return {};
    std::map<std::int64_t, std::vector<std::string>> keys; // by message
    for (const store::ToldAlert &told : rows->told) {
        if (told.notice == model::NoticeState::Firing && acknowledged.contains(told.key))
            keys[told.message].push_back(told.key);
    }
    const auto pending = store.pending();
    GPULEDGER_TRY(pending);
    for (const store::StoredMessage &message : *pending) {
        const auto found = keys.find(message.id);
        const auto group = alerts::noticeGroupOf(message.content);
        if (message.state != store::MessageState::Waiting || found == keys.end() || !group)
            continue;
        store::MessageCut cut = messageCutOf(*group, found->second);
        cut.detail = "acknowledged before it was delivered, by " + acknowledged.at(found->second.front());
        GPULEDGER_TRY(store.cancel(message, cut, now));
    }
    return {};
}

Result<void> AlertDesk::retry(std::int64_t outboxId)
{
    GPULEDGER_TRY(m_engine.refuseInReport());
    const auto done = m_engine.cache().alerts().retry(outboxId, m_engine.clock().now());
    GPULEDGER_TRY(done);
    if (!*done)
        return base::fail(ErrorCode::NotFound, "there is no dead message " + std::to_string(outboxId));
    return {};
}

Result<void> AlertDesk::discard(std::int64_t outboxId)
{
    GPULEDGER_TRY(m_engine.refuseInReport());
    const auto done = m_engine.cache().alerts().discard(outboxId);
    GPULEDGER_TRY(done);
    if (!*done)
        return base::fail(ErrorCode::NotFound, "there is no waiting or dead message " + std::to_string(outboxId));
    return {};
}

} // namespace gpuledger::services
