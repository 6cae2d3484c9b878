// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/allocations/allocatedmatch.h"

#include "app/model/money/billdays.h"

#include <algorithm>
#include <array>

namespace gpuledger::ledger {

using model::AllocatedNode;
using model::LedgerMatch;

namespace {

bool namesOther(const AllocatedNode &told, const model::Node &node)
{
    const auto a = segmentsOf(lowerCase(told.providerId)), b = segmentsOf(lowerCase(node.providerId));
    return !a.empty() && !b.empty() && a.back() != b.back();
}

} // namespace

std::string cloudOf(const AllocatedNode &told)
{
    constexpr std::array<std::string_view, 4> kClouds{"aws", "azure", "gcp", "oci"}; // allowed: clouds
    const std::string cloud = model::cloudOfProvider(told.provider);
    return std::find(kClouds.begin(), kClouds.end(), cloud) == kClouds.end() ? std::string() : cloud;
}

AllocatedPlace placeOf(const AllocatedNode &told, const std::vector<NodeDay> &nodes, const BillMatch &match)
{
    BillItem item;
    item.resource = lowerCase(told.providerId);
    item.segments = segmentsOf(item.resource);
    item.cloud = cloudOf(told);
    item.resourceName = lowerCase(told.name);
    const BillMatch::Found found = match.byId(item);
    if (found.nodes.size() == 1 && found.match != LedgerMatch::ProviderId)
        return {found.nodes.front(), false};
    std::optional<std::size_t> inCluster, alone;
    std::size_t named = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const model::Node *node = nodes[i].node;
        if (!node || lowerCase(node->name) != item.resourceName)
            continue;
        ++named;
        if (lowerCase(nodes[i].cluster) == lowerCase(told.cluster))
            inCluster = i;
        if (!namesOther(told, *node))
            alone = i;
    }
    if (inCluster)
        return {inCluster, false};
    if (named > 1)
        return {std::nullopt, true};
    return {alone, false};
}

} // namespace gpuledger::ledger
