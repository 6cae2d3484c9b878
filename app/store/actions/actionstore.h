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

// Entries of the audit log about actions and leases: "action-confirmed", "action-executing", …, and these. In logs of
// earlier versions sentences stand in place of outcome and mark: "result" of an action, "reason" of a lease.
inline constexpr char kActionPrefix[] = "action-"; // details: id, key, kind, outcome, …, see actionrows.cpp
inline constexpr char kLeasePrefix[] = "lease-"; // + kind: it was given; details: id, until, reason
inline constexpr char kEndLease[] = "end-lease"; // details: id, kind, mark
inline constexpr char kPostponeLease[] = "postpone-lease"; // details: id, kind, until, mark

// What became of an action.
struct ActionStep {
    base::UtcTime at{};
    std::string result; // as ActionRecord has it
    std::string receipt, versionAfter;
};

// How much one user may begin; asked for in the transaction that writes it down.
struct ActionQuota {
    int most = 0; // actions of that kind since `since`, with the new ones and those of the watch for that user
    base::UtcTime since{};
    base::UtcTime cooledDown{}; // the last action on the same object must be older
};

// Actions, their states and leases; every change is on disk (synchronous=FULL) and in the audit log when a call
// returns. Made by LedgerStore::actions(), which must outlive it. Thread-safe as that is. Fails with Storage… codes.
class ActionStore {
public:
    explicit ActionStore(Connections &store)
        : m_store(store)
    {
    }

    // Writes intents down as Confirmed, all or none; their ids, in that order. Fails with Refused where one of the
    // objects has an action that is not settled, or one that is too young, where the quota is used up, and for an undo
    // where that action was undone already; with StorageFull where too little room is left to tell the results.
    [[nodiscard]] base::Result<std::vector<std::int64_t>> begin(const std::vector<model::ActionIntent> &intents,
                                                                const ActionQuota &quota);
    // Moves an action on. Fails with Refused where that state can't follow (somebody else moved it). On a full disk it
    // uses the room that was kept for it.
    [[nodiscard]] base::Result<void> move(std::int64_t action, model::ActionState to, const ActionStep &step);

    // Ascending by id. Fails with StorageCorrupt where one is not what was written.
    [[nodiscard]] base::Result<std::vector<model::ActionRecord>> all();
    // Those that are not settled: Confirmed, Executing, Executed, Unknown; and verified undos of actions that are not
    // told to be Undone.
    [[nodiscard]] base::Result<std::vector<model::ActionRecord>> unsettled();
    // Fails with NotFound too.
    [[nodiscard]] base::Result<model::ActionRecord> action(std::int64_t id);

    // Gives a lease; it replaces one of the same kind for the same holder.
    [[nodiscard]] base::Result<model::Lease> grant(const model::Lease &lease);
    // Takes it back, or says why it is over: `mark` is a JSON object for the audit log (app/actions/marks.h), or empty.
    // Fails with NotFound where it has ended already.
    [[nodiscard]] base::Result<void> end(std::int64_t lease, base::UtcTime at, const std::string &actor,
                                         const std::string &mark = {});
    // Another time for one that holds; it ends later or sooner. Fails with NotFound where it has ended already.
    [[nodiscard]] base::Result<void> postpone(std::int64_t lease, base::UtcTime until, base::UtcTime at,
                                              const std::string &actor, const std::string &mark);
    // Those that hold at that time; one of kind StopAfter holds until it is ended.
    [[nodiscard]] base::Result<std::vector<model::Lease>> leases(base::UtcTime at);

private:
    Connections &m_store;
};

// Each action by its checksum, its states by their order, and both against the audit log; for verify().
[[nodiscard]] base::Result<void> checkActions(Database &database,
                                              const std::function<void(std::string, std::string)> &tell);

} // namespace gpuledger::store
