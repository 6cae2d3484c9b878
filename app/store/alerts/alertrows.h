// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/notice.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// The rows about alerts, as the cache keeps them.
namespace gpuledger::store {

// A time of a clock that was ahead: no claim and no lease is longer than these.
inline constexpr base::Seconds kAlertLease{900};
inline constexpr base::Seconds kMessageClaim{180};
inline constexpr base::Seconds kAlertHistoryKept{90 * 86400};

struct StoredRuleState {
    std::string rule;
    std::string definition; // a hash of what the rule watches
    std::string states; // as alerts::RuleMachine exports them
    base::UtcTime at{};
};

struct StoredAlertChange {
    base::UtcTime at{};
    std::string rule, scope;
    std::string key; // empty: it neither began nor ended to fire
    std::string from, to; // alerts::AlertState
    std::string value; // with its unit; empty: unknown
};

enum class MessageState {
    Waiting,
    Delivered,
    Dead, // nobody got it; retry() makes it wait again
    Cancelled, // what it says need no longer be said; if it was tried before, it may have arrived
    Discarded, // a person wants it no longer
    Unknown, // that of a newer version of the program: read, never sent or written
};

// One alert in a message.
struct ToldAlert {
    std::string key, target;
    model::NoticeState notice = model::NoticeState::Firing;
    std::string rule, scope;
    base::UtcTime firedAt{};
    std::int64_t message = 0;
    bool isLost = false; // its message is dead, discarded, or was cancelled before it was tried
    base::UtcTime toldAt{}; // when its message was made; of one that earlier versions discarded: firedAt
};

struct StoredMessage {
    std::int64_t id = 0;
    std::string target, rule;
    model::NoticeState notice = model::NoticeState::Firing;
    MessageState state = MessageState::Waiting;
    std::string content; // a model::NoticeGroup as JSON
    int attempts = 0;
    base::UtcTime createdAt{};
    std::optional<base::UtcTime> nextAt; // when it is tried next; of a delivered one: it is repeated
    std::optional<base::UtcTime> claimedUntil; // a program is sending it
    std::optional<base::UtcTime> deliveredAt;
    std::string detail; // of the newest attempt
};

// How many messages of a target were not delivered.
struct UndeliveredCount {
    std::string target;
    std::int64_t waiting = 0, dead = 0;
};

// A message that is not stored yet.
struct NewMessage {
    std::string target, rule;
    model::NoticeState notice = model::NoticeState::Firing;
    std::string content;
    std::vector<ToldAlert> alerts; // target, notice and message are filled in
};

// What is no longer to be said of a waiting message.
struct MessageCut {
    std::vector<std::string> keys; // of alerts
    std::string rest; // its content without them; empty: nothing that could be sent
    std::string cut; // the content of what is cancelled
    std::string detail; // why: one sentence
};

// How an attempt ended.
struct MessageOutcome {
    MessageState state = MessageState::Waiting;
    std::optional<base::UtcTime> nextAt, deliveredAt;
    std::string detail;
    bool counts = true; // false: it was cancelled; the attempt is taken back
};

struct StoredSilence {
    std::int64_t id = 0;
    std::string rule, scope; // empty: all
    base::UtcTime from{}, until{};
    std::string by, reason;
};

struct StoredAck {
    std::string key, by, note;
    base::UtcTime at{};
};

// What a round begins with; one state of the cache.
struct AlertRows {
    std::vector<StoredRuleState> states; // by rule
    std::vector<ToldAlert> told;
    std::vector<StoredSilence> silences; // that have not ended
    std::vector<StoredAck> acks;
};

// What a round stores.
struct AlertRoundRows {
    base::UtcTime at{};
    std::vector<StoredRuleState> states; // of all rules; others are forgotten
    std::vector<StoredAlertChange> changes;
    std::vector<NewMessage> messages;
    std::vector<std::string> firing; // keys; acknowledgements of others are forgotten
    std::vector<std::int64_t> endedRepeats; // messages that are no longer repeated
    std::vector<std::pair<std::int64_t, std::string>> contents; // of messages that are repeated with another one
};

} // namespace gpuledger::store
