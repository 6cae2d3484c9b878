// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/query/labels.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace gpuledger::insight {

using base::Result;

namespace {

const std::string kNone;

const std::string &valueIn(const model::Labels &labels, const Dimension &dimension)
{
    const auto it = labels.find(dimension.label);
    return it != labels.end() ? it->second : kNone;
}

const std::string &valueOf(const model::Holder &holder, const Dimension &dimension)
{
    return valueIn(dimension.kind == Dimension::NamespaceLabel ? holder.namespaceLabels : holder.labels, dimension);
}

std::set<Dimension> labelsOf(const Filter &filter, const std::vector<Dimension> &by)
{
    std::set<Dimension> labels;
    const auto take = [&](const Dimension &dimension) {
        if (dimension.isLabel())
            labels.insert(dimension);
    };
    for (const auto *part : {&filter.include, &filter.exclude}) {
        for (const auto &entry : *part)
            take(entry.first);
    }
    std::for_each(by.begin(), by.end(), take);
    return labels;
}

Result<std::vector<model::Holder>> allHolders(store::FactReader &facts)
{
    const auto covered = facts.coveredRange();
    GPULEDGER_TRY(covered);
    return facts.holders(*covered);
}

bool needsHolders(const std::set<Dimension> &labels)
{
    return std::any_of(labels.begin(), labels.end(),
                       [](const Dimension &label) { return label.kind != Dimension::NodeLabel; });
}

bool needsNodes(const std::set<Dimension> &labels)
{
    return std::any_of(labels.begin(), labels.end(),
                       [](const Dimension &label) { return label.kind == Dimension::NodeLabel; });
}

} // namespace

Result<LabelLookup> LabelLookup::read(store::AttributionReader &attribution, const Filter &filter,
                                      const std::vector<Dimension> &by)
{
    LabelLookup out;
    const std::set<Dimension> labels = labelsOf(filter, by);
    store::FactReader *facts = attribution.facts();
    if (!facts || labels.empty())
        return out;
    if (needsHolders(labels)) {
        const auto holders = allHolders(*facts);
        GPULEDGER_TRY(holders);
        for (const model::Holder &holder : *holders) {
            for (const Dimension &label : labels) {
                if (label.kind != Dimension::NodeLabel)
                    out.m_holders.try_emplace({label, holder.id.value}, valueOf(holder, label));
            }
        }
    }
    if (needsNodes(labels)) {
        const auto nodes = facts->nodes();
        GPULEDGER_TRY(nodes);
        for (const model::Node &node : *nodes) {
            for (const Dimension &label : labels) {
                if (label.kind == Dimension::NodeLabel)
                    out.m_nodes.try_emplace({label, {node.cluster, node.name}}, valueIn(node.labels, label));
            }
        }
    }
    return out;
}

const std::string &LabelLookup::ofHolder(base::HolderId holder, const Dimension &dimension) const
{
    const auto it = m_holders.find({dimension, holder.value});
    return it != m_holders.end() ? it->second : kNone;
}

const std::string &LabelLookup::ofNode(const std::string &cluster, const std::string &node,
                                       const Dimension &dimension) const
{
    const auto it = m_nodes.find({dimension, {cluster, node}});
    return it != m_nodes.end() ? it->second : kNone;
}

Result<std::vector<LabelUse>> labelsInUse(store::FactReader &facts)
{
    std::map<Dimension, std::size_t> counts;
    const auto count = [&](Dimension::Kind kind, const model::Labels &labels) {
        for (const auto &entry : labels)
            ++counts[Dimension(kind, entry.first)];
    };
    const auto holders = allHolders(facts);
    GPULEDGER_TRY(holders);
    for (const model::Holder &holder : *holders) {
        count(Dimension::WorkloadLabel, holder.labels);
        count(Dimension::NamespaceLabel, holder.namespaceLabels);
    }
    const auto nodes = facts.nodes();
    GPULEDGER_TRY(nodes);
    for (const model::Node &node : *nodes)
        count(Dimension::NodeLabel, node.labels);
    std::vector<LabelUse> uses;
    for (const auto &[dimension, n] : counts) {
        const std::size_t all = dimension.kind == Dimension::NodeLabel ? nodes->size() : holders->size();
        uses.push_back({dimension, static_cast<double>(n) / static_cast<double>(all)});
    }
    std::sort(uses.begin(), uses.end(), [](const LabelUse &a, const LabelUse &b) {
        return std::tuple(a.dimension.kind, -a.share, std::string_view(a.dimension.label))
            < std::tuple(b.dimension.kind, -b.share, std::string_view(b.dimension.label));
    });
    return uses;
}

Result<std::vector<std::string>> labelValues(store::FactReader &facts, const Dimension &label)
{
    std::set<std::string> values;
    if (label.kind == Dimension::NodeLabel) {
        const auto nodes = facts.nodes();
        GPULEDGER_TRY(nodes);
        for (const model::Node &node : *nodes)
            values.insert(valueIn(node.labels, label));
    } else {
        const auto holders = allHolders(facts);
        GPULEDGER_TRY(holders);
        for (const model::Holder &holder : *holders)
            values.insert(valueOf(holder, label));
        values.insert(std::string()); // unallocated time
    }
    return std::vector<std::string>(values.begin(), values.end());
}

} // namespace gpuledger::insight
