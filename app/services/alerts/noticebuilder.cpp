// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/noticebuilder.h"

#include "app/insight/idle/idlecause.h"
#include "app/insight/overview/summary.h"
#include "app/services/alerts/noticewords.h"
#include "app/services/config/configedit.h"
#include "app/services/fleet/fleetservice.h"

#include <algorithm>
#include <utility>

namespace gpuledger::services {

using alerts::Rule;
using alerts::RuleMetric;
using alerts::RuleScope;
using base::Result;
using model::Notice;

namespace {

bool hasIdleItems(const Rule &rule)
{
    return (rule.metric == RuleMetric::IdleCost || rule.metric == RuleMetric::IdleHours)
        && rule.scope != RuleScope::Pool;
}

constexpr base::Seconds kLeastCounted{3600}; // a value is of the hour before

insight::Dimension dimensionOf(RuleScope scope)
{
    return scope == RuleScope::Cluster ? insight::Dimension::Cluster : insight::Dimension::Team;
}

bool isInScope(const Rule &rule, const std::string &scope, const insight::IdleItem &item)
{
    if (rule.scope == RuleScope::Team)
        return item.owner == scope;
    return rule.scope == RuleScope::All || (rule.scope == RuleScope::Cluster && item.cluster == scope);
}

// The part of the cost that a rule is about; std::nullopt: it is not about money or GPUs of a state.
std::optional<std::int64_t> partOf(RuleMetric metric, const insight::CostByState &cost)
{
    if (metric == RuleMetric::IdleCost || metric == RuleMetric::IdleHours)
        return cost.idle;
    return metric == RuleMetric::Unallocated ? std::optional(cost.unallocated) : std::nullopt;
}

// What the value of a rule about a cost per day comes to in a month.
std::optional<base::Money> monthOf(const Rule &rule, std::optional<std::int64_t> nanosPerDay, base::Currency currency)
{
    constexpr std::int64_t kHoursOfADay = 24;
    std::int64_t month = 0;
    if (!nanosPerDay || rule.bound.unit != alerts::RuleUnit::MoneyPerDay || rule.metric == RuleMetric::AnomalyCost
        || __builtin_mul_overflow(*nanosPerDay, insight::kIdleHoursPerMonth, &month))
        return std::nullopt;
    return base::Money(month / kHoursOfADay, currency);
}

// The sum stays unknown once one of its parts is.
void addKnown(std::optional<base::Money> &sum, const std::optional<base::Money> &part)
{
    const auto both = sum && part ? sum->plus(*part) : Result<base::Money>(tl::unexpected(base::Error{}));
    sum = both ? std::optional(*both) : std::nullopt;
}

} // namespace

void NoticeBuilder::readIdle()
{
    if (m_idle || m_problem)
        return;
    auto idle = m_fleet.idle(m_now, {});
    if (idle)
        m_idle = std::move(*idle);
    else
        m_problem = idle.error();
}

void NoticeBuilder::addItems(const Rule &rule, const std::string &scope, Notice &notice)
{
    readIdle();
    if (!m_idle)
        return;
    std::optional<base::Money> perMonth = base::Money(0, m_currency);
    std::size_t count = 0;
    const insight::IdleItem *selected = nullptr; // the most expensive that may be stopped
    for (const insight::IdleItem &item : m_idle->items) {
        if (!isInScope(rule, scope, item))
            continue;
        ++count;
        if (!selected || (!selected->protection.empty() && item.protection.empty()))
            selected = &item;
        addKnown(perMonth, item.perMonth);
        if (notice.items.size() < kMostNoticeItems)
            notice.items.push_back({item.id, item.name, item.owner, item.gpus, item.since, item.perMonth});
    }
    notice.moreItems = count - notice.items.size();
    if (selected) {
        notice.perMonth = perMonth;
        notice.link = alertItemLink(notice.link, selected->id);
    }
}

void NoticeBuilder::addCost(const Rule &rule, const std::string &scope, Notice &notice)
{
    if (!partOf(rule.metric, {}) || rule.scope == RuleScope::Pool)
        return;
    insight::Query query;
    query.range = {notice.startedAt - std::max(rule.length, kLeastCounted), notice.endedAt.value_or(m_now)};
    if (rule.scope != RuleScope::All)
        query.filter.include[dimensionOf(rule.scope)] = {scope};
    const auto summary = m_fleet.summary(query, dimensionOf(rule.scope));
    if (!summary)
        m_problem = summary.error();
    else if (summary->total.hasKnownCost() && summary->total.cost.unpriced.ticks == 0)
        notice.costSoFar = base::Money(*partOf(rule.metric, summary->total.cost), summary->currency);
}

Notice NoticeBuilder::bare(const alerts::PlanAlert &alert, const Facts &facts) const
{
    Notice out;
    out.state = facts.state;
    out.key = alert.key;
    out.rule = alert.rule;
    out.scope = alert.scope;
    out.startedAt = alert.firedAt;
    out.endedAt = facts.endedAt;
    out.severity = std::string(alerts::toString(alerts::RuleSeverity::Info));
    out.summary = "Alert " + alert.rule + (alert.scope.empty() ? "" : " for " + alert.scope)
        + " is over: its rule was removed or changed";
    out.link = "gpuledger://overview?span=day";
    out.command = "gpuledger-cli alerts evaluate";
    return out;
}

Notice NoticeBuilder::notice(const Rule &rule, const alerts::PlanAlert &alert, const Facts &facts)
{
    Notice out = bare(alert, facts);
    out.metric = std::string(alerts::toString(rule.metric));
    out.per = std::string(alerts::toString(rule.scope));
    out.severity = std::string(alerts::toString(rule.severity));
    out.value = alertValueText(rule, facts.nanos, m_currency);
    out.threshold = alertValueText(rule, rule.bound.nanos, m_currency);
    const bool isOver = facts.state == model::NoticeState::Resolved;
    out.summary = alertSummary(rule, alert.scope, facts.nanos, m_currency, isOver);
    if (facts.unacknowledged && !isOver)
        out.summary += "; nobody has acknowledged it for " + writtenLength(*facts.unacknowledged);
    out.link = alertLink(rule, alert.scope);
    out.command = alertCommand(rule, alert.scope);
    if (hasIdleItems(rule) && !isOver)
        addItems(rule, alert.scope, out);
    else if (!isOver)
        out.perMonth = monthOf(rule, facts.nanos, m_currency);
    if (facts.markAfter && !isOver)
        out.consequence = alertConsequence(*facts.markAfter);
    addCost(rule, alert.scope, out);
    return out;
}

} // namespace gpuledger::services
