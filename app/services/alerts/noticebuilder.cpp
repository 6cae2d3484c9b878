// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/noticebuilder.h"

#include "app/insight/idle/idlecause.h"
#include "app/insight/overview/summary.h"
#include "app/model/fleet/poolname.h"
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
using insight::Dimension;
using model::Notice;

namespace {

Dimension dimensionOf(RuleScope scope)
{
    if (scope == RuleScope::Pool)
        return Dimension::NodePool;
    return scope == RuleScope::Cluster ? Dimension::Cluster : Dimension::Team;
}

constexpr base::Seconds kLeastCounted{3600}; // a value is of the hour before

// The part of the cost that a rule is about; std::nullopt: it is not about money or GPUs of a state.
std::optional<std::int64_t> partOf(RuleMetric metric, const insight::CostByState &cost)
{
    if (alerts::isAboutIdle(metric))
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
    if (!idle) {
        m_problem = idle.error();
        return;
    }
    m_idle = std::move(*idle);
    for (const insight::IdleItem &item : m_idle->items) {
        m_idleOf[{RuleScope::Team, item.owner}].push_back(&item);
        m_idleOf[{RuleScope::Cluster, item.cluster}].push_back(&item);
        m_idleOf[{RuleScope::Pool, model::poolName({item.cluster, item.nodePool})}].push_back(&item);
        m_idleOf[{RuleScope::All, {}}].push_back(&item);
    }
}

const std::vector<const insight::IdleItem *> &NoticeBuilder::idleOf(const Rule &rule, const std::string &scope)
{
    static const std::vector<const insight::IdleItem *> kNone;
    const auto found = m_idleOf.find({rule.scope, rule.scope == RuleScope::All ? std::string() : scope});
    return found == m_idleOf.end() ? kNone : found->second;
}

void NoticeBuilder::addItems(const Rule &rule, const std::string &scope, Notice &notice)
{
    readIdle();
    if (!m_idle)
        return;
    std::optional<base::Money> perMonth = base::Money(0, m_currency);
    const auto &items = idleOf(rule, scope);
    const insight::IdleItem *selected = nullptr; // the most expensive that may be stopped
    for (const insight::IdleItem *one : items) {
        const insight::IdleItem &item = *one;
        if (!selected || (!selected->protection.empty() && item.protection.empty()))
            selected = &item;
        addKnown(perMonth, item.perMonth);
        if (notice.items.size() < kMostNoticeItems)
            notice.items.push_back({item.id, item.name, item.owner, item.gpus, item.since, item.perMonth});
    }
    notice.moreItems = items.size() - notice.items.size();
    if (selected) {
        notice.perMonth = perMonth;
        notice.link = alertItemLink(notice.link, selected->id);
    }
}

const NoticeBuilder::CostsOfScopes *NoticeBuilder::costsOf(const CostQuestion &question)
{
    if (const auto found = m_costs.find(question); found != m_costs.end())
        return &found->second;
    insight::Query query;
    query.range = {question.start, question.end};
    if (question.scope == RuleScope::Pool)
        query.filter.include[Dimension::Cluster] = {question.cluster};
    const auto summary = m_fleet.summary(query, dimensionOf(question.scope));
    if (!summary) {
        m_problem = summary.error();
        return nullptr;
    }
    const auto known = [&](const insight::SummaryRow &row) {
        return row.hasKnownCost() && row.cost.unpriced.ticks == 0
            ? std::optional(base::Money(*partOf(question.metric, row.cost), summary->currency))
            : std::nullopt;
    };
    CostsOfScopes costs{known(summary->total), {}, base::Money(0, summary->currency)};
    for (const insight::SummaryRow &row : summary->rows)
        costs.scopes.emplace(row.key, known(row));
    return &m_costs.emplace(question, std::move(costs)).first->second;
}

void NoticeBuilder::addCost(const Rule &rule, const std::string &scope, Notice &notice)
{
    if (!partOf(rule.metric, {}))
        return;
    const model::PoolOfCluster pool = rule.scope == RuleScope::Pool ? model::poolOf(scope) : model::PoolOfCluster{};
    const CostsOfScopes *costs = costsOf({notice.startedAt - std::max(rule.length, kLeastCounted),
                                          notice.endedAt.value_or(m_now), rule.scope, pool.cluster, rule.metric});
    if (!costs)
        return;
    if (rule.scope == RuleScope::All)
        notice.costSoFar = costs->all;
    else if (const auto found = costs->scopes.find(rule.scope == RuleScope::Pool ? pool.pool : scope);
             found != costs->scopes.end())
        notice.costSoFar = found->second;
    else
        notice.costSoFar = costs->nothing;
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
        out.summary += "; nobody has acknowledged it for " + spanText(*facts.unacknowledged);
    out.link = alertLink(rule, alert.scope);
    out.command = alertCommand(rule, alert.scope);
    if (alerts::isAboutIdle(rule.metric) && !isOver)
        addItems(rule, alert.scope, out);
    else if (!isOver)
        out.perMonth = monthOf(rule, facts.nanos, m_currency);
    if (facts.markAfter && !isOver)
        out.consequence = alertConsequence(*facts.markAfter);
    addCost(rule, alert.scope, out);
    return out;
}

} // namespace gpuledger::services
