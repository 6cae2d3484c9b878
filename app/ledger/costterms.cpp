// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/costterms.h"

#include "app/ledger/billitem.h"
#include "app/ledger/billmatch.h"
#include "app/ledger/nodeday.h"
#include "app/ledger/pricerules.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace gpuledger::ledger {

using base::Result;
using model::Recovery;

namespace {

using NodeIndex = std::map<std::pair<std::string, std::string>, const model::Node *>; // by cluster and name

constexpr std::string_view kEstimate = "list price estimate"; // begin of such a price's source

bool usesCommitment(const model::BillLine &line)
{
    return line.category == model::ChargeCategory::Usage
        && (line.pricing == model::PricingCategory::Committed || line.commitment.status == model::UseStatus::Used
            || line.capacityReservation == model::UseStatus::Used);
}

// Of the newest days with usage, as late lines may be missing of the last one.
Result<std::set<const model::Node *>> committedNodes(store::FactReader &facts, const PriceBook &prices,
                                                     const std::vector<NodeDay> &nodes, base::UtcTime at)
{
    std::set<const model::Node *> out;
    const BillMatch match(nodes);
    int billedDays = 0;
    const base::Day last = base::dayOf(at);
    for (base::Day day = last; day.number > last.number - kBillLookbackDays && billedDays < kBilledDays; --day.number) {
        bool usage = false;
        GPULEDGER_TRY(facts.billedOn(day, [&](const store::BilledItem &item) -> Result<void> {
            usage = usage || item.line->category == model::ChargeCategory::Usage;
            if (!usesCommitment(*item.line))
                return {};
            for (const std::size_t node : match.byId(describe(*item.line, prices)).nodes)
                out.insert(nodes[node].node);
            return {};
        }));
        billedDays += usage ? 1 : 0;
    }
    return out;
}

Recovery byPrice(const model::Device &device, const model::Node *node, base::UtcTime at, const PriceBook &prices,
                 const std::vector<model::OwnedMachine> &owned)
{
    if (node && std::any_of(owned.begin(), owned.end(), [&](const model::OwnedMachine &machine) {
            return hasLabels(*node, machine.nodeLabels);
        }))
        return Recovery::Never;
    const auto price = prices.priceOf(device, node, at);
    if (!price)
        return Recovery::Unknown;
    const bool rented = !price->source.starts_with(kEstimate) || (node && !node->cloud.empty());
    return rented ? Recovery::Now : Recovery::Unknown;
}

} // namespace

Result<model::CostTerms> costTermsOf(store::FactReader &facts, const PriceBook &prices,
                                     const std::vector<model::OwnedMachine> &owned,
                                     const std::vector<model::PlacedDevice> &placed, base::UtcTime at)
{
    const auto devices = facts.devices();
    GPULEDGER_TRY(devices);
    const auto records = facts.nodes();
    GPULEDGER_TRY(records);
    NodeIndex byName;
    for (const model::Node &node : *records)
        byName[{node.cluster, node.name}] = &node;
    std::map<base::DeviceId, const model::Device *> byId;
    for (const model::Device &device : *devices)
        byId[device.id] = &device;
    std::vector<NodeDay> machines; // all of them: a name that two have can't tell which is meant
    for (const auto &[name, node] : byName) {
        machines.emplace_back().node = node;
        machines.back().cluster = name.first;
    }
    const auto committed = committedNodes(facts, prices, machines, at);
    GPULEDGER_TRY(committed);
    model::CostTerms out;
    for (const model::PlacedDevice &one : placed) {
        const auto device = byId.find(one.device);
        if (device == byId.end())
            continue;
        const auto named = byName.find({device->second->cluster, one.node});
        const model::Node *node = named == byName.end() ? nullptr : named->second;
        const Recovery told = byPrice(*device->second, node, at, prices, owned);
        out[one.device] = told != Recovery::Never && node && committed->contains(node) ? Recovery::AtDate : told;
    }
    return out;
}

} // namespace gpuledger::ledger
