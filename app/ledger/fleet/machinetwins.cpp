// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/fleet/machinetwins.h"

#include "app/model/fleet/listedmachine.h"

#include <map>
#include <string_view>

namespace gpuledger::ledger {

namespace {

using Index = std::multimap<std::string_view, std::size_t>;

std::string_view hostNameOf(const model::Node &machine)
{
    const auto label = machine.labels.find(model::kHostNameLabel);
    return label == machine.labels.end() ? std::string_view() : std::string_view(label->second);
}

std::vector<std::size_t> at(const Index &index, std::string_view key)
{
    std::vector<std::size_t> out;
    const auto [first, last] = index.equal_range(key);
    for (auto it = first; it != last; ++it)
        out.push_back(it->second);
    return out;
}

} // namespace

std::vector<std::vector<std::size_t>> twinsOf(const std::vector<model::Node> &nodes, const std::vector<char> &isListed)
{
    Index byId, byName, machines;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::string_view id = model::machineIdIn(nodes[i].providerId);
        if (isListed[i]) {
            for (const std::string_view name : {std::string_view(nodes[i].name), hostNameOf(nodes[i])})
                machines.emplace(name, i);
        } else if (id.empty()) {
            byName.emplace(nodes[i].name, i);
        } else {
            byId.emplace(id, i);
        }
    }
    std::vector<std::vector<std::size_t>> out(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!isListed[i])
            continue;
        out[i] = at(byId, nodes[i].name);
        for (const std::string_view name : {std::string_view(nodes[i].name), hostNameOf(nodes[i])}) {
            if (out[i].empty() && !name.empty() && byName.count(name) == 1 && machines.count(name) == 1)
                out[i] = at(byName, name);
        }
    }
    return out;
}

} // namespace gpuledger::ledger
