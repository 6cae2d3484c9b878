// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/actionrecord.h"
#include "app/store/actions/auditlog.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::store {

class Database;
struct Connections;

// Audit-log entries about actions and leases: "action-confirmed", "action-executing", …, and those below. Logs of
// earlier versions have sentences in place of outcome and mark: "result" of an action, "reason" of a lease.
inline constexpr char kActionPrefix[] = "action-"; // details: id, key, kind, outcome, …, see actionrows.cpp
inline constexpr char kLeasePrefix[] = "lease-"; // + kind: it was granted; details: id, until, reason
inline constexpr char kEndLease[] = "end-lease"; // details: id, kind, mark
inline constexpr char kPostponeLease[] = "postpone-lease"; // details: id, kind, until, mark

// The outcome of a state change.
struct ActionStep {
    base::UtcTime at{};
    std::string result; // as ActionRecord has it
    std::string receipt, versionAfter;
};

// How many actions one user may begin; checked in the transaction that stores them.
struct ActionQuota {
    int most = 0; // actions of that kind since `since`, including new ones and those that the watch did for the user
    base::UtcTime since{};
    base::UtcTime cooledDown{}; // the last action on the same object must be older
};

// Stores actions, their states and leases. When a call returns, its change is on disk (synchronous=FULL) and in the
// audit log. Created by LedgerStore::actions(); the LedgerStore must outlive it. Any thread. Fails with Storage… codes.
class ActionStore {
public:
    explicit ActionStore(Connections &store)
        : m_store(store)
    {
    }

    // Stores intents as Confirmed, all or none, and returns their ids in the same order. Fails with Refused if an
    // object has an action that is unsettled or too recent, if the quota is used up, or if an action to undo was
    // already undone; with StorageFull if the disk lacks the space to store the results.
    [[nodiscard]] base::Result<std::vector<std::int64_t>> begin(const std::vector<model::ActionIntent> &intents,
                                                                const ActionQuota &quota);
    // Moves an action to its next state. Fails with Refused if that state can't follow, because another process has
    // moved the action. On a full disk it uses the space that begin() reserved.
    [[nodiscard]] base::Result<void> move(std::int64_t action, model::ActionState to, const ActionStep &step);

    // Ascending by id. Fails with StorageCorrupt if a row is not what was written.
    [[nodiscard]] base::Result<std::vector<model::ActionRecord>> all();
    // Unsettled actions: Confirmed, Executing, Executed, Unknown, and verified undos whose original action is not
    // Undone yet.
    [[nodiscard]] base::Result<std::vector<model::ActionRecord>> unsettled();
    // Also fails with NotFound.
    [[nodiscard]] base::Result<model::ActionRecord> action(std::int64_t id);

    // Grants a lease, replacing one of the same kind for the same holder.
    [[nodiscard]] base::Result<model::Lease> grant(const model::Lease &lease);
    // Ends a lease. `mark` says why: a JSON object for the audit log (app/actions/run/marks.h), or empty if a user
    // removed it. Fails with NotFound if it has already ended.
    [[nodiscard]] base::Result<void> end(std::int64_t lease, base::UtcTime at, const std::string &actor,
                                         const std::string &mark = {});
    // Moves the end of an active lease, in either direction. Fails with NotFound if it has already ended.
    [[nodiscard]] base::Result<void> postpone(std::int64_t lease, base::UtcTime until, base::UtcTime at,
                                              const std::string &actor, const std::string &mark);
    // Leases active at that time; a StopAfter lease is active until it is ended.
    [[nodiscard]] base::Result<std::vector<model::Lease>> leases(base::UtcTime at);
    // StopAfter leases that have ended, with `endedAt` and `endedBy`, ascending by id.
    [[nodiscard]] base::Result<std::vector<model::Lease>> endedMarks();

private:
    Connections &m_store;
};

// Checks each action's checksum and the order of its states, and compares both with the audit log; for verify().
[[nodiscard]] base::Result<void> checkActions(Database &database,
                                              const std::function<void(std::string, std::string)> &tell);

} // namespace gpuledger::store
