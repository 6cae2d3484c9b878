// SPDX-License-Identifier: GPL-3.0-or-later
// Sends the messages of the outbox.
#include "app/alerts/outbox/messageplan.h"
#include "app/alerts/outbox/noticetext.h"
#include "app/alerts/outbox/retries.h"
#include "app/services/alerts/alertdesk.h"
#include "app/services/engine/engine.h"
#include "app/store/alerts/alertstore.h"

#include <algorithm>
#include <condition_variable>
#include <utility>

namespace gpuledger::services {

using base::Result;
using ports::DeliveryOutcome;
using std::chrono::steady_clock;
using store::MessageState;
using store::StoredMessage;

namespace {

constexpr std::chrono::seconds kLongestDelivery{60}; // the rest is due at once
constexpr std::chrono::seconds kLongestFailing{20}; // after that, nothing more for targets that failed before

// A message whose alerts are in no earlier one that waits.
struct Sendable {
    const StoredMessage *message;
    std::optional<model::NoticeGroup> group; // std::nullopt: it can't be read
};

// In their order, so that no target hears of the end of an alert before its begin.
std::vector<Sendable> sendableOf(const std::vector<StoredMessage> &messages)
{
    std::vector<Sendable> out;
    std::set<std::string> earlier; // keys
    for (const StoredMessage &message : messages) {
        const auto group = alerts::noticeGroupOf(message.content);
        bool isFree = true;
        if (group) {
            for (const model::Notice &notice : group->notices) {
                const bool isNew = message.state == MessageState::Waiting ? earlier.insert(notice.key).second
                                                                          : !earlier.contains(notice.key);
                isFree = isFree && isNew;
            }
        }
        if (isFree)
            out.push_back({&message, group ? std::optional(*group) : std::nullopt});
    }
    return out;
}

struct MessagesOfTarget {
    std::string name;
    std::vector<StoredMessage> messages;
    bool hasFailed = false; // at least one was tried in vain
};

// Targets that have failed come last, so that the others need not wait until these time out.
std::vector<MessagesOfTarget> byTarget(std::vector<StoredMessage> messages)
{
    std::map<std::string, MessagesOfTarget> targets;
    for (StoredMessage &message : messages) {
        MessagesOfTarget &target = targets[message.target];
        target.name = message.target;
        target.hasFailed = target.hasFailed || (message.state == MessageState::Waiting && message.attempts > 0);
        target.messages.push_back(std::move(message));
    }
    std::vector<MessagesOfTarget> out;
    for (auto &[name, target] : targets)
        out.push_back(std::move(target));
    std::stable_partition(out.begin(), out.end(), [](const MessagesOfTarget &one) { return !one.hasFailed; });
    return out;
}

store::MessageOutcome deadOf(const StoredMessage &message, std::string detail)
{
    // What was delivered before is only not repeated.
    const bool wasDelivered = message.state == MessageState::Delivered;
    return {wasDelivered ? MessageState::Delivered : MessageState::Dead, {}, {}, std::move(detail), true};
}

// A repetition that fails is due soon, however often the message was sent: the receiver ends what is not repeated.
store::MessageOutcome retryOf(const StoredMessage &message, const ports::Delivery &delivery, base::UtcTime now)
{
    const bool isRepetition = message.state == MessageState::Delivered;
    if (!isRepetition && alerts::isGivenUp(message.createdAt, now))
        return deadOf(message, "given up after a day: " + delivery.detail);
    const int attempts = isRepetition ? 1 : message.attempts + 1;
    return {
        message.state, alerts::nextAttempt(now, attempts, message.id, delivery.retryAfter), {}, delivery.detail, true};
}

store::MessageOutcome outcomeOf(const StoredMessage &message, const ports::Delivery &delivery,
                                const ports::TargetTraits &traits, base::UtcTime now)
{
    switch (delivery.outcome) {
    case DeliveryOutcome::Delivered: {
        const bool isRepeated = traits.repeat && message.notice == model::NoticeState::Firing;
        return {MessageState::Delivered, isRepeated ? std::optional(now + *traits.repeat) : std::nullopt, now,
                delivery.detail, true};
    }
    case DeliveryOutcome::Refused:
        if (message.state != MessageState::Delivered)
            return deadOf(message, delivery.detail);
        break; // it took the same message before
    case DeliveryOutcome::Retry:
        break;
    }
    return retryOf(message, delivery, now);
}

// A repetition of what is silenced is due again as if it had been sent; the receiver ends what it does not hear of.
store::MessageOutcome laterOf(const StoredMessage &message, const ports::TargetTraits &traits, base::UtcTime now)
{
    return {MessageState::Delivered, now + traits.repeat.value_or(base::kDay), std::nullopt, message.detail, true};
}

bool isDueNow(const StoredMessage &message, base::UtcTime now)
{
    return message.nextAt && alerts::isDue(*message.nextAt, now);
}

} // namespace

struct AlertDesk::Sending {
    store::AlertStore outbox;
    std::stop_token stop;
    steady_clock::time_point begin;
    std::set<std::pair<std::string, std::string>> over; // target and key: it is told that this alert is over
    std::vector<alerts::PlanSilence> silences;
    std::vector<OutboxEntry> tried;

    bool isOver(bool isFailing = false) const
    {
        return stop.stop_requested() || steady_clock::now() - begin >= (isFailing ? kLongestFailing : kLongestDelivery);
    }
    // What a repetition still has to say.
    model::NoticeGroup stillFiring(const std::string &target, const model::NoticeGroup &group) const
    {
        std::set<std::string> ended;
        for (const model::Notice &notice : group.notices) {
            if (over.contains({target, notice.key}))
                ended.insert(notice.key);
        }
        return alerts::without(group, ended);
    }
    model::NoticeGroup notSilenced(const model::NoticeGroup &group, base::UtcTime now) const
    {
        std::set<std::string> silenced;
        for (const model::Notice &notice : group.notices) {
            if (std::any_of(silences.begin(), silences.end(), [&](const alerts::PlanSilence &one) {
                    return alerts::silences(one, notice.rule, notice.scope, now);
                }))
                silenced.insert(notice.key);
        }
        return silenced.empty() ? group : alerts::without(group, silenced);
    }
    Result<void> settle(const StoredMessage &message, const store::MessageOutcome &outcome)
    {
        GPULEDGER_TRY(outbox.settle(message.id, outcome));
        const auto now = outbox.message(message.id);
        GPULEDGER_TRY(now);
        if (*now)
            tried.push_back(entryOf(**now));
        return {};
    }
};

Result<std::vector<OutboxEntry>> AlertDesk::deliver(std::stop_token stop)
{
    GPULEDGER_TRY(m_engine.refuseInReport());
    const std::lock_guard guard(m_sending);
    Sending sending{m_engine.cache().alerts(), std::move(stop), steady_clock::now(), {}, {}, {}};
    GPULEDGER_TRY(cancelAcknowledged());
    auto pending = sending.outbox.pending();
    GPULEDGER_TRY(pending);
    const auto rows = sending.outbox.rows(m_engine.clock().now());
    GPULEDGER_TRY(rows);
    for (const store::ToldAlert &told : rows->told) {
        if (told.notice == model::NoticeState::Resolved)
            sending.over.emplace(told.target, told.key);
    }
    for (const store::StoredSilence &one : rows->silences)
        sending.silences.push_back({one.rule, one.scope, {one.from, one.until}});
    {
        const std::lock_guard guardOfTargets(m_targetsMutex);
        m_elsewhere.clear();
    }
    for (const MessagesOfTarget &target : byTarget(std::move(*pending))) {
        if (sending.isOver(target.hasFailed))
            break;
        GPULEDGER_TRY(deliverTo(sending, target.name, target.messages));
    }
    return std::move(sending.tried);
}

// A target that only another program can use: the window, or one with a newer configuration.
Result<void> AlertDesk::leaveToOthers(Sending &sending, const std::string &name,
                                      const std::vector<StoredMessage> &messages, const std::string &why)
{
    {
        const std::lock_guard guardOfTargets(m_targetsMutex);
        m_elsewhere.insert(name);
    }
    const base::UtcTime now = m_engine.clock().now();
    for (const StoredMessage &message : messages) {
        if (message.state == MessageState::Waiting && alerts::isGivenUp(message.createdAt, now))
            GPULEDGER_TRY(sending.settle(message, deadOf(message, "given up after a day: " + why)));
    }
    return {};
}

Result<void> AlertDesk::deliverTo(Sending &sending, const std::string &name, const std::vector<StoredMessage> &messages)
{
    const model::AlertTarget *configured = targetNamed(name);
    if (!configured)
        return leaveToOthers(sending, name, messages, "the configuration has no such target");
    const auto made = m_targets.create(*configured);
    if (made)
        return sendAll(sending, **made, messages);
    if (made.error().code == base::ErrorCode::Unsupported)
        return leaveToOthers(sending, name, messages, made.error().text);
    const base::UtcTime now = m_engine.clock().now();
    // A target that can't be made is tried again like one that does not answer.
    for (const StoredMessage &message : messages) {
        if (!isDueNow(message, now))
            continue;
        const auto isOurs = sending.outbox.claim(message, now);
        GPULEDGER_TRY(isOurs);
        const ports::Delivery failed{DeliveryOutcome::Retry, {}, made.error().text};
        if (*isOurs)
            GPULEDGER_TRY(sending.settle(message, retryOf(message, failed, now)));
    }
    return {};
}

// After a failure, a target gets nothing at all for a while, or as long as it asked for, but at most an hour.
void AlertDesk::noteAnswer(const StoredMessage &message, const ports::Delivery &delivery)
{
    const std::lock_guard guard(m_targetsMutex);
    if (delivery.outcome != DeliveryOutcome::Retry) {
        m_restUntil.erase(message.target);
        return;
    }
    const base::UtcTime now = m_engine.clock().now();
    m_restUntil[message.target] =
        std::min(alerts::nextAttempt(now, 1, message.id, delivery.retryAfter), now + alerts::kLongestBackOff);
}

bool AlertDesk::rests(const std::string &target)
{
    const std::lock_guard guard(m_targetsMutex);
    return restOf(target).has_value();
}

std::optional<base::UtcTime> AlertDesk::restOf(const std::string &target) const
{
    const auto found = m_restUntil.find(target);
    const bool isResting = found != m_restUntil.end() && !alerts::isDue(found->second, m_engine.clock().now());
    return isResting ? std::optional(found->second) : std::nullopt;
}

Result<void> AlertDesk::sendAll(Sending &sending, ports::NoticeTarget &target,
                                const std::vector<StoredMessage> &messages)
{
    for (const Sendable &one : sendableOf(messages)) {
        if (sending.isOver() || rests(one.message->target))
            break;
        if (!isDueNow(*one.message, m_engine.clock().now()))
            continue;
        if (!one.group) {
            GPULEDGER_TRY(sending.settle(*one.message, deadOf(*one.message, "the stored message can't be read")));
            continue;
        }
        const bool isRepetition = one.message->state == MessageState::Delivered;
        model::NoticeGroup group = isRepetition ? sending.stillFiring(one.message->target, *one.group) : *one.group;
        if (group.notices.empty()) {
            GPULEDGER_TRY(sending.outbox.settle(
                one.message->id, {MessageState::Delivered, std::nullopt, std::nullopt, one.message->detail, true}));
            continue;
        }
        if (isRepetition) {
            group = sending.notSilenced(group, m_engine.clock().now());
            if (group.notices.empty()) {
                GPULEDGER_TRY(sending.outbox.settle(one.message->id,
                                                    laterOf(*one.message, target.traits(), m_engine.clock().now())));
                continue;
            }
        }
        if (!waitForPause(one.message->target, target.traits().pause, sending.stop))
            break;
        const auto goesOn = sendOne(sending, target, *one.message, group);
        GPULEDGER_TRY(goesOn);
        if (!*goesOn)
            break;
    }
    return {};
}

// False: this target gets nothing more now. The attempt is on disk before the message is sent: a program that dies
// meanwhile sends it again, with the same id and keys.
Result<bool> AlertDesk::sendOne(Sending &sending, ports::NoticeTarget &target, const StoredMessage &message,
                                const model::NoticeGroup &group)
{
    const auto isOurs = sending.outbox.claim(message, m_engine.clock().now());
    GPULEDGER_TRY(isOurs);
    if (!*isOurs)
        return false;
    const ports::Delivery delivery = target.send(group, sending.stop);
    m_lastSent[message.target] = steady_clock::now();
    const bool isCancelled = delivery.outcome == DeliveryOutcome::Retry && sending.stop.stop_requested();
    const store::MessageOutcome outcome = isCancelled
        ? store::MessageOutcome{message.state, message.nextAt, {}, message.detail, false}
        : outcomeOf(message, delivery, target.traits(), m_engine.clock().now());
    if (!isCancelled)
        noteAnswer(message, delivery);
    GPULEDGER_TRY(sending.settle(message, outcome));
    return delivery.outcome != DeliveryOutcome::Retry;
}

// False: a stop was requested.
bool AlertDesk::waitForPause(const std::string &target, base::Seconds pause, const std::stop_token &stop)
{
    const auto last = m_lastSent.find(target);
    if (last == m_lastSent.end())
        return !stop.stop_requested();
    std::mutex mutex;
    std::condition_variable_any condition;
    std::unique_lock lock(mutex);
    condition.wait_until(lock, stop, last->second + pause, [] { return false; });
    return !stop.stop_requested();
}

Result<std::optional<base::UtcTime>> AlertDesk::nextDue()
{
    auto pending = m_engine.cache().alerts().pending();
    GPULEDGER_TRY(pending);
    const base::UtcTime now = m_engine.clock().now();
    const std::lock_guard guard(m_targetsMutex);
    std::optional<base::UtcTime> next;
    for (const MessagesOfTarget &target : byTarget(std::move(*pending))) {
        if (m_elsewhere.contains(target.name))
            continue;
        base::UtcTime claimed = std::max(now, restOf(target.name).value_or(now));
        for (const StoredMessage &message : target.messages) {
            if (message.claimedUntil && *message.claimedUntil <= now + store::kMessageClaim)
                claimed = std::max(claimed, *message.claimedUntil);
        }
        for (const Sendable &one : sendableOf(target.messages)) {
            const base::UtcTime due =
                std::max(claimed, isDueNow(*one.message, now) ? now : one.message->nextAt.value_or(now));
            next = std::min(next.value_or(due), due);
        }
    }
    return next;
}

} // namespace gpuledger::services
