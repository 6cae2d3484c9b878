// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/prices/ownedhardware.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "app/ledger/prices/gpucatalog.h"
#include "app/ledger/prices/pricerules.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace gpuledger::services {

using base::Money;
using base::Result;

namespace {

constexpr std::int64_t kNanosOfMilli = 1'000'000, kNanosOfMicro = 1000;
constexpr int kMonthsOfYear = 12;

// 1e-9 of a number; std::nullopt: not set.
Result<std::optional<std::int64_t>> nanosOf(const std::string &text)
{
    if (text.empty())
        return std::optional<std::int64_t>();
    const auto amount = Money::parse(text, base::Currency::usd());
    if (!amount || amount->nanos() < 0)
        return base::fail(base::ErrorCode::InvalidConfig,
                          "owned machines: \"" + base::printable(text, 64) + "\" is not an amount",
                          base::Remedy::WriteQuotedAmount);
    return std::optional(amount->nanos());
}

std::optional<Money> usdOf(const std::optional<std::int64_t> &nanos)
{
    return nanos ? std::optional(Money(*nanos, base::Currency::usd())) : std::nullopt;
}

// Only used hours cost, and nothing takes it away.
bool isComparable(const savings::RentOffer &offer)
{
    return !offer.isPaidForAllHours() && offer.purchase != savings::PurchaseOption::Spot;
}

Result<savings::Crossover> ownedCrossover(const savings::Ownership &own, const std::string &gpuModel,
                                          const savings::QuoteList &list)
{
    savings::CrossoverQuestion question;
    question.own = own;
    if (!gpuModel.empty()) {
        const ListedRents rents = listedRents(list, gpuModel, base::Currency::usd());
        const savings::RentOffer *cheapest = nullptr;
        for (const savings::RentOffer &one : rents.offers) {
            if (isComparable(one) && (!cheapest || one.perGpuHour.nanos() < cheapest->perGpuHour.nanos()))
                cheapest = &one;
        }
        if (cheapest)
            question.rents.push_back(*cheapest);
    }
    return savings::crossover(question);
}

} // namespace

Result<savings::Ownership> ownershipOf(const model::OwnedMachine &machine)
{
    const auto price = nanosOf(machine.price), residual = nanosOf(machine.residual), power = nanosOf(machine.powerW);
    const auto pue = nanosOf(machine.pue), kwh = nanosOf(machine.usdPerKwh);
    const auto operation = nanosOf(machine.operationPerYear);
    GPULEDGER_TRY(price);
    GPULEDGER_TRY(residual);
    GPULEDGER_TRY(power);
    GPULEDGER_TRY(pue);
    GPULEDGER_TRY(kwh);
    GPULEDGER_TRY(operation);
    savings::Ownership own;
    own.price = usdOf(*price);
    own.residual = usdOf(residual->value_or(0));
    own.lifeMonths = machine.years * kMonthsOfYear;
    if (*power)
        own.loadMilliwatts = own.restMilliwatts = **power / kNanosOfMilli;
    if (*pue)
        own.microPue = **pue / kNanosOfMicro;
    own.perKwh = usdOf(*kwh);
    own.hostingPerMonth = usdOf((operation->value_or(0) + kMonthsOfYear / 2) / kMonthsOfYear);
    own.staffPerMonth = usdOf(0);
    return own;
}

std::string labelText(const model::Labels &labels)
{
    std::string text;
    for (const auto &[key, value] : labels)
        text += (text.empty() ? "" : ",") + key + '=' + value;
    return text;
}

std::vector<OwnedModels> ownedModels(const std::vector<model::OwnedMachine> &machines,
                                     std::span<const model::Node> nodes, std::span<const model::Device> devices,
                                     std::span<const store::Placement> placements, const ledger::GpuCatalog &catalog)
{
    std::map<base::NodeId, std::vector<std::size_t>> entriesOf; // of the nodes that have any
    for (const model::Node &node : nodes) {
        for (std::size_t i = 0; i < machines.size(); ++i) {
            if (!machines[i].nodeLabels.empty() && ledger::hasLabels(node, machines[i].nodeLabels))
                entriesOf[node.id].push_back(i);
        }
    }
    std::map<base::DeviceId, const model::Device *> byId;
    for (const model::Device &device : devices)
        byId.emplace(device.id, &device);
    std::vector<OwnedModels> out(machines.size());
    for (const store::Placement &one : placements) {
        const auto entries = entriesOf.find(one.node);
        const auto device = byId.find(one.device);
        if (entries == entriesOf.end() || device == byId.end())
            continue;
        const ledger::GpuFacts *facts = catalog.find(device->second->model);
        for (const std::size_t entry : entries->second)
            out[entry].insert(facts ? facts->model : std::string());
    }
    return out;
}

ListedRents listedRents(savings::QuoteList list, const std::string &gpuModel, base::Currency currency)
{
    savings::QuoteFilter filter;
    filter.gpuModel = gpuModel;
    savings::compareQuotes(list, filter); // the cheapest first
    ListedRents out;
    std::set<savings::PurchaseOption> known;
    for (const savings::PriceQuote &quote : list.quotes) {
        const auto price = quote.source == savings::kOwnBills ? std::nullopt : perGpuHour(quote);
        out.isAnyListed = out.isAnyListed || quote.source != savings::kOwnBills;
        if (!price || price->nanos() <= 0)
            continue;
        if (price->currency() != currency)
            out.isOtherCurrency = true;
        else if (known.insert(quote.purchase).second)
            out.offers.push_back({quote.purchase, *price,
                                  quote.source + ": " + quote.provider + ' ' + quote.machine
                                      + (quote.region.empty() ? "" : ' ' + quote.region)});
    }
    return out;
}

std::vector<OwnedCost> ownedCosts(const std::vector<model::OwnedMachine> &machines,
                                  const std::vector<OwnedModels> &models, const savings::QuoteList &list)
{
    std::vector<OwnedCost> out;
    for (std::size_t i = 0; i < machines.size(); ++i) {
        OwnedCost &one = out.emplace_back();
        one.labels = labelText(machines[i].nodeLabels);
        if (i < models.size())
            one.models = models[i];
        const auto own = ownershipOf(machines[i]);
        if (!own) {
            one.error = own.error();
            continue;
        }
        one.missing = missingOf(*own);
        if (auto result = ownedCrossover(*own, one.gpuModel(), list))
            one.result = std::move(*result);
        else
            one.error = result.error();
    }
    return out;
}

} // namespace gpuledger::services
