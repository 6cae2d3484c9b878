// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/statement/monthstatus.h"

#include <algorithm>

namespace gpuledger::reports {

namespace {

using insight::ReconcileTotal;

void addAmounts(std::vector<Objection> &to, const ReconcileTotal &total)
{
    const auto add = [&](ObjectionKind kind, const base::Money &amount, bool effective) {
        if (!amount.isZero())
            to.push_back({.kind = kind, .amount = amount, .effective = effective});
    };
    add(ObjectionKind::Difference, total.differenceBilled, false);
    add(ObjectionKind::Difference, total.differenceEffective, true);
    add(ObjectionKind::Unexplained, total.unexplainedBilled, false);
    // A single sentence if both views agree.
    if (total.unexplainedEffective != total.unexplainedBilled)
        add(ObjectionKind::Unexplained, total.unexplainedEffective, true);
}

// The parts of the month that are missing, ascending.
std::vector<base::TimeRange> missing(base::TimeRange month, const std::vector<base::TimeRange> &fetched)
{
    std::vector<base::TimeRange> gaps;
    base::UtcTime at = month.start;
    for (const base::TimeRange &range : fetched) {
        const base::TimeRange part = range.intersect(month);
        if (part.empty())
            continue;
        if (at < part.start)
            gaps.push_back({at, part.start});
        at = std::max(at, part.end);
    }
    if (at < month.end)
        gaps.push_back({at, month.end});
    return gaps;
}

} // namespace

std::string_view toString(MonthState state)
{
    switch (state) {
    case MonthState::Draft:
        return "draft";
    case MonthState::Reviewed:
        return "reviewed";
    case MonthState::Closed:
        return "closed";
    }
    return "draft";
}

std::string_view toString(ObjectionKind kind)
{
    switch (kind) {
    case ObjectionKind::Running:
        return "running";
    case ObjectionKind::Ahead:
        return "ahead";
    case ObjectionKind::Nothing:
        return "nothing";
    case ObjectionKind::NoBill:
        return "no-bill";
    case ObjectionKind::Difference:
        return "difference";
    case ObjectionKind::Unexplained:
        return "unexplained";
    case ObjectionKind::EarlierOpen:
        return "earlier-open";
    case ObjectionKind::NotFetched:
        return "not-fetched";
    case ObjectionKind::CountedTwice:
        return "counted-twice";
    }
    return "nothing";
}

std::vector<Objection> objectionsTo(const CloseCheck &check)
{
    std::vector<Objection> all;
    const base::TimeRange range = check.month.range();
    if (check.now < range.end)
        all.push_back({.kind = ObjectionKind::Running});
    else if (check.real < range.end)
        all.push_back({.kind = ObjectionKind::Ahead, .range = {check.real, check.real}});
    if (!check.hasFigures) {
        all.push_back({.kind = ObjectionKind::Nothing});
        return all;
    }
    if (check.reconciliation.totals.empty())
        all.push_back({.kind = ObjectionKind::NoBill});
    for (const ReconcileTotal &total : check.reconciliation.totals)
        addAmounts(all, total);
    if (!check.earlierOpen.empty())
        all.push_back({.kind = ObjectionKind::EarlierOpen,
                       .month = check.earlierOpen.front(),
                       .count = check.earlierOpen.size()});
    for (const store::FetchedRanges &source : check.fetched) {
        const auto gaps = missing(range, source.ranges);
        if (!gaps.empty())
            all.push_back({.kind = ObjectionKind::NotFetched,
                           .source = source.source,
                           .range = gaps.front(),
                           .count = gaps.size()});
    }
    if (!check.countedTwice.empty())
        all.push_back({.kind = ObjectionKind::CountedTwice,
                       .account = check.countedTwice.front(),
                       .count = check.countedTwice.size()});
    return all;
}

MonthStatus ofTeam(const MonthStatus &month, const std::string &team)
{
    MonthStatus out = month;
    out.teams.clear();
    const auto it = month.teams.find(team);
    if (month.state != MonthState::Draft || it == month.teams.end())
        return out;
    out.state = it->second.state;
    out.outdated = it->second.outdated;
    if (const auto &review = it->second.review) {
        out.at = review->at;
        out.by = review->by;
    }
    return out;
}

} // namespace gpuledger::reports
