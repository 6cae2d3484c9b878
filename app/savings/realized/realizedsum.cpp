// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/realized/realized.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>

namespace gpuledger::savings {

namespace {

void addRealized(base::Money &to, const base::Money &amount)
{
    std::int64_t sum = 0;
    if (__builtin_add_overflow(to.nanos(), amount.nanos(), &sum))
        sum = amount.nanos() > 0 ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
    to = {sum, to.currency()};
}

void addRealized(RealizedTotal &to, const Realized &one, const Choice &choice)
{
    to.choices.push_back(one.choice);
    to.stops += one.stop ? 1 : 0;
    if (to.counted++ == 0) {
        to.perMonth = *one.perMonth;
        to.projected.reset();
        if (choice.projected && choice.projected->p50.currency() == one.perMonth->p50.currency())
            to.projected = choice.projected->p50;
        return;
    }
    addRealized(to.perMonth.p10, one.perMonth->p10);
    addRealized(to.perMonth.p50, one.perMonth->p50);
    addRealized(to.perMonth.p90, one.perMonth->p90);
    if (to.projected && choice.projected && choice.projected->p50.currency() == to.projected->currency())
        addRealized(*to.projected, choice.projected->p50);
    else
        to.projected.reset();
}

} // namespace

base::TimeRange realizedRange(const std::vector<Realized> &realized)
{
    base::TimeRange out;
    for (const Realized &one : realized) {
        for (const base::TimeRange &weeks : {one.before, one.after}) {
            if (!weeks.empty())
                out = out.empty() ? weeks
                                  : base::TimeRange{std::min(out.start, weeks.start), std::max(out.end, weeks.end)};
        }
    }
    return out;
}

std::vector<RealizedTotal> realizedSum(const std::vector<Choice> &choices, const std::vector<Realized> &realized)
{
    std::map<std::int64_t, const Choice *> byId;
    for (const Choice &one : choices)
        byId.emplace(one.id, &one);
    std::vector<const Realized *> measured;
    for (const Realized &one : realized) {
        const bool isIn = one.stop ? one.stop->stop && !one.stop->stop->undone : byId.contains(one.choice);
        if (one.state == RealizedState::Measured && one.perMonth && isIn)
            measured.push_back(&one);
    }
    std::stable_sort(measured.begin(), measured.end(), [](const Realized *a, const Realized *b) {
        return a->perMonth->p50.nanos() > b->perMonth->p50.nanos();
    });
    std::map<std::string, RealizedTotal, std::less<>> totals;
    std::set<std::pair<std::string, std::int64_t>> taken;
    for (const Realized *one : measured) {
        const std::string code(one->perMonth->p50.currency().code());
        RealizedTotal &total = totals[code];
        if (one->group != 0 && !taken.emplace(code, one->group).second)
            ++total.overlapping;
        else
            addRealized(total, *one, one->stop ? *one->stop : *byId.at(one->choice));
    }
    std::vector<RealizedTotal> out;
    for (auto &[code, total] : totals)
        out.push_back(std::move(total));
    return out;
}

} // namespace gpuledger::savings
