// SPDX-License-Identifier: GPL-3.0-or-later
// What the owners of marked workloads are told.
#include "app/actions/run/rulemarks.h"
#include "app/alerts/outbox/messageplan.h"
#include "app/alerts/outbox/noticetext.h"
#include "app/alerts/outbox/routes.h"
#include "app/base/crypto/sha256.h"
#include "app/services/alerts/alertdesk.h"
#include "app/services/alerts/marks/marktold.h"
#include "app/services/alerts/noticewords.h"
#include "app/services/engine/engine.h"
#include "app/services/fleet/fleetservice.h"
#include "app/store/actions/actionstore.h"
#include "app/store/alerts/alertstore.h"
#include "app/store/months/monthstore.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gpuledger::services {

using alerts::PlanAlert;
using alerts::PlannedMessage;
using base::Result;
using model::NoticeState;

namespace {

// A route without a team is about alerts: whoever hears of all critical ones owns none of the workloads.
std::vector<model::AlertRoute> routesOfTeams(const model::Settings &settings, base::UtcTime now)
{
    auto routes = alerts::routesOf(settings, now);
    std::erase_if(routes, [](const model::AlertRoute &one) { return one.team.empty(); });
    return routes;
}

const model::AlertRule *ruleNamed(const model::Settings &settings, const std::string &name)
{
    const auto found = std::find_if(settings.alerts.begin(), settings.alerts.end(),
                                    [&](const model::AlertRule &one) { return one.name == name; });
    return found == settings.alerts.end() ? nullptr : &*found;
}

// What is marked now, and how other marks ended.
class MarkNotices {
public:
    MarkNotices(Engine &engine, FleetService &fleet)
        : m_engine(engine)
        , m_fleet(fleet)
        , m_settings(engine.setup().settings)
        , m_now(engine.clock().now())
    {
    }

    // Adds what is marked, and whom to tell.
    Result<void> ask(alerts::PlanQuestion &question)
    {
        auto marks = ruleMarksOf(m_engine.cache().actions(), m_settings, m_now);
        GPULEDGER_TRY(marks);
        m_marks = std::move(*marks);
        const auto routes = routesOfTeams(m_settings, m_now);
        if (!m_marks.empty() && !routes.empty())
            GPULEDGER_TRY(readIdle());
        for (const model::Lease &mark : m_marks) {
            const std::string key = keyOfMark(mark), rule = ruleOfMark(mark);
            const auto item = m_items.find(mark.holder);
            const std::string name = item == m_items.end() ? mark.holder : nameOfMarked(item->second);
            question.firing.push_back({key, markSubject(rule), name, mark.at});
            if (item == m_items.end())
                continue; // without it, its owner is unknown
            const model::AlertRule *configured = ruleNamed(m_settings, rule);
            question.routed[key] = alerts::routedTargets(
                routes, {item->second.owner, item->second.cluster, configured ? configured->severity : std::string()});
        }
        return {};
    }
    Result<store::NewMessage> message(const PlannedMessage &planned)
    {
        model::NoticeGroup group;
        group.at = m_now;
        std::string id = planned.target + '\n' + std::string(model::toString(planned.notice));
        store::NewMessage out{planned.target, planned.rule, planned.notice, {}, {}};
        for (const PlanAlert &alert : planned.alerts) {
            id += '\n' + alert.key;
            out.alerts.push_back(
                {alert.key, planned.target, planned.notice, alert.rule, alert.scope, alert.firedAt, 0, false});
            if (group.notices.size() == planned.listed())
                continue;
            auto notice = planned.notice == NoticeState::Firing ? begun(alert) : ended(alert);
            GPULEDGER_TRY(notice);
            group.notices.push_back(std::move(*notice));
        }
        group.unlisted = planned.alerts.size() - group.notices.size();
        sayEarliest(group);
        group.id = base::sha256Hex(id);
        out.content = alerts::textOf(group);
        return out;
    }

private:
    // Receivers that get several in one message show one sentence of what follows.
    void sayEarliest(model::NoticeGroup &group) const
    {
        std::optional<base::UtcTime> earliest;
        for (const model::Lease &mark : m_marks) {
            const std::string key = keyOfMark(mark);
            const bool isListed = std::any_of(group.notices.begin(), group.notices.end(),
                                              [&](const model::Notice &one) { return one.key == key; });
            if (isListed && mark.until)
                earliest = std::min(earliest.value_or(*mark.until), *mark.until);
        }
        for (model::Notice &notice : group.notices) {
            if (earliest && notice.state == NoticeState::Firing)
                notice.consequence = markConsequence(*earliest);
        }
    }
    Result<void> readIdle()
    {
        const auto covered = m_fleet.coveredRange();
        GPULEDGER_TRY(covered);
        auto idle = m_fleet.idle(covered->empty() ? m_now : std::min(m_now, covered->end), {});
        GPULEDGER_TRY(idle);
        for (insight::IdleItem &item : idle->items)
            m_items.emplace(item.id, std::move(item));
        return {};
    }
    static std::string ruleIn(const PlanAlert &alert) { return alert.rule.substr(markSubject({}).size()); }
    // Only what is in the idle list is told to anyone.
    Result<model::Notice> begun(const PlanAlert &alert) const
    {
        const auto mark = std::find_if(m_marks.begin(), m_marks.end(),
                                       [&](const model::Lease &one) { return keyOfMark(one) == alert.key; });
        return noticeOfMark(*mark, m_items.at(mark->holder), ruleNamed(m_settings, ruleIn(alert)));
    }
    Result<model::Notice> ended(const PlanAlert &alert)
    {
        GPULEDGER_TRY(readEnds());
        MarkOver over{alert.key, ruleIn(alert), alert.scope, alert.firedAt, m_now, {}};
        if (const auto lease = m_ended.find(alert.key); lease != m_ended.end()) {
            over.endedAt = lease->second.endedAt.value_or(m_now);
            if (const auto end = m_ends.find({lease->second.holder, over.endedAt}); end != m_ends.end())
                over.end = end->second;
        }
        return noticeOfMarkOver(over, ruleNamed(m_settings, over.rule));
    }
    Result<void> readEnds()
    {
        if (std::exchange(m_areEndsRead, true))
            return {};
        auto ended = m_engine.cache().actions().endedMarks();
        GPULEDGER_TRY(ended);
        for (model::Lease &lease : *ended) {
            if (actions::isOfRule(lease))
                m_ended.insert_or_assign(keyOfMark(lease), std::move(lease));
        }
        const auto log = m_engine.cache().months().audit();
        GPULEDGER_TRY(log);
        for (const store::AuditEntry &entry : *log) {
            const auto mark = actions::markIn(entry.event);
            if (mark && mark->kind == actions::MarkEvent::Kind::Over)
                m_ends.insert_or_assign({entry.event.object, entry.event.at}, mark->end);
        }
        return {};
    }

    Engine &m_engine;
    FleetService &m_fleet;
    const model::Settings &m_settings;
    const base::UtcTime m_now;
    std::vector<model::Lease> m_marks;
    std::map<std::string, insight::IdleItem> m_items; // by holder
    std::map<std::string, model::Lease> m_ended; // by key
    std::map<std::pair<std::string, base::UtcTime>, actions::MarkEnd> m_ends; // by holder and time
    bool m_areEndsRead = false;
};

} // namespace

Result<MarkMessages> AlertDesk::tellMarks()
{
    GPULEDGER_TRY(m_engine.refuseInReport());
    store::AlertStore store = m_engine.cache().alerts();
    MarkNotices notices(m_engine, m_fleet);
    alerts::PlanQuestion question;
    question.now = m_engine.clock().now();
    GPULEDGER_TRY(notices.ask(question));
    const auto stored = store.rows(question.now);
    GPULEDGER_TRY(stored);
    for (const store::ToldAlert &told : stored->told) {
        if (isOfMarks(told.rule))
            question.told.push_back(
                {{told.key, told.rule, told.scope, told.firedAt}, told.target, told.notice, told.isLost, told.toldAt});
    }
    for (const store::StoredSilence &one : stored->silences)
        question.silences.push_back({one.rule, one.scope, {one.from, one.until}});
    for (const store::StoredAck &ack : stored->acks)
        question.acknowledged.insert(ack.key);
    MarkMessages out;
    if (question.routed.empty() && question.told.empty())
        return out;
    askTargets(question, out.problems);
    std::vector<store::NewMessage> messages;
    for (const PlannedMessage &planned : alerts::planMessages(question)) {
        auto message = notices.message(planned);
        GPULEDGER_TRY(message);
        messages.push_back(std::move(*message));
    }
    if (!messages.empty())
        GPULEDGER_TRY(store.queue(messages, question.now));
    out.queued = messages.size();
    return out;
}

} // namespace gpuledger::services
