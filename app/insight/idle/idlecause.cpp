// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idle/idlecause.h"

#include "app/base/time/gputime.h"
#include "app/insight/idle/idle.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::insight {

using model::Recovery;
using store::IdleUnit;

namespace {

bool fitsSlice(const IdleUnit &unit, const std::map<base::DeviceId, std::int64_t> &memoryMib)
{
    const auto total = memoryMib.find(unit.device);
    return unit.gpuInstance.empty() && total != memoryMib.end() && total->second > 0
        && unit.memoryMib * kSlice <= total->second;
}

// The least favourable value ranks highest.
int rank(Recovery recovery)
{
    switch (recovery) {
    case Recovery::Now:
        return 0;
    case Recovery::WithMachine:
        return 1;
    case Recovery::AtDate:
        return 2;
    case Recovery::Never:
        return 3;
    case Recovery::Unknown:
        break;
    }
    return 4;
}

void add(std::optional<std::int64_t> &sum, std::int64_t amount)
{
    std::int64_t result = 0;
    if (sum)
        sum = __builtin_add_overflow(*sum, amount, &result) ? std::nullopt : std::optional(result);
}

void add(IdleSum &sum, const IdleItem &item)
{
    ++sum.items;
    sum.gpus += item.gpus;
    if (!item.perMonth) {
        ++sum.unpriced;
        return;
    }
    add(sum.perMonth, item.perMonth->nanos());
    if (!item.avoidablePerMonth || !item.sunkPerMonth) {
        add(sum.undecided, item.perMonth->nanos());
        return;
    }
    add(sum.avoidable, item.avoidablePerMonth->nanos());
    add(sum.sunk, item.sunkPerMonth->nanos());
}

} // namespace

std::string_view toString(IdleCause cause)
{
    switch (cause) {
    case IdleCause::Empty:
        return "empty";
    case IdleCause::Loaded:
        return "loaded";
    case IdleCause::Oversized:
        return "oversized";
    case IdleCause::Starved:
        return "starved";
    case IdleCause::Unknown:
        break;
    }
    return {};
}

bool dependsOnSize(const store::IdleCandidate &candidate)
{
    const auto &units = candidate.units;
    return std::any_of(units.begin(), units.end(), [](const IdleUnit &u) { return u.peakActivity > 0; })
        && std::all_of(units.begin(), units.end(),
                       [](const IdleUnit &u) { return u.memoryMib >= 0 && u.gpuInstance.empty(); });
}

IdleCause causeOf(const store::IdleCandidate &candidate, const std::map<base::DeviceId, std::int64_t> &memoryMib,
                  const InputSignals &input)
{
    const auto &units = candidate.units;
    const bool works = std::any_of(units.begin(), units.end(),
                                   [](const IdleUnit &u) { return u.peakActivity > 0 || u.memoryMib > kEmptyMib; });
    if (works && input.showsWaiting())
        return IdleCause::Starved;
    if (units.empty() || std::any_of(units.begin(), units.end(), [](const IdleUnit &u) { return u.memoryMib < 0; }))
        return IdleCause::Unknown;
    const bool ran = std::any_of(units.begin(), units.end(), [](const IdleUnit &u) { return u.peakActivity > 0; });
    const bool small =
        std::all_of(units.begin(), units.end(), [&](const IdleUnit &u) { return fitsSlice(u, memoryMib); });
    if (ran && small)
        return IdleCause::Oversized;
    const bool empty =
        std::all_of(units.begin(), units.end(), [](const IdleUnit &u) { return u.memoryMib <= kEmptyMib; });
    return empty && !ran ? IdleCause::Empty : IdleCause::Loaded;
}

void addTerms(IdleItem &item, const store::IdleCandidate &candidate, const model::CostTerms &terms)
{
    item.recoverable = Recovery::Unknown;
    if (!item.perMonth || candidate.units.empty())
        return;
    Recovery worst = Recovery::Now;
    std::int64_t avoidable = 0;
    for (const IdleUnit &unit : candidate.units) {
        const auto told = terms.find(unit.device);
        const Recovery one = told == terms.end() ? Recovery::Unknown : told->second;
        worst = rank(one) > rank(worst) ? one : worst;
        if (const auto rate = hourlyNanos(unit); rate && one == Recovery::Now)
            avoidable += *rate;
    }
    item.recoverable = worst;
    if (worst == Recovery::Unknown)
        return;
    const base::Money all = *item.perMonth;
    item.avoidablePerMonth = base::Money(avoidable * kIdleHoursPerMonth, all.currency()); // a part of a sum that fits
    item.sunkPerMonth = base::Money(all.nanos() - item.avoidablePerMonth->nanos(), all.currency());
}

IdleTotals totalsOf(const std::vector<IdleItem> &items)
{
    IdleTotals out;
    for (const IdleItem &item : items) {
        add(out.all, item);
        add(out.byCause[static_cast<std::size_t>(item.cause)], item);
    }
    return out;
}

std::optional<std::int64_t> hourlyNanos(const store::IdleUnit &unit)
{
    const auto part = unit.rate.times(
        base::GpuTime{static_cast<std::int64_t>(std::llround(unit.fraction * 3600 * base::GpuTime::kTicksPerSecond))});
    return unit.priced && part ? std::optional(part->nanos()) : std::nullopt;
}

} // namespace gpuledger::insight
