// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/sharing/sharing.h"

#include "app/ledger/rules/ownerrules.h"
#include "app/reports/sharing/moneysum.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gpuledger::reports {

using base::Money;
using base::Result;

namespace {

__extension__ using Wide = __int128;

constexpr std::array<std::pair<SharingRule, std::string_view>, 6> kNames{{{SharingRule::Holder, "holder"},
                                                                          {SharingRule::OwnLine, "own_line"},
                                                                          {SharingRule::Proportional, "proportional"},
                                                                          {SharingRule::GpuHours, "gpu_hours"},
                                                                          {SharingRule::Even, "even"},
                                                                          {SharingRule::Fixed, "fixed"}}};

bool isReceiver(const SharingTeam &team)
{
    return !team.team.empty() && team.team != ledger::kUnowned && team.team != ledger::kShared;
}

// Cost is weighted in thousandths of a unit, so that sums of weights fit.
std::int64_t weightOf(const SharingTeam &team, SharingRule rule, const SharingRules &rules)
{
    constexpr double kWeightSteps = 1e6;
    constexpr std::int64_t kNanosAStep = 1'000'000, kTicksAStep = base::GpuTime::kTicksPerSecond;
    switch (rule) {
    case SharingRule::Proportional: {
        const Wide away = rules.idle == SharingRule::Holder ? 0 : team.idle.nanos();
        return std::max<std::int64_t>(0, static_cast<std::int64_t>((team.total.nanos() - away) / kNanosAStep));
    }
    case SharingRule::GpuHours:
        return team.time ? std::max<std::int64_t>(0, team.time->ticks / kTicksAStep) : 0;
    case SharingRule::Even:
        return 1;
    case SharingRule::Fixed: {
        const auto it = rules.weights.find(team.team);
        return it == rules.weights.end() ? 0 : std::llround(it->second * kWeightSteps);
    }
    case SharingRule::Holder:
    case SharingRule::OwnLine:
        break;
    }
    return 0;
}

// Does not add the negated amount: the lowest amount has no positive counterpart.
Result<void> takeFrom(Money &sum, const Money &amount)
{
    const auto rest = sum.minus(amount);
    GPULEDGER_TRY(rest);
    sum = *rest;
    return {};
}

class Pool {
public:
    Pool(const std::vector<SharingTeam> &teams, const SharingRules &rules, Sharing &out)
        : m_teams(teams)
        , m_rules(rules)
        , m_out(out)
    {
    }

    // `givers`: what each team contributes to the pool. True: at least one team received it.
    Result<bool> shareOut(const std::vector<Money> &givers, SharingRule rule, Money &pool)
    {
        Money all(0, pool.currency());
        for (const Money &amount : givers)
            GPULEDGER_TRY(addTo(all, amount));
        std::vector<std::int64_t> weights;
        for (const SharingTeam &team : m_teams)
            weights.push_back(isReceiver(team) ? weightOf(team, rule, m_rules) : 0);
        const bool someoneTakes = std::any_of(weights.begin(), weights.end(), [](std::int64_t w) { return w > 0; });
        if (!someoneTakes)
            return false;
        const auto parts = base::allocateInteger(all.nanos(), weights);
        for (std::size_t i = 0; i < m_teams.size(); ++i) {
            GPULEDGER_TRY(addTo(m_out.moved[i], Money(parts[i], all.currency())));
            GPULEDGER_TRY(takeFrom(m_out.moved[i], givers[i]));
        }
        pool = all;
        return true;
    }

private:
    const std::vector<SharingTeam> &m_teams;
    const SharingRules &m_rules;
    Sharing &m_out;
};

} // namespace

std::string_view toString(SharingRule rule)
{
    const auto it = std::find_if(kNames.begin(), kNames.end(), [&](const auto &name) { return name.first == rule; });
    return it == kNames.end() ? std::string_view() : it->second;
}

std::optional<SharingRule> sharingRuleFromString(std::string_view text)
{
    const auto it = std::find_if(kNames.begin(), kNames.end(), [&](const auto &name) { return name.second == text; });
    return it == kNames.end() ? std::nullopt : std::optional(it->first);
}

SharingRules sharingRules(const model::Settings &settings)
{
    SharingRules rules;
    rules.idle = sharingRuleFromString(settings.idleSharing).value_or(SharingRule::Holder);
    rules.shared = sharingRuleFromString(settings.sharedCosts).value_or(SharingRule::OwnLine);
    if (rules.shared == SharingRule::Holder) // shared cost has no holder
        rules.shared = SharingRule::OwnLine;
    rules.weights = settings.sharedWeights;
    return rules;
}

bool Sharing::movesNothing() const
{
    return std::all_of(moved.begin(), moved.end(), [](const Money &one) { return one.isZero(); });
}

Result<Sharing> shareOut(const std::vector<SharingTeam> &teams, const SharingRules &rules, base::Currency currency)
{
    const Money zero(0, currency);
    Sharing out{rules, zero, zero, zero, std::vector<Money>(teams.size(), zero)};
    Pool pool(teams, rules, out);
    std::vector<Money> shared, idle;
    for (const SharingTeam &team : teams) {
        shared.push_back(team.team == ledger::kShared ? team.total : zero);
        idle.push_back(isReceiver(team) ? team.idle : zero);
    }
    if (rules.shared != SharingRule::OwnLine)
        GPULEDGER_TRY(pool.shareOut(shared, rules.shared, out.shared));
    if (rules.idle == SharingRule::OwnLine) {
        for (std::size_t i = 0; i < teams.size(); ++i) {
            GPULEDGER_TRY(addTo(out.ownLine, idle[i]));
            GPULEDGER_TRY(takeFrom(out.moved[i], idle[i]));
        }
    } else if (rules.idle != SharingRule::Holder) {
        GPULEDGER_TRY(pool.shareOut(idle, rules.idle, out.idle));
    }
    return out;
}

} // namespace gpuledger::reports
