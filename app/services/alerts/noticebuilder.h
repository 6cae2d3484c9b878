// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/outbox/messageplan.h"
#include "app/alerts/rules/rule.h"
#include "app/base/result.h"
#include "app/insight/idle/idle.h"
#include "app/model/notice.h"

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace gpuledger::services {

class FleetService;

inline constexpr std::size_t kMostNoticeItems = 10;

// Makes the notices of one round. Reads the idle list at most once. One thread; `fleet` must outlive it.
class NoticeBuilder {
public:
    NoticeBuilder(FleetService &fleet, base::Currency currency, base::UtcTime now)
        : m_fleet(fleet)
        , m_currency(currency)
        , m_now(now)
    {
    }

    struct Facts {
        model::NoticeState state = model::NoticeState::Firing;
        std::optional<std::int64_t> nanos; // of the unit of the rule; std::nullopt: unknown
        std::optional<base::UtcTime> endedAt;
        std::optional<base::Seconds> markAfter = std::nullopt; // what is idle is marked to be stopped then
        std::optional<base::Seconds> unacknowledged{}; // an escalation: this long after it was first told
    };
    // Items and cost per month are those of the idle list, for rules about idle GPUs. They are left out if that list
    // can't be read: an alert is told in any case.
    model::Notice notice(const alerts::Rule &rule, const alerts::PlanAlert &alert, const Facts &facts);
    const std::optional<base::Error> &problem() const { return m_problem; } // why items were left out
    // Of a rule that is no longer in the configuration.
    model::Notice bare(const alerts::PlanAlert &alert, const Facts &facts) const;

private:
    void readIdle();
    void addItems(const alerts::Rule &rule, const std::string &scope, model::Notice &notice);
    // What the idle or unallocated GPUs cost since the condition began to hold, as `summary` has it.
    void addCost(const alerts::Rule &rule, const std::string &scope, model::Notice &notice);
    // Many alerts that fire at once are of one time, which is read once for all of them.
    struct CostQuestion {
        base::UtcTime start{}, end{};
        alerts::RuleScope scope{}; // Team, Cluster, Pool or All
        std::string cluster; // of Pool: that of the pool; otherwise empty
        alerts::RuleMetric metric{};

        auto operator<=>(const CostQuestion &) const = default;
    };
    struct CostsOfScopes {
        std::optional<base::Money> all; // std::nullopt: unknown
        std::map<std::string, std::optional<base::Money>> scopes; // that had anything; a pool without its cluster
        base::Money nothing;
    };
    const CostsOfScopes *costsOf(const CostQuestion &question); // nullptr: they can't be read
    const std::vector<const insight::IdleItem *> &idleOf(const alerts::Rule &rule, const std::string &scope);

    FleetService &m_fleet;
    base::Currency m_currency;
    base::UtcTime m_now;
    std::optional<insight::IdleList> m_idle;
    std::optional<base::Error> m_problem;
    std::map<std::pair<alerts::RuleScope, std::string>, std::vector<const insight::IdleItem *>> m_idleOf; // of m_idle
    std::map<CostQuestion, CostsOfScopes> m_costs;
};

} // namespace gpuledger::services
