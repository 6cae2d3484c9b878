// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/queue/waiting.h"

#include "app/insight/queue/placementsimulator.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace gpuledger::insight {

using base::Money;
using model::WaitingWork;

namespace {

__extension__ using Wide = __int128;

std::optional<std::int64_t> fitted(Wide value)
{
    constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();
    return value > kMost || value < -kMost ? std::nullopt : std::optional(static_cast<std::int64_t>(value));
}

std::optional<std::int64_t> times(std::int64_t nanos, std::int64_t factor, std::int64_t divisor)
{
    return fitted((static_cast<Wide>(nanos) * factor + divisor / 2) / divisor);
}

// Only the time in which both the job waited and the GPU was idle is lost.
std::optional<std::int64_t> lostOf(const IdlePart &part, const WaitingWork &work, base::UtcTime at)
{
    if (!part.perHour || !part.since || !work.since)
        return std::nullopt;
    const base::Seconds both = at - std::max(*part.since, *work.since);
    return times(part.perHour->nanos(), std::max<std::int64_t>(0, both.count()), 3600);
}

std::optional<std::int64_t> sumOf(std::optional<std::int64_t> a, std::optional<std::int64_t> b)
{
    return a && b ? fitted(static_cast<Wide>(*a) + *b) : std::nullopt;
}

void addMoney(WaitingItem &item, base::UtcTime at, base::Currency currency)
{
    if (item.parts.empty())
        return;
    std::optional<std::int64_t> hour = 0, lost = 0;
    for (const IdlePart &part : item.parts) {
        hour = sumOf(hour, part.perHour ? std::optional(part.perHour->nanos()) : std::nullopt);
        lost = sumOf(lost, lostOf(part, item.work, at));
    }
    const auto month = hour ? times(*hour, kIdleHoursPerMonth, 1) : std::nullopt;
    if (hour)
        item.perHour = Money(*hour, currency);
    if (month)
        item.perMonth = Money(*month, currency);
    if (lost)
        item.lost = Money(*lost, currency);
}

void addKnown(std::optional<std::int64_t> &sum, std::optional<std::int64_t> more)
{
    if (more)
        sum = sumOf(sum.value_or(0), more).value_or(std::numeric_limits<std::int64_t>::max());
}

// True if the job takes its units, so that no other job can.
bool takes(const WaitingItem &item)
{
    return item.isServed || item.blocker == Blocker::NotSeen;
}

// Counts units that were not reported for an earlier job. Blocked jobs are all reported the same remaining units.
class Counted {
public:
    std::int64_t fresh(const WaitingItem &item, const IdlePart &part)
    {
        if (takes(item))
            return part.units;
        std::int64_t &known = m_units[part.idle.empty() ? item.work.cluster + '\n' + item.node + '\n' + part.resource
                                                        : part.idle + '\n' + part.resource];
        const std::int64_t fresh = std::max<std::int64_t>(0, part.units - known);
        known += fresh;
        return fresh;
    }

private:
    std::map<std::string, std::int64_t> m_units;
};

std::string idOf(const WaitingWork &work)
{
    return work.cluster + '/' + work.nameSpace + '/' + work.name + '/' + work.uid;
}

std::vector<WaitingItem> itemsOf(const model::WaitingFacts &facts)
{
    std::vector<WaitingItem> items;
    for (const WaitingWork &work : facts.works) {
        items.emplace_back();
        items.back().id = idOf(work);
        items.back().work = work;
    }
    std::sort(items.begin(), items.end(), [](const WaitingItem &a, const WaitingItem &b) {
        const auto rank = [](const WaitingItem &i) {
            return std::tuple(!i.work.since, i.work.since.value_or(base::UtcTime{}), std::string_view(i.id));
        };
        return rank(a) < rank(b);
    });
    return items;
}

void addToBlocker(BlockerSum &sum, const WaitingItem &item, Counted &counted, base::UtcTime at)
{
    sum.jobs += static_cast<std::size_t>(std::max<std::int64_t>(0, item.work.count));
    sum.wanted += item.work.gpus.value_or(0);
    for (const IdlePart &part : item.parts) {
        const std::int64_t units = counted.fresh(item, part);
        if (units == 0)
            continue;
        sum.units += units;
        if (!part.perHour)
            sum.unpriced += units;
        IdlePart share = part;
        if (part.perHour) {
            const auto hour = times(part.perHour->nanos(), units, part.units);
            share.perHour = hour ? std::optional(Money(*hour, part.perHour->currency())) : std::nullopt;
            addKnown(sum.perMonth, hour ? times(*hour, kIdleHoursPerMonth, 1) : std::nullopt);
        }
        const auto lost = lostOf(share, item.work, at);
        sum.isLostKnown = sum.isLostKnown && lost;
        sum.lost = sum.isLostKnown ? sumOf(sum.lost.value_or(0), lost) : std::nullopt;
    }
}

void addSums(WaitingList &list)
{
    list.sums = {};
    Counted counted;
    for (const WaitingItem &item : list.items)
        addToBlocker(list.sums[static_cast<std::size_t>(item.blocker)], item, counted, list.at);
}

} // namespace

std::string_view toString(Blocker blocker)
{
    static constexpr std::array<std::string_view, kBlockers> kNames{
        "held-by-idle", "quota",         "taint",   "no-cpu",      "no-memory", "protected",
        "scattered",    "mig-leftovers", "flavour", "no-idle-gpu", "not-seen",  "size-unknown"};
    return kNames[static_cast<std::size_t>(blocker)];
}

WaitingList matchWaiting(const model::WaitingFacts &facts, const IdleList &idle, const NodeRates &rates,
                         base::Currency currency)
{
    WaitingList out;
    out.at = idle.at;
    out.isKnown = facts.isKnown;
    if (!facts.isKnown)
        return out;
    out.items = itemsOf(facts);
    out.leftOut = out.items.size() > kMostJobs ? out.items.size() - kMostJobs : 0;
    out.items.resize(out.items.size() - out.leftOut);
    PlacementSimulator room(facts, idle, rates);
    for (WaitingItem &item : out.items)
        room.serve(item);
    for (WaitingItem &item : out.items)
        room.explain(item);
    for (WaitingItem &item : out.items)
        addMoney(item, idle.at, currency);
    addSums(out);
    return out;
}

void keep(WaitingList &list, const std::function<bool(const WaitingItem &)> &isChosen)
{
    std::erase_if(list.items, [&](const WaitingItem &item) { return !isChosen(item); });
    addSums(list);
}

} // namespace gpuledger::insight
