// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/rules/rulestate.h"
#include "app/base/result.h"
#include "app/model/notice.h"
#include "app/ports/noticetarget.h"
#include "app/store/alerts/alertrows.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::alerts {
struct PlanQuestion;
struct PlannedMessage;
} // namespace gpuledger::alerts
namespace gpuledger::model {
struct AlertTarget;
}

namespace gpuledger::services {

class AlertService;
class Engine;
class FleetService;
class NoticeBuilder;

// A change of state of one alert, as it is kept.
struct AlertChange {
    base::UtcTime at{};
    std::string rule, scope, key;
    alerts::AlertState from = alerts::AlertState::Inactive, to = alerts::AlertState::Inactive;
    std::string value; // with its unit; empty: unknown
};

enum class OutboxState {
    Waiting,
    Delivered,
    Dead,
    Cancelled, // acknowledged before it was delivered, or discarded; `detail` says which
    Unknown, // a newer version of the program wrote it
};
// One message to one target, or the attempt of it.
struct OutboxEntry {
    std::int64_t id = 0;
    std::string target;
    OutboxState state = OutboxState::Waiting;
    model::NoticeState notice = model::NoticeState::Firing;
    std::string rule;
    std::vector<std::string> scopes; // that the message lists
    std::size_t unlisted = 0; // further ones that it is about
    int attempts = 0;
    base::UtcTime createdAt{};
    std::optional<base::UtcTime> nextAt; // Waiting
    std::optional<base::UtcTime> deliveredAt;
    std::string detail; // of the newest attempt: one sentence
};

// How many messages of a target were not delivered.
struct OutboxCount {
    std::string target;
    std::int64_t waiting = 0, dead = 0;
};

struct Silence {
    std::int64_t id = 0;
    std::string rule; // empty: all
    std::string scope; // empty: all
    base::UtcTime from{}, until{};
    std::string by, reason;
};

struct Acknowledgement {
    std::string key, by, note;
    base::UtcTime at{};
};

struct FiringAlert {
    std::string rule, scope, key;
    base::UtcTime since{};
    bool isKnown = true; // false: its value is unknown now, so that it may have ended
};

struct AlertRound {
    base::UtcTime at{};
    bool isLeader = true; // false: another program on this cache evaluates; nothing was done
    std::vector<AlertChange> changes;
    std::vector<FiringAlert> firing; // after the round; if another program leads, by the states that it stored
    std::set<std::string> unevaluated{}; // rules that could not be evaluated: where they fire is as of an earlier round
    std::size_t queued = 0; // messages
    std::vector<std::string>
        problems; // a rule that could not be evaluated, a target that could not be made: one sentence
};

struct MarkMessages {
    std::size_t queued = 0;
    std::vector<std::string> problems; // a target that could not be made, and others: one sentence
};

struct AlertHistory {
    std::vector<AlertChange> changes; // newest first
    std::vector<OutboxEntry> outbox; // newest first
    std::vector<Silence> silences; // that have not ended
    std::vector<Acknowledgement> acknowledged; // of what still fires
};

// The entry of a stored message.
OutboxEntry entryOf(const store::StoredMessage &message);

// Evaluates the rules on a schedule, keeps their states, and delivers notices from an outbox in the cache that survives
// a crash. All references must outlive it. Every function blocks; any thread but that of the window.
class AlertDesk {
public:
    AlertDesk(Engine &engine, FleetService &fleet, AlertService &alerts, ports::NoticeTargets &targets);
    ~AlertDesk();
    AlertDesk(const AlertDesk &) = delete;
    AlertDesk &operator=(const AlertDesk &) = delete;

    // Evaluates what is new since the last round; states, changes and messages are stored in one transaction.
    [[nodiscard]] base::Result<AlertRound> evaluate(const std::stop_token &stop);
    // Queues what the owners of marked workloads are to be told, by the routes of their teams (marks/marknotices.cpp):
    // once that a rule has marked one, and once how that ended. Whoever evaluates; after the marks of a round.
    [[nodiscard]] base::Result<MarkMessages> tellMarks();
    // Sends what is due, one message at a time for each target. Returns what was tried.
    [[nodiscard]] base::Result<std::vector<OutboxEntry>> deliver(std::stop_token stop);
    // Sends a test message at once, past the outbox. Fails with NotFound.
    [[nodiscard]] base::Result<ports::Delivery> test(const std::string &target, std::stop_token stop);

    // `by` of the next ones: empty for the user of the workspace.
    [[nodiscard]] base::Result<AlertHistory> history(base::TimeRange range);
    // Fails with InvalidArgument: it ends before it begins, or names an unknown rule.
    [[nodiscard]] base::Result<Silence> silence(Silence silence); // id is ignored; the answer has it
    [[nodiscard]] base::Result<void> endSilence(std::int64_t id); // NotFound
    // No further message says that an acknowledged alert fires, and one that waits is cancelled. Fails with NotFound:
    // it does not fire.
    [[nodiscard]] base::Result<void> acknowledge(Acknowledgement acknowledgement);
    [[nodiscard]] base::Result<void> retry(std::int64_t outboxId); // a dead letter becomes due now; NotFound
    [[nodiscard]] base::Result<void> discard(std::int64_t outboxId); // cancels a waiting or dead one; NotFound

    // By target; those of which all messages were delivered are left out.
    [[nodiscard]] base::Result<std::vector<OutboxCount>> undelivered();
    // When deliver() has something to do again; std::nullopt: nothing waits.
    [[nodiscard]] base::Result<std::optional<base::UtcTime>> nextDue();
    base::UtcTime now() const; // by its clock

private:
    // A round in the making (alertround.cpp).
    struct Round;
    base::Result<void> runRules(Round &round, const std::stop_token &stop);
    base::Result<AlertRound> followed(base::UtcTime now);
    base::Result<void> plan(Round &round);
    void askTargets(alerts::PlanQuestion &question, std::vector<std::string> &problems);
    void queue(Round &round, const alerts::PlanQuestion &question, const alerts::PlannedMessage &planned,
               NoticeBuilder &builder);
    base::Result<void> dropEndedRepeats(Round &round);

    base::Result<void> cancelAcknowledged(); // alertrecords.cpp

    // What happens to the messages of a target (alertdelivery.cpp).
    struct Sending;
    base::Result<void> deliverTo(Sending &sending, const std::string &name,
                                 const std::vector<store::StoredMessage> &messages);
    base::Result<void> sendAll(Sending &sending, ports::NoticeTarget &target,
                               const std::vector<store::StoredMessage> &messages);
    base::Result<bool> sendOne(Sending &sending, ports::NoticeTarget &target, const store::StoredMessage &message,
                               const model::NoticeGroup &group);
    base::Result<void> leaveToOthers(Sending &sending, const std::string &name,
                                     const std::vector<store::StoredMessage> &messages, const std::string &why);
    void noteAnswer(const store::StoredMessage &message, const ports::Delivery &delivery);
    bool rests(const std::string &target);
    std::optional<base::UtcTime> restOf(const std::string &target) const; // with m_targetsMutex
    bool waitForPause(const std::string &target, base::Seconds pause, const std::stop_token &stop);
    const model::AlertTarget *targetNamed(const std::string &name) const;

    Engine &m_engine;
    FleetService &m_fleet;
    AlertService &m_alerts;
    ports::NoticeTargets &m_targets;
    const std::string m_instance; // who leads
    std::atomic<bool> m_leads = false;
    std::mutex m_sending; // one deliver() at a time; guards what follows
    std::map<std::string, std::chrono::steady_clock::time_point> m_lastSent; // by target
    std::mutex m_targetsMutex; // guards what follows
    std::set<std::string> m_elsewhere; // targets that only another program can use
    std::map<std::string, base::UtcTime> m_restUntil; // targets that failed
};

} // namespace gpuledger::services
