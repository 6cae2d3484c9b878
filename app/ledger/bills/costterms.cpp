// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/bills/costterms.h"

#include "app/ledger/bills/billitem.h"
#include "app/ledger/bills/billmatch.h"
#include "app/ledger/bills/nodeday.h"
#include "app/ledger/prices/pricerules.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace gpuledger::ledger {

using base::Result;
using model::Recovery;

namespace {

using NodeIndex = std::map<std::pair<std::string_view, std::string_view>, const model::Node *>; // by cluster and name

constexpr std::string_view kEstimate = "list price estimate"; // prefix of such a price's source

bool usesCommitment(const model::BillLine &line)
{
    return line.category == model::ChargeCategory::Usage
        && (line.pricing == model::PricingCategory::Committed || line.commitment.status == model::UseStatus::Used
            || line.capacityReservation == model::UseStatus::Used);
}

// All machines, because a name shared by two is ambiguous.
std::vector<NodeDay> machinesOf(const NodeIndex &byName)
{
    std::vector<NodeDay> machines;
    machines.reserve(byName.size());
    for (const auto &[name, node] : byName) {
        machines.emplace_back().node = node;
        machines.back().cluster = name.first;
    }
    return machines;
}

// Looks at the newest days with usage, because bill lines of the last day may still be missing.
Result<std::set<const model::Node *>> committedNodes(store::FactReader &facts, const PriceBook &prices,
                                                     const NodeIndex &byName, base::UtcTime at)
{
    std::set<const model::Node *> out;
    std::vector<NodeDay> machines;
    std::optional<BillMatch> match; // once a line needs it
    int billedDays = 0;
    const base::Day last = base::dayOf(at);
    for (base::Day day = last; day.number > last.number - kBillLookbackDays && billedDays < kBilledDays; --day.number) {
        bool usage = false;
        GPULEDGER_TRY(facts.billedOn(day, [&](const store::BilledItem &item) -> Result<void> {
            usage = usage || item.line->category == model::ChargeCategory::Usage;
            if (!usesCommitment(*item.line))
                return {};
            if (!match) {
                machines = machinesOf(byName);
                match.emplace(machines);
            }
            for (const std::size_t node : match->byId(describe(*item.line, prices)).nodes)
                out.insert(machines[node].node);
            return {};
        }));
        billedDays += usage ? 1 : 0;
    }
    return out;
}

bool isOwned(const model::Node &node, const std::vector<model::OwnedMachine> &owned)
{
    return std::any_of(owned.begin(), owned.end(),
                       [&](const model::OwnedMachine &machine) { return hasLabels(node, machine.nodeLabels); });
}

// For devices whose machine belongs to no known cloud. Prices may depend on the labels of a machine.
Result<void> addByPrice(store::FactReader &facts, const PriceBook &prices, base::UtcTime at,
                        const std::map<base::DeviceId, base::NodeId> &open, model::CostTerms &out)
{
    if (open.empty())
        return {};
    std::map<base::NodeId, const model::Node *> byId;
    const auto records = facts.nodes();
    GPULEDGER_TRY(records);
    for (const model::Node &node : *records)
        byId.emplace(node.id, &node);
    const auto devices = facts.devices();
    GPULEDGER_TRY(devices);
    for (const model::Device &device : *devices) {
        const auto asked = open.find(device.id);
        if (asked == open.end())
            continue;
        const auto node = byId.find(asked->second);
        const auto price = prices.priceOf(device, node == byId.end() ? nullptr : node->second, at);
        out[device.id] = price && !price->source.starts_with(kEstimate) ? Recovery::Now : Recovery::Unknown;
    }
    return {};
}

} // namespace

Result<model::CostTerms> costTermsOf(store::FactReader &facts, const PriceBook &prices,
                                     const std::vector<model::OwnedMachine> &owned,
                                     const std::vector<model::PlacedDevice> &placed, base::UtcTime at)
{
    const auto records = owned.empty() ? facts.nodesWithoutLabels() : facts.nodes();
    GPULEDGER_TRY(records);
    NodeIndex byName;
    for (const model::Node &node : *records)
        byName[{node.cluster, node.name}] = &node;
    const auto committed = committedNodes(facts, prices, byName, at);
    GPULEDGER_TRY(committed);
    model::CostTerms out;
    std::map<base::DeviceId, base::NodeId> open; // node 0: not known
    for (const model::PlacedDevice &one : placed) {
        const auto named = byName.find({one.cluster, one.node});
        const model::Node *node = named == byName.end() ? nullptr : named->second;
        if (node && isOwned(*node, owned))
            out[one.device] = Recovery::Never;
        else if (node && committed->contains(node))
            out[one.device] = Recovery::AtDate;
        else if (node && !node->cloud.empty())
            out[one.device] = Recovery::Now;
        else
            open[one.device] = node ? node->id : base::NodeId{};
    }
    GPULEDGER_TRY(addByPrice(facts, prices, at, open, out));
    return out;
}

} // namespace gpuledger::ledger
