// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/bills/billmatch.h"

#include <algorithm>

namespace gpuledger::ledger {

using model::LedgerMatch;

namespace {

constexpr std::string_view kScaleSets = "/virtualmachinescalesets/";
constexpr std::string_view kMachines = "/virtualmachines/";

// Bills write "azure:///subscriptions/…" as "/subscriptions/…".
std::string_view withoutScheme(std::string_view id)
{
    const std::size_t scheme = id.find("://");
    return scheme == std::string_view::npos ? id : id.substr(scheme + 3);
}

} // namespace

BillMatch::BillMatch(const std::vector<NodeDay> &nodes)
    : m_nodes(nodes)
{
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        m_segments.emplace_back();
        const model::Node *node = nodes[i].node;
        if (!node)
            continue;
        m_name.emplace(lowerCase(node->name), i);
        const std::string id = lowerCase(node->providerId);
        if (id.empty())
            continue;
        const std::string_view path = withoutScheme(id);
        m_whole.emplace(id, i);
        m_whole.emplace(std::string(path), i);
        m_segments.back() = segmentsOf(path);
        if (!m_segments.back().empty())
            m_instance.emplace(m_segments.back().back(), i);
        if (const std::size_t machines = path.rfind(kMachines);
            machines != std::string_view::npos && path.find(kScaleSets) != std::string_view::npos)
            m_group.emplace(std::string(path.substr(0, machines)), i);
    }
}

bool BillMatch::fits(const BillItem &item, std::size_t node) const
{
    const model::Node *record = m_nodes[node].node;
    return record && (record->cloud.empty() || item.cloud.empty() || record->cloud == item.cloud);
}

// Names repeat across projects and zones: where the resource id contains these, they must be the node's.
std::vector<std::size_t> BillMatch::narrowed(const BillItem &item, std::vector<std::size_t> nodes) const
{
    if (nodes.size() < 2)
        return nodes;
    std::vector<std::size_t> left;
    for (const std::size_t node : nodes) {
        const auto &path = m_segments[node];
        const bool all = std::all_of(path.begin(), path.end(), [&](const std::string &segment) {
            return std::find(item.segments.begin(), item.segments.end(), segment) != item.segments.end();
        });
        if (all)
            left.push_back(node);
    }
    return left.empty() ? nodes : left;
}

BillMatch::Found BillMatch::unique(const BillItem &item, std::string_view text, const Index &index,
                                   LedgerMatch match) const
{
    Found found;
    if (text.empty())
        return found;
    std::vector<std::size_t> nodes;
    for (auto [it, end] = index.equal_range(text); it != end; ++it) {
        if (fits(item, it->second) && std::find(nodes.begin(), nodes.end(), it->second) == nodes.end())
            nodes.push_back(it->second);
    }
    std::sort(nodes.begin(), nodes.end());
    found.nodes = narrowed(item, std::move(nodes));
    found.conflict = found.nodes.size() > 1;
    if (!found.nodes.empty())
        found.match = match;
    return found;
}

BillMatch::Found BillMatch::byId(const BillItem &item) const
{
    const std::string_view last = item.segments.empty() ? std::string_view() : std::string_view(item.segments.back());
    const struct {
        std::string_view text;
        const Index &index;
        LedgerMatch match;
    } kTries[] = {
        {item.resource, m_whole, LedgerMatch::ResourceId},    {item.resource, m_instance, LedgerMatch::ResourceId},
        {last, m_instance, LedgerMatch::InstanceId},          {last, m_name, LedgerMatch::ProviderId},
        {item.resourceName, m_name, LedgerMatch::ProviderId},
    };
    for (const auto &one : kTries) {
        if (Found found = unique(item, one.text, one.index, one.match); !found.nodes.empty())
            return found;
    }
    Found group = unique(item, item.resource, m_group, LedgerMatch::ProviderId);
    group.conflict = false; // all of them are meant
    group.isGroup = !group.nodes.empty();
    return group;
}

namespace {

// Provider ids of Azure and Google Cloud contain the account.
bool isOfAccount(const BillItem &item, const std::string &account, const std::vector<std::string> &path)
{
    const bool isInIds = item.cloud == "azure" || item.cloud == "gcp"; // allowed: clouds
    return account.empty() || !isInIds || path.empty() || std::find(path.begin(), path.end(), account) != path.end();
}

} // namespace

// Nodes whose cloud is unknown fit, too: no two clouds have a type in common. An account that is a cluster pays for the
// nodes of the cluster that telemetry calls so, and for no others: which of several clusters it is can't be told.
BillMatch::Found BillMatch::byAttributes(const BillItem &item, const model::BillLine &line,
                                         const std::vector<char> &taken) const
{
    Found found;
    if (item.instanceType.empty() || item.cloud.empty())
        return found;
    const std::string account = lowerCase(line.subAccountId);
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        const model::Node *node = m_nodes[i].node;
        // If both sides have an id and they did not match, it is a different machine.
        if (!node || taken[i] || (!item.resource.empty() && !node->providerId.empty()))
            continue;
        const bool regionFits = item.region.empty() || node->region.empty() || lowerCase(node->region) == item.region;
        const bool accountFits = line.subAccountType == model::kClusterAccount
            ? lowerCase(node->cluster) == account
            : isOfAccount(item, account, m_segments[i]);
        if (fits(item, i) && lowerCase(node->instanceType) == item.instanceType && regionFits && accountFits)
            found.nodes.push_back(i);
    }
    if (!found.nodes.empty())
        found.match = LedgerMatch::Attributes;
    return found;
}

} // namespace gpuledger::ledger
