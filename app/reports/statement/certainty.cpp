// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/statement/certainty.h"

#include "app/reports/sharing/neighbours.h"

#include <algorithm>

namespace gpuledger::reports {

using base::Money;

namespace {

Money sum(const Money &a, const Money &b)
{
    const auto all = a.plus(b); // a bound that does not fit saturates
    return all.value_or(a);
}

void findOpen(Range &range)
{
    range.isOpen = std::any_of(range.doubts.begin(), range.doubts.end(), [](const Uncertainty &doubt) {
        return doubt.kind != Uncertainty::Kind::Unowned && doubt.kind != Uncertainty::Kind::Unobserved
            && doubt.kind != Uncertainty::Kind::SharedEqually;
    });
}

// Adds the reasons without a bound.
void addOpen(Range &range, const Statement &statement, const TeamStatement &team)
{
    base::GpuTime unpriced;
    for (const StatementLine &line : team.lines)
        unpriced += line.unpriced;
    if (!team.estimated.isZero())
        range.doubts.push_back({Uncertainty::Kind::Estimated, team.estimated, {}, {}});
    if (!team.oldPriced.isZero())
        range.doubts.push_back({Uncertainty::Kind::OldPrices, team.oldPriced, {}, team.oldestPrice});
    if (unpriced.ticks > 0)
        range.doubts.push_back({Uncertainty::Kind::Unpriced, {}, unpriced, {}});
    if (statement.isCut())
        range.doubts.push_back({Uncertainty::Kind::NotFetched, {}, {}});
    if (!statement.isOver)
        range.doubts.push_back({Uncertainty::Kind::Running, {}, {}});
    findOpen(range);
}

// Unowned credits may also lower a figure.
void move(Range &range, const Money &amount, Uncertainty::Kind kind)
{
    if (amount.isZero())
        return;
    Money &end = amount.nanos() > 0 ? range.high : range.low;
    end = sum(end, amount);
    range.doubts.push_back({kind, amount, {}, {}});
}

// What no team owns may be less by what may belong to one.
void lose(Range &range, const Money &amount)
{
    if (amount.isZero())
        return;
    Money &end = amount.nanos() > 0 ? range.low : range.high;
    end = end.minus(amount).value_or(end);
    range.doubts.push_back({Uncertainty::Kind::Unowned, amount, {}, {}});
}

// The holders used some share of each such device, anywhere from none to all of it.
void moveShared(Range &range, const TeamStatement &team)
{
    if (team.sharedEqually.isZero())
        return;
    range.low = sum(range.low, Money(-team.sharedEqually.nanos(), team.sharedEqually.currency()));
    range.high = sum(range.high, team.mayBeShared);
    range.doubts.push_back({Uncertainty::Kind::SharedEqually, team.sharedEqually, {}, {}});
}

Money unobservedOf(const TeamStatement &team)
{
    Money all(0, team.cost.currency());
    for (const StatementLine &line : team.lines) {
        if (line.state == kUnobservedState)
            all = sum(sum(all, line.cost), line.estimated);
    }
    return all;
}

} // namespace

Range rangeOfTotal(const Statement &statement, const CurrencyStatement &currency, const TeamStatement *team)
{
    const TeamStatement all = team ? TeamStatement() : allTeams(currency);
    const TeamStatement &of = team ? *team : all;
    const Money total = of.total();
    Range range{total, total, false, {}};
    if (team && isRealTeam(team->team)) {
        move(range, team->unowned.more, Uncertainty::Kind::Unowned);
        move(range, team->unowned.less, Uncertainty::Kind::Unowned);
        moveShared(range, *team);
    } else if (team && isUnowned(team->team)) {
        lose(range, team->unowned.more);
        lose(range, team->unowned.less);
    }
    addOpen(range, statement, of);
    return range;
}

Range rangeOfIdle(const Statement &statement, const CurrencyStatement &currency, const TeamStatement *team)
{
    const TeamStatement all = team ? TeamStatement() : allTeams(currency);
    const TeamStatement &of = team ? *team : all;
    Range range{of.idle, of.idle, false, {}};
    move(range, unobservedOf(of), Uncertainty::Kind::Unobserved);
    if (team && isRealTeam(team->team)) {
        move(range, team->unownedIdle.more, Uncertainty::Kind::Unowned);
        move(range, team->unownedIdle.less, Uncertainty::Kind::Unowned);
    }
    addOpen(range, statement, of);
    return range;
}

Range rangeOfSum(const Money &total, const SumUncertainty &doubts)
{
    Range range{total, total, false, {}};
    move(range, doubts.unobserved, Uncertainty::Kind::Unobserved);
    if (!doubts.estimated.isZero())
        range.doubts.push_back({Uncertainty::Kind::Estimated, doubts.estimated, {}, {}});
    if (!doubts.notFinal.isZero())
        range.doubts.push_back({Uncertainty::Kind::NotFinal, doubts.notFinal, {}, {}});
    if (doubts.unpriced.ticks > 0)
        range.doubts.push_back({Uncertainty::Kind::Unpriced, {}, doubts.unpriced, {}});
    findOpen(range);
    return range;
}

} // namespace gpuledger::reports
