// SPDX-License-Identifier: GPL-3.0-or-later
// What people do with alerts: the history, silences, acknowledgements, dead letters.
#include "app/alerts/rules/rulemachine.h"
#include "app/base/text/text.h"
#include "app/services/alerts/alertdesk.h"
#include "app/services/alerts/alertservice.h"
#include "app/services/engine/engine.h"
#include "app/store/alerts/alertstore.h"

#include <algorithm>
#include <array>
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

} // namespace

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
    if (!firingKeys(*rules, *rows).contains(acknowledgement.key))
        return base::fail(ErrorCode::NotFound,
                          "no alert fires with the key \"" + base::printable(acknowledgement.key, 64) + '"');
    if (acknowledgement.by.empty())
        acknowledgement.by = m_engine.actor();
    return store.acknowledge({acknowledgement.key, acknowledgement.by, acknowledgement.note, acknowledgement.at});
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
