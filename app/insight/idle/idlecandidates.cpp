// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idle/idlecandidates.h"

#include "app/insight/query/measuresums.h"
#include "app/store/idle/idlescan.h"

#include <algorithm>

namespace gpuledger::insight {

using base::Result;
using Candidates = std::vector<store::IdleCandidate>;

namespace {

std::string valueOf(const store::IdleCandidate &c, const store::IdlePlace &place, const Dimension &dimension,
                    const LabelLookup &labels)
{
    switch (dimension.kind) {
    case Dimension::Node:
        return place.node;
    case Dimension::Device:
        return place.device;
    case Dimension::Workload:
        return workloadName(c.who.nameSpace, c.who.ownerKind, c.who.ownerName, c.who.name, c.who.what);
    case Dimension::WorkloadLabel:
    case Dimension::NamespaceLabel:
        return labels.ofHolder(c.who.holder, dimension);
    case Dimension::NodeLabel:
        return labels.ofNode(place.group.cluster, place.node, dimension);
    default:
        return insight::valueOf(place.group, dimension);
    }
}

// The filter accepts one of its units that did not work at some time of the window.
bool matches(const Filter &filter, const store::IdleCandidate &c, const LabelLookup &labels)
{
    const auto passes = [&](const store::IdlePlace &place) {
        return filter.admits([&](const Dimension &dimension) { return valueOf(c, place, dimension, labels); });
    };
    return std::any_of(c.units.begin(), c.units.end(), [&](const store::IdleUnit &unit) {
        return !unit.activeInWindow && std::any_of(unit.places.begin(), unit.places.end(), passes);
    });
}

Result<Candidates> allCandidates(store::AttributionReader &facts, base::UtcTime at, const model::IdleSettings &settings)
{
    if (!facts.hasStoredCost())
        return store::IdleScan(at, settings).scan(facts, nullptr);
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
    GPULEDGER_TRY(all);
    GPULEDGER_TRY(keepMatching(*all, facts, filter));
    return all;
}

Result<void> keepMatching(Candidates &candidates, store::AttributionReader &facts, const Filter &filter)
{
    if (filter.empty())
        return {};
    const auto labels = LabelLookup::read(facts, filter, {});
    GPULEDGER_TRY(labels);
    std::erase_if(candidates, [&](const store::IdleCandidate &c) { return !matches(filter, c, *labels); });
    return {};
}

} // namespace gpuledger::insight
