// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/actions/actionstore.h"

#include "app/base/remedy.h"
#include "app/store/actions/actionrows.h"
#include "app/store/sqlite/durable.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace gpuledger::store {

using base::ErrorCode;
using base::fail;
using base::Result;
using model::ActionIntent;
using model::ActionRecord;
using model::ActionState;
using model::Lease;
using Counts = Connections::Counts;

namespace {

constexpr std::uintmax_t kLeastFree = 16u << 20; // bytes; below this, no new actions are begun
constexpr off_t kReserve = 1 << 20;

std::filesystem::path reserveOf(const std::filesystem::path &file)
{
    return file.parent_path() / "results.reserve";
}

// Reserves disk space so that the results of new actions can be stored even if the disk fills up.
Result<void> keepRoom(const std::filesystem::path &file)
{
    const std::filesystem::path reserve = reserveOf(file);
    std::error_code error;
    const auto space = std::filesystem::space(file.parent_path(), error);
    const auto kept = std::filesystem::file_size(reserve, error);
    const bool isKept = !error && kept >= static_cast<std::uintmax_t>(kReserve);
    const int fd = isKept ? -1 : ::open(reserve.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool done = isKept;
    if (fd >= 0) {
        done = ::posix_fallocate(fd, 0, kReserve) == 0;
        ::close(fd);
    }
    if (!done || space.available < kLeastFree)
        return fail(ErrorCode::StorageFull,
                    "nothing was stopped: less than 16 MiB are free where " + file.string()
                        + " is, and there must always be room to record the outcome of an action",
                    base::Remedy::FreeSpaceThere);
    return {};
}

Result<void> refused(const std::string &why, base::Hint hint = {})
{
    return fail(ErrorCode::Refused, why, std::move(hint));
}

std::string nameOf(const ActionIntent &intent)
{
    return intent.target.kind + ' ' + intent.target.name;
}

// Checks that all earlier actions on this object are settled and old enough.
Result<void> checkObject(const ActionIntent &intent, const std::vector<ActionRecord> &known, const ActionQuota &quota)
{
    for (const ActionRecord &other : known) {
        if (other.intent.target.uid != intent.target.uid || other.intent.target.cluster != intent.target.cluster)
            continue;
        if (!model::isFinal(other.state))
            return refused("action " + std::to_string(other.id) + " on " + nameOf(intent) + " has not finished yet");
        const bool happened = other.state == ActionState::Verified || other.state == ActionState::Undone;
        if (intent.kind == model::ActionKind::Stop && happened && other.changedAt > quota.cooledDown)
            return refused(nameOf(intent) + " was just stopped or brought back (action " + std::to_string(other.id)
                               + ')',
                           base::Remedy::WaitForCooldown);
        if (intent.kind == model::ActionKind::Undo && other.intent.undoes == intent.undoes
            && other.state == ActionState::Verified)
            return refused("action " + std::to_string(intent.undoes) + " was already brought back by action "
                           + std::to_string(other.id));
    }
    return {};
}

Result<void> checkQuota(const std::vector<ActionIntent> &intents, const std::vector<ActionRecord> &known,
                        const ActionQuota &quota)
{
    const ActionIntent &first = intents.front();
    const auto begun = std::count_if(known.begin(), known.end(), [&](const ActionRecord &record) {
        return record.intent.kind == first.kind && model::userOf(record.intent.actor) == model::userOf(first.actor)
            && record.intent.at > quota.since && record.state != ActionState::Refused;
    });
    if (begun + static_cast<std::int64_t>(intents.size()) > quota.most)
        return refused("this would be more than " + std::to_string(quota.most) + " actions by one user within an hour ("
                           + std::to_string(begun) + " so far)",
                       base::Remedy::RaiseActionsPerHour);
    return {};
}

Result<void> moveIn(Database &writer, std::int64_t id, ActionState to, const ActionStep &step)
{
    const auto found = readActions(writer, id);
    GPULEDGER_TRY(found);
    if (found->empty())
        return fail(ErrorCode::NotFound, "there is no action " + std::to_string(id));
    const ActionRecord &record = found->front();
    if (!mayFollow(record.state, to))
        return refused("action " + std::to_string(id) + " is " + std::string(toString(record.state))
                       + " already; another process continued it");
    Statement s = writer.statement("SELECT count(*) FROM action_step WHERE action = ?1");
    GPULEDGER_TRY(s.bind(1, id).step());
    const std::int64_t number = s.integer(0);
    GPULEDGER_TRY(insertStep(writer, id, number, to, step));
    GPULEDGER_TRY(appendAudit(writer, auditEvent(record.intent, id, to, step)));
    return {};
}

Lease leaseAt(const Statement &s)
{
    Lease lease;
    lease.id = s.integer(0);
    lease.kind = model::leaseKindFrom(s.text(1)).value_or(Lease::Kind::Protect);
    lease.holder = s.text(2);
    if (const auto until = s.optionalInteger(3))
        lease.until = base::fromUnix(*until);
    lease.actor = s.text(4);
    lease.reason = s.text(5);
    lease.at = base::fromUnix(s.integer(6));
    return lease;
}

AuditEvent leaseEvent(const Lease &lease)
{
    nlohmann::ordered_json details{{"id", lease.id}, {"reason", lease.reason}};
    if (lease.until)
        details["until"] = base::toRfc3339(*lease.until);
    return {lease.at, lease.actor, kLeasePrefix + std::string(toString(lease.kind)), lease.holder,
            details.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)};
}

Result<void> insertLease(Database &writer, Lease &lease)
{
    Statement old = writer.statement("UPDATE lease SET ended_at = ?3, ended_by = ?4 WHERE holder = ?1 AND kind = ?2"
                                     " AND ended_at IS NULL");
    old.bind(1, lease.holder).bind(2, std::string(toString(lease.kind))).bind(3, base::toUnix(lease.at));
    GPULEDGER_TRY(old.bind(4, lease.actor).run());
    Statement s = writer.statement("INSERT INTO lease (kind, holder, until, actor, reason, at, ended_by)"
                                   " VALUES (?1, ?2, ?3, ?4, ?5, ?6, '')");
    s.bind(1, std::string(toString(lease.kind))).bind(2, lease.holder);
    s.bind(3, lease.until ? std::optional(base::toUnix(*lease.until)) : std::nullopt);
    GPULEDGER_TRY(s.bind(4, lease.actor).bind(5, lease.reason).bind(6, base::toUnix(lease.at)).run());
    lease.id = writer.lastInsertId();
    GPULEDGER_TRY(appendAudit(writer, leaseEvent(lease)));
    return {};
}

// Calls `work` for an active lease.
Result<void> changeLease(Connections &store, std::int64_t id,
                         const std::function<Result<void>(Database &writer, const Lease &found)> &work)
{
    const auto done = durably<bool>(
        store,
        [&](Database &writer) -> Result<std::pair<bool, bool>> {
            Statement s = writer.statement("SELECT id, kind, holder, until, actor, reason, at FROM lease"
                                           " WHERE id = ?1 AND ended_at IS NULL");
            std::optional<Lease> found;
            GPULEDGER_TRY(s.bind(1, id).each([&] { found = leaseAt(s); }));
            if (!found)
                return fail(ErrorCode::NotFound, "there is no lease " + std::to_string(id) + " in force");
            GPULEDGER_TRY(work(writer, *found));
            return std::pair(true, true);
        },
        Counts::No);
    GPULEDGER_TRY(done);
    return {};
}

Result<void> appendChange(Database &writer, const Lease &lease, AuditEvent event, std::optional<base::UtcTime> until,
                          const std::string &mark)
{
    nlohmann::ordered_json details{{"id", lease.id}, {"kind", toString(lease.kind)}};
    if (until)
        details["until"] = base::toRfc3339(*until);
    if (!mark.empty())
        details["mark"] = embedded(mark);
    event.details = details.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    GPULEDGER_TRY(appendAudit(writer, event));
    return {};
}

} // namespace

Result<std::vector<std::int64_t>> ActionStore::begin(const std::vector<ActionIntent> &intents, const ActionQuota &quota)
{
    using Ids = std::vector<std::int64_t>;
    if (intents.empty())
        return fail(ErrorCode::Refused, "nothing was selected");
    GPULEDGER_TRY(keepRoom(m_store.file));
    return durably<Ids>(
        m_store,
        [&](Database &writer) -> Result<std::pair<Ids, bool>> {
            const auto known = readActions(writer);
            GPULEDGER_TRY(known);
            GPULEDGER_TRY(checkQuota(intents, *known, quota));
            Ids ids;
            std::set<std::string> uids;
            for (const ActionIntent &intent : intents) {
                if (intent.target.uid.empty() || !uids.insert(intent.target.cluster + '\n' + intent.target.uid).second)
                    return fail(ErrorCode::Refused, nameOf(intent) + " has no identity, or was selected twice");
                GPULEDGER_TRY(checkObject(intent, *known, quota));
                const auto id = insertAction(writer, intent);
                GPULEDGER_TRY(id);
                const ActionStep step{intent.at, {}, {}, {}};
                GPULEDGER_TRY(insertStep(writer, *id, 0, ActionState::Confirmed, step));
                GPULEDGER_TRY(appendAudit(writer, auditEvent(intent, *id, ActionState::Confirmed, step)));
                ids.push_back(*id);
            }
            return std::pair(std::move(ids), true);
        },
        Counts::No);
}

Result<void> ActionStore::move(std::int64_t action, ActionState to, const ActionStep &step)
{
    const auto once = [&]() -> Result<void> {
        const auto done = durably<bool>(
            m_store,
            [&](Database &writer) -> Result<std::pair<bool, bool>> {
                GPULEDGER_TRY(moveIn(writer, action, to, step));
                return std::pair(true, true);
            },
            Counts::No);
        GPULEDGER_TRY(done);
        return {};
    };
    auto done = once();
    if (!done && done.error().code == ErrorCode::StorageFull) {
        std::error_code ignored;
        std::filesystem::remove(reserveOf(m_store.file), ignored);
        done = once();
    }
    return done;
}

Result<std::vector<ActionRecord>> ActionStore::all()
{
    const auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    return readActions((*session)->database());
}

Result<std::vector<ActionRecord>> ActionStore::unsettled()
{
    auto known = all();
    GPULEDGER_TRY(known);
    std::set<std::int64_t> undone;
    for (const ActionRecord &record : *known) {
        if (record.state == ActionState::Undone)
            undone.insert(record.id);
    }
    const auto isSettled = [&](const ActionRecord &record) {
        const bool isHalfTold = record.intent.kind == model::ActionKind::Undo && record.state == ActionState::Verified
            && undone.count(record.intent.undoes) == 0;
        return model::isFinal(record.state) && !isHalfTold;
    };
    known->erase(std::remove_if(known->begin(), known->end(), isSettled), known->end());
    return known;
}

Result<ActionRecord> ActionStore::action(std::int64_t id)
{
    const auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    auto found = readActions((*session)->database(), id);
    GPULEDGER_TRY(found);
    if (found->empty())
        return fail(ErrorCode::NotFound, "there is no action " + std::to_string(id), base::Remedy::SeeActions);
    return std::move(found->front());
}

Result<Lease> ActionStore::grant(const Lease &lease)
{
    return durably<Lease>(
        m_store,
        [&](Database &writer) -> Result<std::pair<Lease, bool>> {
            Lease given = lease;
            GPULEDGER_TRY(insertLease(writer, given));
            return std::pair(std::move(given), true);
        },
        Counts::No);
}

Result<void> ActionStore::end(std::int64_t lease, base::UtcTime at, const std::string &actor, const std::string &mark)
{
    return changeLease(m_store, lease, [&](Database &writer, const Lease &found) -> Result<void> {
        Statement change = writer.statement("UPDATE lease SET ended_at = ?2, ended_by = ?3 WHERE id = ?1");
        GPULEDGER_TRY(change.bind(1, lease).bind(2, base::toUnix(at)).bind(3, actor).run());
        return appendChange(writer, found, {at, actor, kEndLease, found.holder, {}}, std::nullopt, mark);
    });
}

Result<void> ActionStore::postpone(std::int64_t lease, base::UtcTime until, base::UtcTime at, const std::string &actor,
                                   const std::string &mark)
{
    return changeLease(m_store, lease, [&](Database &writer, const Lease &found) -> Result<void> {
        Statement change = writer.statement("UPDATE lease SET until = ?2 WHERE id = ?1");
        GPULEDGER_TRY(change.bind(1, lease).bind(2, base::toUnix(until)).run());
        return appendChange(writer, found, {at, actor, kPostponeLease, found.holder, {}}, until, mark);
    });
}

Result<std::vector<Lease>> ActionStore::leases(base::UtcTime at)
{
    const auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    std::vector<Lease> holding;
    Statement s = (*session)->database().statement(
        "SELECT id, kind, holder, until, actor, reason, at FROM lease"
        " WHERE (ended_at IS NULL OR ended_at > ?1) AND at <= ?1 AND (kind = 'stop-after' OR until IS NULL"
        " OR until > ?1) ORDER BY id");
    GPULEDGER_TRY(s.bind(1, base::toUnix(at)).each([&] { holding.push_back(leaseAt(s)); }));
    return holding;
}

Result<std::vector<Lease>> ActionStore::endedMarks()
{
    const auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    constexpr int kEndedAt = 7, kEndedBy = 8;
    std::vector<Lease> ended;
    Statement s = (*session)->database().statement(
        "SELECT id, kind, holder, until, actor, reason, at, ended_at, ended_by FROM lease"
        " WHERE ended_at IS NOT NULL AND kind = 'stop-after' ORDER BY id");
    GPULEDGER_TRY(s.each([&] {
        Lease &lease = ended.emplace_back(leaseAt(s));
        lease.endedAt = base::fromUnix(s.integer(kEndedAt));
        lease.endedBy = s.text(kEndedBy);
    }));
    return ended;
}

} // namespace gpuledger::store
