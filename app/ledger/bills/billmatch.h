// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/bills/billitem.h"
#include "app/ledger/bills/nodeday.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace gpuledger::ledger {

// Finds the machine that a bill line is about among those that telemetry saw on that day. In order of preference: the
// bill's resource id is the node's provider id or instance id; the resource id ends with the instance id; the resource
// id contains the node's name or its group (a scale set); else, where ids cannot decide, the same cloud, region and
// instance type.
class BillMatch {
public:
    // `nodes` must outlive this object and must not change.
    explicit BillMatch(const std::vector<NodeDay> &nodes);

    struct Found {
        model::LedgerMatch match = model::LedgerMatch::None;
        std::vector<std::size_t> nodes; // ascending
        bool conflict = false; // several machines have that id, and nothing decides between them
        bool isGroup = false; // the id is that of a group (a scale set), which may have more machines
    };
    // Matches by ids alone.
    Found byId(const BillItem &item) const;
    // Matches by account, region and type, among machines that no id has matched (`taken` is parallel to the nodes).
    Found byAttributes(const BillItem &item, const model::BillLine &line, const std::vector<char> &taken) const;

private:
    using Index = std::multimap<std::string, std::size_t, std::less<>>;
    bool fits(const BillItem &item, std::size_t node) const;
    Found unique(const BillItem &item, std::string_view text, const Index &index, model::LedgerMatch match) const;
    std::vector<std::size_t> narrowed(const BillItem &item, std::vector<std::size_t> nodes) const;

    const std::vector<NodeDay> &m_nodes;
    std::vector<std::vector<std::string>> m_segments; // of the provider id; parallel to the nodes
    Index m_whole, m_instance, m_name, m_group;
};

} // namespace gpuledger::ledger
