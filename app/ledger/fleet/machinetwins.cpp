// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/fleet/machinetwins.h"

#include "app/model/fleet/listedmachine.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace gpuledger::ledger {

namespace {

using Index = std::multimap<std::string_view, std::size_t>;

std::set<std::string_view> hostNamesOf(const model::Node &machine)
{
    const auto label = machine.labels.find(model::kHostNameLabel);
    if (label == machine.labels.end() || label->second.empty())
        return {};
    const std::string_view full = label->second;
    return {full, full.substr(0, full.find('.'))};
}

template <typename Names> std::vector<std::size_t> at(const Names &index, std::string_view key)
{
    std::vector<std::size_t> out;
    const auto [first, last] = index.equal_range(key);
    for (auto it = first; it != last; ++it)
        out.push_back(it->second);
    return out;
}

} // namespace

std::vector<std::vector<std::size_t>> twinsOf(const std::vector<KnownNode> &nodes)
{
    std::multimap<std::string, std::size_t, std::less<>> byProvider;
    Index byId, byHolder, byName, machines;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const model::Node &node = *nodes[i].node;
        if (nodes[i].isListed) {
            for (const std::string_view name : hostNamesOf(node))
                machines.emplace(name, i);
            continue;
        }
        const std::string_view id = model::machineIdIn(node.providerId);
        if (!id.empty()) {
            byProvider.emplace(model::sameCase(node.providerId), i);
            byId.emplace(id, i);
            continue;
        }
        byName.emplace(node.name, i);
        for (const std::string &machine : nodes[i].heldBy) {
            byHolder.emplace(machine, i);
            if (machine != node.name)
                byName.emplace(machine, i);
        }
    }
    std::vector<std::vector<std::size_t>> out(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!nodes[i].isListed)
            continue;
        const std::string &id = nodes[i].node->name;
        out[i] = at(byProvider, model::sameCase(nodes[i].node->providerId));
        for (const Index *index : {&byId, &byHolder}) {
            if (out[i].empty())
                out[i] = at(*index, id);
        }
        if (out[i].empty() && byName.count(id) == 1)
            out[i] = at(byName, id);
        for (const std::string_view name : hostNamesOf(*nodes[i].node)) {
            if (out[i].empty() && byName.count(name) == 1 && machines.count(name) == 1)
                out[i] = at(byName, name);
        }
    }
    return out;
}

} // namespace gpuledger::ledger
