// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/alertdesk.h"

#include "app/actions/run/execution.h"
#include "app/alerts/outbox/messageplan.h"
#include "app/alerts/outbox/noticetext.h"
#include "app/base/text/text.h"
#include "app/services/engine/engine.h"
#include "app/store/alerts/alertstore.h"

#include <algorithm>

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;

namespace {

OutboxState outboxStateOf(store::MessageState state)
{
    switch (state) {
    case store::MessageState::Delivered:
        return OutboxState::Delivered;
    case store::MessageState::Dead:
        return OutboxState::Dead;
    case store::MessageState::Cancelled:
    case store::MessageState::Discarded:
        return OutboxState::Cancelled;
    case store::MessageState::Unknown:
        return OutboxState::Unknown;
    case store::MessageState::Waiting:
        break;
    }
    return OutboxState::Waiting;
}

model::Notice testNotice(base::UtcTime now)
{
    model::Notice out;
    out.state = model::NoticeState::Test;
    out.key = "test";
    out.rule = "test";
    out.scope = "all";
    out.per = "all";
    out.severity = "info";
    out.startedAt = now;
    out.summary = "This is a test of GPU Ledger; nothing is wrong";
    out.link = "gpuledger://overview?span=day";
    out.command = "gpuledger-cli alerts evaluate";
    return out;
}

} // namespace

OutboxEntry entryOf(const store::StoredMessage &message)
{
    OutboxEntry out;
    out.id = message.id;
    out.target = message.target;
    out.state = outboxStateOf(message.state);
    out.notice = message.notice;
    out.rule = message.rule;
    if (const auto group = alerts::noticeGroupOf(message.content)) {
        for (const model::Notice &notice : group->notices)
            out.scopes.push_back(notice.scope);
        out.unlisted = group->unlisted;
    }
    out.attempts = message.attempts;
    out.createdAt = message.createdAt;
    if (message.state == store::MessageState::Waiting)
        out.nextAt = message.nextAt;
    out.deliveredAt = message.deliveredAt;
    out.detail = message.detail;
    return out;
}

AlertDesk::AlertDesk(Engine &engine, FleetService &fleet, AlertService &alerts, ports::NoticeTargets &targets)
    : m_engine(engine)
    , m_fleet(fleet)
    , m_alerts(alerts)
    , m_targets(targets)
    , m_instance(actions::newKey())
{
}

AlertDesk::~AlertDesk()
{
    if (m_leads)
        (void)m_engine.cache().alerts().resign(m_instance); // otherwise the lease expires
}

const model::AlertTarget *AlertDesk::targetNamed(const std::string &name) const
{
    const auto &all = m_engine.setup().settings.targets;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const model::AlertTarget &one) { return one.name == name; });
    return found == all.end() ? nullptr : &*found;
}

// A target that can't be made now is planned for as most are; what is wrong shows when a message is due.
void AlertDesk::askTargets(alerts::PlanQuestion &question, std::vector<std::string> &problems)
{
    std::set<std::string> names;
    for (const auto &[rule, send] : question.send)
        names.insert(send.begin(), send.end());
    for (const auto &[key, targets] : question.routed)
        names.insert(targets.begin(), targets.end());
    for (const auto &[rule, steps] : question.escalate) {
        for (const alerts::PlanEscalation &step : steps)
            names.insert(step.send.begin(), step.send.end());
    }
    for (const alerts::PlanTold &told : question.told)
        names.insert(told.target);
    for (const std::string &name : names) {
        const model::AlertTarget *configured = targetNamed(name);
        if (!configured)
            continue;
        ports::TargetTraits traits;
        const auto made = m_targets.create(*configured);
        if (made)
            traits = (*made)->traits();
        else if (made.error().code != base::ErrorCode::Unsupported)
            problems.push_back("target " + name + ": " + made.error().text);
        question.targets[name] = {traits.resolves, traits.groups, traits.repeat.has_value()};
    }
}

Result<ports::Delivery> AlertDesk::test(const std::string &target, std::stop_token stop)
{
    const model::AlertTarget *configured = targetNamed(target);
    if (!configured) {
        std::string names;
        for (const model::AlertTarget &one : m_engine.setup().settings.targets)
            names += (names.empty() ? "it is one of " : ", ") + one.name;
        return base::fail(ErrorCode::NotFound, "there is no target \"" + base::printable(target, 64) + '"', names);
    }
    const auto made = m_targets.create(*configured);
    GPULEDGER_TRY(made);
    const base::UtcTime now = m_engine.clock().now();
    return (*made)->send({"test " + base::toRfc3339(now), {testNotice(now)}, now}, std::move(stop));
}

base::UtcTime AlertDesk::now() const
{
    return m_engine.clock().now();
}

} // namespace gpuledger::services
