// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/statement/statementrange.h"

#include "app/base/money/widemoney.h"

#include <array>

namespace gpuledger::reports {

using base::Money;
using base::Result;
using base::WideMoney;

namespace {

Result<void> check(const WideMoney &sum)
{
    if (sum.fits())
        return {};
    return base::fail(base::ErrorCode::Overflow,
                      "the statement's " + std::string(sum.excess()->what) + " add up to " + sum.excess()->amount
                          + ", which exceeds the limit of " + WideMoney::limitText());
}

// The parts of a change, each summed over all teams; and what each total is compared with.
Result<void> checkChanges(const CurrencyStatement &currency)
{
    constexpr std::array kParts{&StatementChange::before,  &StatementChange::price,      &StatementChange::hours,
                                &StatementChange::mix,     &StatementChange::efficiency, &StatementChange::other,
                                &StatementChange::restated};
    std::array<WideMoney, kParts.size()> sums;
    WideMoney policy, late, differences;
    for (const TeamStatement &team : currency.teams) {
        if (!team.change)
            continue;
        for (std::size_t i = 0; i < kParts.size(); ++i)
            sums[i].add((team.change.value().*kParts[i]).nanos());
        policy.add(team.change->policy.value_or(team.zero()).nanos());
        late.add(team.change->late.value_or(team.zero()).nanos());
        const auto difference = team.total().minus(team.change->before);
        GPULEDGER_TRY(difference);
        differences.add(difference->nanos());
    }
    for (const WideMoney &sum : sums)
        GPULEDGER_TRY(check(sum));
    GPULEDGER_TRY(check(policy));
    GPULEDGER_TRY(check(late));
    return check(differences);
}

} // namespace

Result<void> checkRange(const std::vector<insight::CostGroup> &groups)
{
    WideMoney before, after;
    for (const insight::CostGroup &group : groups) {
        before.add(group.costBefore);
        after.add(group.costAfter);
    }
    GPULEDGER_TRY(check(before));
    GPULEDGER_TRY(check(after));
    GPULEDGER_TRY(Money(after.total().value_or(0), {}).minus(Money(before.total().value_or(0), {})));
    return {};
}

Result<void> checkRange(const CurrencyStatement &currency)
{
    WideMoney own, moved, charged;
    for (const TeamStatement &team : currency.teams) {
        for (const StatementLine &line : team.lines) {
            own.add(line.cost.nanos());
            own.add(line.estimated.nanos());
        }
        moved.add(team.moved.nanos());
    }
    for (const StatementAdjustment &one : currency.adjustments) {
        own.add(one.cost.nanos());
        own.add(one.estimated.nanos());
    }
    GPULEDGER_TRY(check(own));
    GPULEDGER_TRY(check(moved));
    for (const TeamStatement &team : currency.teams) {
        const auto all = team.totalWithAdjustments().plus(team.moved);
        GPULEDGER_TRY(all);
        charged.add(all->nanos());
    }
    GPULEDGER_TRY(check(charged));
    // The total of the teams shown, compared with all of them.
    GPULEDGER_TRY(currency.total().plus(currency.adjusted()));
    Money shown(0, currency.currency);
    for (const TeamStatement &team : currency.teams)
        shown = Money(shown.nanos() + team.total().nanos(), currency.currency); // a part of `own`
    GPULEDGER_TRY(currency.total().minus(shown));
    return checkChanges(currency);
}

} // namespace gpuledger::reports
