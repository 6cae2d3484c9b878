// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/run/rulemarks.h"

#include "app/actions/plan/nametable.h"
#include "app/actions/plan/planner.h"
#include "app/actions/run/stopnotes.h"
#include "app/model/fleet/poolname.h"

#include <algorithm>
#include <set>
#include <utility>

namespace gpuledger::actions {

using base::Result;
using insight::IdleItem;
using model::Lease;

namespace {

constexpr std::size_t kMostLooked = 50; // workloads of a rule that are checked in one round, the most expensive first
constexpr char kWatchActor[] = "watch"; // ends the marks that runMarks() ends

constexpr NameTable<LeftOut, 6> kLeftOut{{{LeftOut::Check, "check"},
                                          {LeftOut::Kept, "kept"},
                                          {LeftOut::Sibling, "sibling"},
                                          {LeftOut::OneWay, "one-way"},
                                          {LeftOut::TooMuch, "too-much"},
                                          {LeftOut::Gone, "gone"}}};
static_assert(isWhole(kLeftOut));

std::string scopeOf(const IdleItem &item, MarkScope scope)
{
    switch (scope) {
    case MarkScope::Team:
        return item.owner;
    case MarkScope::Cluster:
        return item.cluster;
    case MarkScope::Pool:
        return model::poolName({item.cluster, item.nodePool});
    case MarkScope::All:
        break;
    }
    return "all";
}

const std::string *reasonFor(const MarkingRule &rule, const IdleItem &item)
{
    const auto it = rule.firing.find(scopeOf(item, rule.scope));
    return it == rule.firing.end() ? nullptr : &it->second;
}

// For certain, now.
bool firesFor(const MarkingRule &rule, const IdleItem &item)
{
    return rule.isEvaluated && reasonFor(rule, item) && !rule.unknown.contains(scopeOf(item, rule.scope));
}

bool isMarkOf(const MarkingRule &rule, const Lease &mark)
{
    return mark.actor.substr(kAlertActor.size()) == rule.name;
}

// A check that may pass in the next round.
bool mayPassSoon(const Check &check)
{
    return check.why == Why::Jumped || check.why == Why::Unreachable || check.why == Why::Stale
        || check.why == Why::Changed || check.why == Why::Unsettled || check.why == Why::TooLittleSeen;
}

class RuleMarking {
public:
    RuleMarking(const std::vector<MarkingRule> &rules, ActionContext &engine, const std::filesystem::path &dataFolder,
                RuleMarkMemory &memory, std::stop_token stop, const RuleMarkProgress &tell)
        : m_rules(rules)
        , m_context(engine)
        , m_memory(memory)
        , m_stop(std::move(stop))
        , m_tell(tell)
        , m_now(engine.environment.clock().now())
        , m_notes(engine, dataFolder, m_stop)
    {
    }

    Result<void> go()
    {
        auto leases = m_context.store.leases(m_now);
        GPULEDGER_TRY(leases);
        m_leases = std::move(*leases);
        const bool fires =
            std::any_of(m_rules.begin(), m_rules.end(), [](const MarkingRule &rule) { return !rule.firing.empty(); });
        if (fires || std::any_of(m_leases.begin(), m_leases.end(), isOfRule)) {
            auto idle = m_context.environment.idleNow(m_stop);
            GPULEDGER_TRY(idle);
            m_idle = std::move(*idle);
            auto ended = m_context.store.endedMarks();
            GPULEDGER_TRY(ended);
            for (Lease &lease : *ended)
                m_ended.insert_or_assign(lease.holder, std::move(lease)); // the newest one remains
            GPULEDGER_TRY(release());
            for (const MarkingRule &rule : m_rules)
                GPULEDGER_TRY(mark(rule));
        }
        return m_notes.tidy();
    }

private:
    const Lease *leaseOf(const std::string &holder, bool isMark) const
    {
        const auto it = std::find_if(m_leases.begin(), m_leases.end(), [&](const Lease &lease) {
            return lease.holder == holder && (lease.kind == Lease::Kind::StopAfter) == isMark;
        });
        return it == m_leases.end() ? nullptr : &*it;
    }

    Result<void> release()
    {
        std::set<std::int64_t> over;
        for (const Lease &lease : m_leases) {
            if (!isOfRule(lease))
                continue;
            const auto item = std::find_if(m_idle.items.begin(), m_idle.items.end(),
                                           [&](const IdleItem &one) { return one.id == lease.holder; });
            if (item == m_idle.items.end())
                continue; // runMarks() judges it
            const bool fires = std::any_of(m_rules.begin(), m_rules.end(), [&](const MarkingRule &rule) {
                return isMarkOf(rule, lease) && (!rule.isEvaluated || reasonFor(rule, *item));
            });
            if (fires)
                continue;
            const auto objection = m_notes.objectionTo(lease);
            if (!objection && lease.until && *lease.until > m_now + kShortestNotice)
                continue; // an objection must not get lost: it is asked for again in the next round
            MarkEvent event;
            event.kind = MarkEvent::Kind::Over;
            event.end = MarkEnd::Resolved;
            if (objection && *objection) {
                event.end = MarkEnd::Objected;
                event.check = *objection;
            }
            const std::string endedBy = event.check ? std::string(kWatchActor) : lease.actor;
            auto done = m_context.store.end(lease.id, m_now, endedBy, dataOf(event));
            if (!done && done.error().code != base::ErrorCode::NotFound) // someone else ended it
                return done;
            over.insert(lease.id);
            RuleMark told = about(RuleMark::Kind::Released, lease.actor.substr(kAlertActor.size()), *item);
            told.lease = lease;
            told.check = event.check;
            m_tell(told);
            if (event.check) { // no other rule marks it now
                Lease &ended = m_ended.insert_or_assign(lease.holder, lease).first->second;
                ended.endedAt = m_now;
                ended.endedBy = endedBy;
            }
        }
        m_leases.erase(std::remove_if(m_leases.begin(), m_leases.end(),
                                      [&](const Lease &lease) { return over.count(lease.id) > 0; }),
                       m_leases.end());
        return {};
    }

    static RuleMark about(RuleMark::Kind kind, const std::string &rule, const IdleItem &item)
    {
        RuleMark told;
        told.kind = kind;
        told.rule = rule;
        told.holder = item.id;
        told.name = item.name;
        return told;
    }
    void leaveOut(const MarkingRule &rule, const IdleItem &item, LeftOut why, std::optional<Check> check = {},
                  std::string detail = {})
    {
        if (leaseOf(item.id, true))
            return;
        if (!check || !mayPassSoon(*check))
            m_memory.leftOut[rule.name + '\n' + item.id] = m_now;
        RuleMark told = about(RuleMark::Kind::LeftOut, rule.name, item);
        told.why = why;
        told.check = std::move(check);
        told.detail = std::move(detail);
        m_tell(told);
    }
    bool wasLeftOut(const MarkingRule &rule, const IdleItem &item) const
    {
        const auto it = m_memory.leftOut.find(rule.name + '\n' + item.id);
        return it != m_memory.leftOut.end() && it->second <= m_now && m_now - it->second < kLookAgain;
    }

    // Why a person would not want it marked.
    std::optional<Check> keptBy(const IdleItem &item) const
    {
        if (!item.protection.empty())
            return Check{CheckName::NotProtected, Outcome::Failed, Why::Rule, item.protection};
        if (const Lease *wish = leaseOf(item.id, false))
            return Check{CheckName::NotProtected, Outcome::Failed, Why::Lease, wish->actor};
        const auto it = m_ended.find(item.id);
        if (it == m_ended.end())
            return std::nullopt;
        const Lease &old = it->second;
        const bool hadResolved = isOfRule(old) && old.endedBy == old.actor;
        const bool hasWorked = item.since > *old.endedAt || (old.endedBy == kWatchActor && item.since > old.at);
        if (hadResolved || hasWorked)
            return std::nullopt;
        return Check{CheckName::NotProtected, Outcome::Failed, Why::Lease, old.endedBy};
    }

    Result<void> mark(const MarkingRule &rule)
    {
        std::vector<const IdleItem *> wanted;
        for (const IdleItem &item : m_idle.items) {
            if (!firesFor(rule, item) || leaseOf(item.id, true) || wasLeftOut(rule, item))
                continue;
            if (auto kept = keptBy(item))
                leaveOut(rule, item, LeftOut::Kept, std::move(kept));
            else
                wanted.push_back(&item);
        }
        if (wanted.empty())
            return {};
        const auto isDearer = [](const IdleItem *a, const IdleItem *b) {
            return std::pair(a->perMonth ? a->perMonth->nanos() : -1, a->gpus)
                > std::pair(b->perMonth ? b->perMonth->nanos() : -1, b->gpus);
        };
        std::stable_sort(wanted.begin(), wanted.end(), isDearer);
        wanted.resize(std::min(wanted.size(), kMostLooked));
        std::vector<std::string> ids;
        for (const Lease &lease : m_leases) {
            if (isOfRule(lease) && ids.size() + wanted.size() < PlanQuestion::kMost)
                ids.push_back(lease.holder); // they count towards the limits
        }
        for (const IdleItem *item : wanted)
            ids.push_back(item->id);
        const auto plan = makePlan({ids, true}, m_context.environment, m_context.store, m_context.clock, m_stop);
        GPULEDGER_TRY(plan);
        return give(rule, *plan);
    }

    // By when rules have marked the object to be stopped.
    std::optional<base::UtcTime> markedUntil(const PlannedStop &planned) const
    {
        for (const IdleItem &item : planned.items) {
            const Lease *lease = leaseOf(item.id, true);
            if (lease && isOfRule(*lease))
                return lease->until;
        }
        return std::nullopt;
    }
    bool isMarkedByRule(const PlannedStop &planned) const { return markedUntil(planned).has_value(); }

    Result<void> give(const MarkingRule &rule, const Plan &plan)
    {
        std::vector<PlannedStop> chosen;
        std::copy_if(plan.stops.begin(), plan.stops.end(), std::back_inserter(chosen),
                     [&](const PlannedStop &planned) { return isMarkedByRule(planned); });
        for (const PlannedStop &planned : plan.stops) {
            if (m_stop.stop_requested())
                return base::fail(base::ErrorCode::Cancelled, "cancelled");
            const bool isNew = std::any_of(planned.items.begin(), planned.items.end(),
                                           [&](const IdleItem &item) { return !leaseOf(item.id, true); });
            if (!isNew || refused(rule, planned))
                continue;
            const bool counts = !isMarkedByRule(planned);
            if (counts)
                chosen.push_back(planned);
            if (blastOf(chosen, plan.held, plan.limits).needsTypedCount()) {
                if (counts)
                    chosen.pop_back();
                for (const IdleItem &item : planned.items)
                    leaveOut(rule, item, LeftOut::TooMuch);
                continue;
            }
            GPULEDGER_TRY(grant(rule, planned));
        }
        return {};
    }

    // Whether the object is left out, whatever the limits.
    bool refused(const MarkingRule &rule, const PlannedStop &planned)
    {
        const auto failed = std::find_if(planned.checks.begin(), planned.checks.end(),
                                         [](const Check &check) { return check.outcome == Outcome::Failed; });
        const auto objection = m_notes.objectionAt(planned.target, markedUntil(planned));
        const auto sibling = std::find_if(planned.items.begin(), planned.items.end(), [&](const IdleItem &item) {
            const Lease *lease = leaseOf(item.id, true);
            return lease ? !isOfRule(*lease) : !reasonFor(rule, item) || keptBy(item);
        });
        for (const IdleItem &item : planned.items) {
            if (failed != planned.checks.end())
                leaveOut(rule, item, LeftOut::Check, *failed);
            else if (objection)
                leaveOut(rule, item, LeftOut::Kept, *objection);
            else if (sibling != planned.items.end())
                leaveOut(rule, item, LeftOut::Sibling, {}, sibling->name);
            else if (!planned.target.isReversible)
                leaveOut(rule, item, LeftOut::OneWay);
        }
        return failed != planned.checks.end() || objection || sibling != planned.items.end()
            || !planned.target.isReversible || !planned.isStoppable();
    }

    Result<void> grant(const MarkingRule &rule, const PlannedStop &planned)
    {
        Lease lease;
        lease.kind = Lease::Kind::StopAfter;
        lease.at = m_context.environment.clock().now();
        lease.until = lease.at + rule.after;
        lease.actor = std::string(kAlertActor) + rule.name;
        lease.reason = *reasonFor(rule, planned.items.front());
        std::vector<std::string> holders;
        for (const IdleItem &item : planned.items)
            holders.push_back(item.id);
        const auto note = m_notes.write(planned.target, holders, {*lease.until, noteText(lease)});
        GPULEDGER_TRY(note);
        if (note->isGone) {
            for (const IdleItem &item : planned.items)
                leaveOut(rule, item, LeftOut::Gone, {}, note->text);
            return {};
        }
        if (!note->text.empty())
            lease.reason += " (not noted at the object: " + note->text + ')';
        auto current = m_context.store.leases(lease.at);
        GPULEDGER_TRY(current);
        m_leases = std::move(*current); // someone may have marked or kept it meanwhile
        for (const IdleItem &item : planned.items) {
            // A pod that a rule marked before gets the time of the new one: the object is stopped as a whole.
            const Lease *old = leaseOf(item.id, true);
            if ((old && !isOfRule(*old)) || leaseOf(item.id, false))
                continue;
            lease.holder = item.id;
            auto given = m_context.store.grant(lease);
            GPULEDGER_TRY(given);
            RuleMark told = about(RuleMark::Kind::Marked, rule.name, item);
            told.lease = *given;
            told.detail = note->text;
            m_leases.erase(std::remove_if(m_leases.begin(), m_leases.end(),
                                          [&](const Lease &one) { return one.holder == item.id && isOfRule(one); }),
                           m_leases.end());
            m_leases.push_back(std::move(*given));
            m_tell(told);
        }
        return {};
    }

    const std::vector<MarkingRule> &m_rules;
    ActionContext &m_context;
    RuleMarkMemory &m_memory;
    const std::stop_token m_stop;
    const RuleMarkProgress &m_tell;
    const base::UtcTime m_now;
    StopNotes m_notes;
    std::vector<Lease> m_leases;
    std::map<std::string, Lease> m_ended; // by holder: the newest mark that has ended
    insight::IdleList m_idle;
};

} // namespace

std::string_view toString(LeftOut why)
{
    return nameIn(kLeftOut, why);
}

bool isConfirmed(const std::vector<MarkingRule> &rules, const Lease &mark, const IdleItem &item)
{
    return std::any_of(rules.begin(), rules.end(),
                       [&](const MarkingRule &rule) { return isMarkOf(rule, mark) && firesFor(rule, item); });
}

Result<void> markForRules(const std::vector<MarkingRule> &rules, ActionContext &engine,
                          const std::filesystem::path &dataFolder, RuleMarkMemory &memory, std::stop_token stop,
                          const RuleMarkProgress &tell)
{
    if (!engine.environment.settings().actions.stopsMarked)
        return {};
    return RuleMarking(rules, engine, dataFolder, memory, std::move(stop), tell).go();
}

} // namespace gpuledger::actions
