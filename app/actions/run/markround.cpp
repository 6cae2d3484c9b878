// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/run/markround.h"

#include "app/actions/plan/planner.h"
#include "app/actions/run/stopnotes.h"

#include <algorithm>
#include <map>
#include <set>

namespace gpuledger::actions {

using base::ErrorCode;
using base::Result;
using insight::IdleItem;
using model::ActionRecord;
using model::ActionState;
using model::Lease;

namespace {

constexpr base::Seconds kOldestList = 3 * base::kBucket; // same limit as for a plan
constexpr char kWatch[] = "watch"; // actor

bool isHold(const Lease &lease)
{
    return lease.kind == Lease::Kind::KeepUntil || lease.kind == Lease::Kind::Protect;
}

// "namespace/name" of an id cluster/namespace/name/uid.
std::string nameIn(const std::string &holder)
{
    const auto cluster = holder.find('/');
    const auto uid = holder.rfind('/');
    return cluster < uid ? holder.substr(cluster + 1, uid - cluster - 1) : holder;
}

bool isOf(const ActionRecord &record, const std::string &holder)
{
    return ('\n' + record.intent.holders).find('\n' + holder + '\n') != std::string::npos;
}

// The consequence of a failed check for a mark.
enum class Verdict { Objected, Refused, Later, Jumped };
Verdict verdictOf(const Check &check)
{
    switch (check.why) {
    case Why::Jumped:
        return Verdict::Jumped;
    case Why::Unreachable:
    case Why::Stale:
    case Why::TooLittleSeen:
    case Why::Changed:
    case Why::Unsettled:
        return Verdict::Later;
    case Why::Rule:
    case Why::Label:
    case Why::Annotation:
    case Why::Tag:
    case Why::Lease:
    case Why::Unmarked:
        return Verdict::Objected;
    default:
        return Verdict::Refused;
    }
}

const Check *failedOf(const PlannedStop &planned)
{
    const auto it = std::find_if(planned.checks.begin(), planned.checks.end(),
                                 [](const Check &check) { return check.outcome == Outcome::Failed; });
    return it == planned.checks.end() ? nullptr : &*it;
}

class Round {
public:
    Round(const MarkRound &round, ActionContext &engine, std::stop_token stop, const MarkProgress &tell,
          const RunProgress &progress)
        : m_context(engine)
        , m_stop(std::move(stop))
        , m_tell(tell)
        , m_progress(progress)
        , m_now(engine.environment.clock().now())
        , m_announced(round.announced)
        , m_rules(round.rules)
        , m_isWatched(round.before && *round.before <= m_now && m_now - *round.before <= kLongestRound)
    {
    }

    Result<void> go()
    {
        auto leases = m_context.store.leases(m_now);
        GPULEDGER_TRY(leases);
        m_leases = std::move(*leases);
        if (std::none_of(m_leases.begin(), m_leases.end(), isMark))
            return {};
        GPULEDGER_TRY(sweep());
        if (m_due.empty())
            return {};
        return stopDue();
    }

private:
    static bool isMark(const Lease &lease) { return lease.kind == Lease::Kind::StopAfter && lease.until; }

    // Sorts the marks into ended, postponed and due.
    Result<void> sweep()
    {
        auto log = m_context.store.all();
        GPULEDGER_TRY(log);
        const auto idle = m_context.environment.idleNow(m_stop);
        GPULEDGER_TRY(idle);
        m_hasJumped =
            m_context.clock.jumped(m_now, m_context.environment.steady(), idle->at, base::kBucket).has_value();
        for (const Lease &lease : m_leases) {
            if (!isMark(lease))
                continue;
            if (const auto over = judgedByLog(lease, *log)) {
                GPULEDGER_TRY(settle(*over));
            } else if (const auto other = judgedByList(lease, *idle)) {
                GPULEDGER_TRY(settle(*other));
            } else if ((!m_isWatched || m_hasJumped) && *lease.until < m_now + kShortestNotice) {
                GPULEDGER_TRY(postpone(lease, m_hasJumped ? MarkDelay::ClockJumped : MarkDelay::Unwatched));
            } else if (*lease.until <= m_now) {
                m_due.emplace(lease.holder, lease);
            }
        }
        return {};
    }

    MarkEvent eventOf(const Lease &lease) const
    {
        MarkEvent event;
        event.lease = lease;
        event.name = nameIn(lease.holder);
        return event;
    }
    MarkEvent over(const Lease &lease, MarkEnd end, std::optional<Check> check = {}, std::string detail = {}) const
    {
        MarkEvent event = eventOf(lease);
        event.kind = MarkEvent::Kind::Over;
        event.end = end;
        event.check = std::move(check);
        event.detail = std::move(detail);
        return event;
    }
    MarkEvent overBy(const ActionRecord &record, const Lease &lease, MarkEnd end) const
    {
        MarkEvent event = over(lease, end);
        event.action = record.id;
        event.result = resultOf(record);
        return event;
    }
    // Retries the mark later, or gives up.
    std::optional<MarkEvent> later(const Lease &lease, std::optional<Check> check, std::string detail = {}) const
    {
        if (m_now - *lease.until > kTriedFor)
            return over(lease, MarkEnd::GaveUp, std::move(check), std::move(detail));
        MarkEvent event = eventOf(lease);
        event.check = std::move(check);
        event.detail = std::move(detail);
        return event;
    }

    // Looks up what has been done to the holder since it was marked, so that nothing is done twice, whoever started it.
    std::optional<MarkEvent> judgedByLog(const Lease &lease, const std::vector<ActionRecord> &log) const
    {
        std::optional<MarkEvent> found;
        for (const ActionRecord &record : log) {
            if (record.intent.kind != model::ActionKind::Stop || record.intent.at < lease.at
                || !isOf(record, lease.holder))
                continue;
            const bool isOurs = record.intent.actor.starts_with(model::kOnBehalf);
            if (!model::isFinal(record.state))
                found =
                    later(lease, Check{CheckName::Allowed, Outcome::Failed, Why::Unsettled, std::to_string(record.id)});
            else if (record.state == ActionState::Failed && resultOf(record).code == ResultCode::NeverLeft)
                found.reset(); // treated as if it had never begun
            else if (record.state != ActionState::Refused)
                found = overBy(record, lease,
                               record.state == ActionState::Failed ? MarkEnd::Failed
                                   : isOurs                        ? MarkEnd::Stopped
                                                                   : MarkEnd::StoppedBefore);
            else
                found = isOurs ? judgedByRefusal(lease, record) : std::nullopt;
        }
        return found;
    }
    // std::nullopt: the mark is retried.
    std::optional<MarkEvent> judgedByRefusal(const Lease &lease, const ActionRecord &record) const
    {
        const ActionResult result = resultOf(record);
        const bool hasChanged = result.code == ResultCode::ChangedMeanwhile;
        if (hasChanged || result.code == ResultCode::PlatformRefused)
            return overBy(record, lease, hasChanged ? MarkEnd::Changed : MarkEnd::PlatformRefused);
        if (!result.check) // a halt, by the user or because of another action
            return std::nullopt;
        if (result.check->why == Why::Unmarked && m_due.count(lease.holder) == 0)
            return std::nullopt; // the removed mark was a different one
        return judged(lease, *result.check);
    }
    std::optional<MarkEvent> judged(const Lease &lease, const Check &check) const
    {
        switch (verdictOf(check)) {
        case Verdict::Objected:
            return over(lease, MarkEnd::Objected, check);
        case Verdict::Refused:
            return over(lease, MarkEnd::Refused, check);
        case Verdict::Later:
        case Verdict::Jumped:
            break;
        }
        return std::nullopt;
    }

    std::optional<MarkEvent> judgedByList(const Lease &lease, const insight::IdleList &idle) const
    {
        for (const Lease &other : m_leases) {
            if (other.holder == lease.holder && isHold(other))
                return over(lease, MarkEnd::Objected,
                            Check{CheckName::NotProtected, Outcome::Failed, Why::Lease, other.actor});
        }
        const bool old = m_now - idle.at > kOldestList
            || idle.reach.isStale(std::string_view(lease.holder).substr(0, lease.holder.find('/')));
        if (old) // an old list does not describe the present
            return *lease.until > m_now
                ? std::nullopt
                : later(lease, Check{CheckName::StillIdle, Outcome::Failed, Why::Stale, nameIn(lease.holder)});
        const auto same = [&](const auto &item) { return item.id == lease.holder; };
        if (std::any_of(idle.unknown.begin(), idle.unknown.end(), same))
            return *lease.until > m_now
                ? std::nullopt
                : later(lease, Check{CheckName::StillIdle, Outcome::Failed, Why::TooLittleSeen, nameIn(lease.holder)});
        const auto item = std::find_if(idle.items.begin(), idle.items.end(), same);
        if (item == idle.items.end())
            return over(lease,
                        std::any_of(idle.partly.begin(), idle.partly.end(), same) ? MarkEnd::Worked : MarkEnd::Left);
        if (item->since > lease.at - base::kBucket)
            return over(lease, MarkEnd::Worked);
        if (!item->protection.empty())
            return over(lease, MarkEnd::Objected,
                        Check{CheckName::NotProtected, Outcome::Failed, Why::Rule, item->protection});
        return std::nullopt;
    }

    Result<void> settle(const MarkEvent &event)
    {
        if (event.kind == MarkEvent::Kind::Over) {
            const auto done = m_context.store.end(event.lease.id, m_now, kWatch, dataOf(event));
            if (!done && done.error().code == ErrorCode::NotFound)
                return {}; // the mark was removed meanwhile
            GPULEDGER_TRY(done);
        }
        if (m_tell)
            m_tell(event);
        return {};
    }
    Result<void> postpone(const Lease &lease, MarkDelay delay)
    {
        MarkEvent event = eventOf(lease);
        event.kind = MarkEvent::Kind::Postponed;
        event.delay = delay;
        event.lease.until = m_now + kShortestNotice;
        const auto done = m_context.store.postpone(lease.id, *event.lease.until, m_now, kWatch, dataOf(event));
        if (!done && done.error().code == ErrorCode::NotFound)
            return {};
        GPULEDGER_TRY(done);
        if (m_tell)
            m_tell(event);
        return {};
    }
    // Settles all marks of one object.
    template <typename Make> Result<void> settleAll(const PlannedStop &planned, const Make &make)
    {
        for (const IdleItem &item : planned.items) {
            const auto it = m_due.find(item.id);
            if (it != m_due.end())
                GPULEDGER_TRY(settle(make(it->second)));
        }
        return {};
    }

    Result<void> stopDue()
    {
        std::vector<std::string> ids;
        for (const auto &[holder, lease] : m_due)
            ids.push_back(holder);
        if (ids.size() > PlanQuestion::kMost) {
            for (const auto &[holder, lease] : m_due)
                GPULEDGER_TRY(settle(over(lease, MarkEnd::TooMuch)));
            return {};
        }
        const auto plan = makePlan({ids, true}, m_context.environment, m_context.store, m_context.clock, m_stop);
        GPULEDGER_TRY(plan);
        std::vector<std::string> uids;
        for (const PlannedStop &planned : plan->stops) {
            const auto may = mayStop(planned);
            GPULEDGER_TRY(may);
            if (*may)
                uids.push_back(planned.target.ref.uid);
        }
        const Plan rest = withOnly(*plan, uids);
        if (rest.blast.needsTypedCount()) {
            for (const PlannedStop &planned : rest.stops)
                GPULEDGER_TRY(settleAll(planned, [&](const Lease &lease) { return over(lease, MarkEnd::TooMuch); }));
            return {};
        }
        return runEach(rest);
    }

    // If someone changed or removed the note of a rule's mark at the object.
    std::optional<Check> objectionOf(const PlannedStop &planned) const
    {
        const auto mark = std::find_if(m_due.begin(), m_due.end(), [&](const auto &due) {
            return isOfRule(due.second)
                && std::any_of(planned.items.begin(), planned.items.end(),
                               [&](const IdleItem &item) { return item.id == due.first; });
        });
        return mark == m_due.end() ? std::nullopt : objectionAtNote(m_announced, planned.target, mark->second.until);
    }

    // A due mark whose rule does not fire for certain now; null: none.
    const Lease *unconfirmedOf(const PlannedStop &planned) const
    {
        for (const IdleItem &item : planned.items) {
            const auto it = m_due.find(item.id);
            if (it != m_due.end() && isOfRule(it->second) && !isConfirmed(m_rules, it->second, item))
                return &it->second;
        }
        return nullptr;
    }

    // Whether the checks passed, all holders are marked and due, and the object can be restored.
    Result<bool> mayStop(const PlannedStop &planned)
    {
        if (const Check *failed = failedOf(planned)) {
            if (verdictOf(*failed) == Verdict::Jumped) {
                for (const IdleItem &item : planned.items) {
                    const auto it = m_due.find(item.id);
                    if (it != m_due.end())
                        GPULEDGER_TRY(postpone(it->second, MarkDelay::ClockJumped));
                }
                return false;
            }
            GPULEDGER_TRY(settleAll(planned, [&](const Lease &lease) {
                const auto event = judged(lease, *failed);
                return event ? *event : *later(lease, *failed);
            }));
            return false;
        }
        if (const auto objection = objectionOf(planned)) {
            GPULEDGER_TRY(
                settleAll(planned, [&](const Lease &lease) { return over(lease, MarkEnd::Objected, *objection); }));
            return false;
        }
        if (const Lease *stale = unconfirmedOf(planned)) {
            const std::string why = "it is not known whether the " + stale->actor + " fires now";
            GPULEDGER_TRY(settleAll(planned, [&](const Lease &lease) {
                MarkEvent event = eventOf(lease);
                event.detail = why;
                return event;
            }));
            return false;
        }
        const auto other = std::find_if(planned.items.begin(), planned.items.end(),
                                        [&](const IdleItem &item) { return m_due.count(item.id) == 0; });
        std::optional<MarkEnd> end;
        if (other != planned.items.end())
            end = MarkEnd::Partly;
        else if (!planned.target.isReversible)
            end = MarkEnd::OneWay;
        if (!end)
            return planned.isStoppable();
        GPULEDGER_TRY(settleAll(planned, [&](const Lease &lease) {
            return over(lease, *end, {}, other == planned.items.end() ? std::string() : other->name);
        }));
        return false;
    }

    // One run per person who marked, in that person's name. A surprise in one run holds back the next ones.
    Result<void> runEach(const Plan &plan)
    {
        std::map<std::pair<std::string, std::string>, std::vector<std::string>> byMarker; // actor, reason
        for (const PlannedStop &planned : plan.stops) {
            const Lease &lease = m_due.at(planned.items.front().id);
            byMarker[{lease.actor, lease.reason}].push_back(planned.target.ref.uid);
        }
        bool isHalted = false;
        for (const auto &[marker, uids] : byMarker) {
            const Plan part = withOnly(plan, uids);
            if (isHalted || m_stop.stop_requested())
                break;
            const auto going = run(part, marker.first, marker.second);
            GPULEDGER_TRY(going);
            isHalted = !*going;
        }
        return {};
    }
    // Returns whether everything succeeded.
    Result<bool> run(const Plan &part, const std::string &actor, const std::string &reason)
    {
        Confirmation confirmation{hashOf(part.stops), reason, std::nullopt, std::string(model::kOnBehalf) + actor};
        confirmation.onlyMarked = true;
        const auto records = runPlan(part, confirmation, m_context, m_stop, m_progress);
        if (!records && records.error().code != ErrorCode::Refused)
            return base::fail(records.error());
        for (const PlannedStop &planned : part.stops)
            GPULEDGER_TRY(settleAll(planned, [&](const Lease &lease) {
                if (!records) // the quota, or another action on the object
                    return *later(lease, {}, records.error().text);
                const auto event = judgedByLog(lease, *records);
                return event ? *event : *later(lease, checkOf(*records, lease));
            }));
        return records && std::none_of(records->begin(), records->end(), [](const ActionRecord &record) {
                   return record.state != ActionState::Verified && record.state != ActionState::Refused;
               });
    }
    static std::optional<Check> checkOf(const std::vector<ActionRecord> &records, const Lease &lease)
    {
        for (const ActionRecord &record : records) {
            if (isOf(record, lease.holder))
                return resultOf(record).check;
        }
        return std::nullopt;
    }

    ActionContext &m_context;
    const std::stop_token m_stop;
    const MarkProgress &m_tell;
    const RunProgress &m_progress;
    const base::UtcTime m_now;
    const std::vector<Announced> &m_announced;
    const std::vector<MarkingRule> &m_rules;
    const bool m_isWatched;
    bool m_hasJumped = false;
    std::vector<Lease> m_leases;
    std::map<std::string, Lease> m_due; // by holder
};

} // namespace

Result<void> runMarks(const MarkRound &round, ActionContext &engine, std::stop_token stop, const MarkProgress &tell,
                      const RunProgress &progress)
{
    if (!engine.environment.settings().actions.stopsMarked)
        return {};
    return Round(round, engine, std::move(stop), tell, progress).go();
}

} // namespace gpuledger::actions
