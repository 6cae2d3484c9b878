// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idlecandidates.h"

#include "app/insight/measuresums.h"
#include "app/store/idlescan.h"

#include <algorithm>

namespace gpuledger::insight {

using base::Result;
using Candidates = std::vector<store::IdleCandidate>;

namespace {

std::string valueOf(const store::IdleCandidate &c, const store::IdlePlace &place, Dimension dimension)
{
    switch (dimension) {
    case Dimension::Node:
        return place.node;
    case Dimension::Device:
        return place.device;
    case Dimension::Workload:
        return workloadName(c.who.nameSpace, c.who.ownerKind, c.who.ownerName, c.who.name);
    default:
        return insight::valueOf(place.group, dimension);
    }
}

// The filter takes one of its units at some time of the window.
bool matches(const Filter &filter, const store::IdleCandidate &c)
{
    const auto passes = [&](const store::IdlePlace &place) {
        return filter.admits([&](Dimension dimension) { return valueOf(c, place, dimension); });
    };
    return std::any_of(c.units.begin(), c.units.end(), [&](const store::IdleUnit &unit) {
        return std::any_of(unit.places.begin(), unit.places.end(), passes);
    });
}

Result<Candidates> allCandidates(store::AttributionReader &facts, base::UtcTime at, const model::IdleSettings &settings)
{
    const auto kept = facts.kept();
    GPULEDGER_TRY(kept);
    if (*kept) {
        auto candidates = (*kept)->candidates(at, settings);
        GPULEDGER_TRY(candidates);
        if (*candidates)
            return std::move(**candidates);
    }
    return store::IdleScan(at, settings).scan(facts, *kept);
}

} // namespace

Result<Candidates> findIdleCandidates(store::AttributionReader &facts, base::UtcTime at, const Filter &filter,
                                      const model::IdleSettings &settings)
{
    auto all = allCandidates(facts, at, settings);
    if (all && !filter.empty())
        std::erase_if(*all, [&](const store::IdleCandidate &c) { return !matches(filter, c); });
    return all;
}

} // namespace gpuledger::insight
