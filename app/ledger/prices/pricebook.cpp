// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/prices/pricebook.h"

#include "app/base/text/text.h"
#include "app/ledger/prices/csvtable.h"
#include "app/model/fleet/listedmachine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

namespace gpuledger::ledger {

namespace {

using base::ErrorCode;
using base::Money;
using Price = PriceBook::Price;

std::optional<Price> inReportCurrency(const ExchangeRates &rates, const Money &perGpuHour, std::string source,
                                      std::optional<base::UtcTime> asOf, base::UtcTime at)
{
    const auto converted = rates.convert(perGpuHour, at);
    if (!converted)
        return std::nullopt;
    if (!converted->note.empty())
        source += "; " + converted->note;
    return Price{base::Rate{converted->amount.nanos(), rates.reportCurrency()}, std::move(source), asOf};
}

std::string dateOf(const std::optional<base::UtcTime> &asOf, const std::optional<base::UtcTime> &checked)
{
    if (asOf)
        return base::toRfc3339(*asOf).substr(0, 10);
    return checked ? "as read " + base::toRfc3339(*checked).substr(0, 10) : "undated";
}

// std::nullopt if the cell is empty.
base::Result<std::optional<base::UtcTime>> listDate(const std::string &type, const std::string &text)
{
    if (text.empty())
        return std::optional<base::UtcTime>();
    const auto date = base::parseTime(text);
    if (!date)
        return base::fail(ErrorCode::Parse, "price list, \"" + type + "\": " + date.error().text);
    return std::optional(*date);
}

// Number of devices that the machine exposes, from "8" or "0.25"; a fraction of a GPU is one device.
std::optional<std::pair<std::int64_t, bool>> deviceCount(const std::string &text)
{
    if (const auto whole = base::parseInt(text); whole && *whole > 0 && *whole <= 1024)
        return std::pair{*whole, true};
    const auto part = base::parseDouble(text);
    if (part && *part > 0 && *part < 1)
        return std::pair{std::int64_t{1}, false};
    return std::nullopt;
}

// In thousandths; if the list lacks a figure there is no shape.
MachineShape shapeOf(const std::string &gpus, const std::string &vcpus, const std::string &memoryGib)
{
    const auto thousandths = [](const std::string &text) -> std::int64_t {
        const auto value = base::parseDouble(text);
        return value && *value > 0 && *value < 1'000'000 ? std::llround(*value * 1000) : 0;
    };
    const MachineShape shape{thousandths(gpus), thousandths(vcpus), thousandths(memoryGib)};
    return shape.isKnown() ? shape : MachineShape();
}

} // namespace

base::Result<PriceBook> PriceBook::create(const model::PriceSettings &settings, base::Currency reportCurrency,
                                          std::string_view instancesCsv, const GpuCatalog &catalog)
{
    PriceBook book;
    book.m_catalog = catalog;
    auto rates = ExchangeRates::create(settings.exchangeRates, reportCurrency);
    if (!rates)
        return base::fail(rates.error());
    auto overrides = overrideRules(settings.overrides);
    if (!overrides)
        return base::fail(overrides.error());
    auto owned = ownedRules(settings.owned);
    if (!owned)
        return base::fail(owned.error());
    book.m_rates = std::move(*rates);
    book.m_overrides = std::move(*overrides);
    book.m_owned = std::move(*owned);
    GPULEDGER_TRY(book.addListed(instancesCsv));
    book.m_boundaries = book.m_rates.dates();
    for (const auto &[type, entry] : book.m_listed) {
        if (entry.asOf)
            book.m_boundaries.push_back(*entry.asOf);
    }
    std::sort(book.m_boundaries.begin(), book.m_boundaries.end());
    book.m_boundaries.erase(std::unique(book.m_boundaries.begin(), book.m_boundaries.end()), book.m_boundaries.end());
    return book;
}

const PriceBook::Machine *PriceBook::machine(std::string_view instanceType) const
{
    const auto found = m_machines.find(lowerCase(instanceType));
    return found == m_machines.end() ? nullptr : &found->second;
}

std::vector<PriceBook::Offer> PriceBook::offers(const std::string &cloud, const std::string &region,
                                                const std::string &cluster, base::UtcTime at) const
{
    std::vector<Offer> out;
    for (const auto &[type, machine] : m_machines) {
        // A name with a space is no machine, but the price of one of its GPUs.
        if (machine.cloud != cloud || !machine.wholeGpus || machine.instanceType.find(' ') != std::string::npos)
            continue;
        model::Node node;
        node.cloud = cloud;
        node.region = region;
        node.instanceType = machine.instanceType;
        model::Device device;
        device.cluster = cluster;
        device.model = machine.gpuModel;
        const auto verdict = overridden(device, &node, at);
        const auto price = verdict ? *verdict : listed(node, at);
        std::int64_t whole = 0;
        if (price && !__builtin_mul_overflow(price->perGpuHour.nanosPerHour(), machine.devices, &whole))
            out.push_back({&machine, base::Rate{whole, price->perGpuHour.currency()}, price->source,
                           verdict ? Region::Own : regionOf(*bestListed(node, at), node)});
    }
    return out;
}

base::Result<void> PriceBook::addListed(std::string_view csv)
{
    const auto table = CsvTable::parse(csv);
    if (!table)
        return base::fail(table.error());
    constexpr std::array<std::string_view, 10> kNames{"cloud",      "instance_type",   "gpu_model", "gpu_count",
                                                      "region",     "on_demand_usd_h", "as_of",     "vcpus",
                                                      "memory_gib", "checked"};
    std::array<std::size_t, kNames.size()> position{};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        const auto column = table->column(kNames[i]);
        if (!column)
            return base::fail(column.error());
        position[i] = *column;
    }
    for (const auto &row : table->rows()) {
        const auto field = [&](std::size_t i) -> const std::string & { return row[position[i]]; };
        Listed entry{field(0), field(1), field(2), field(4), {},
                     1,        true,     {},       {},       shapeOf(field(3), field(7), field(8))};
        const auto count = deviceCount(field(3));
        const auto price = Money::parse(field(5), base::Currency::usd());
        const bool hasPrice = !field(5).empty(); // without: the machine is known, its price is not
        if (entry.instanceType.empty() || !count || (hasPrice && (!price || price->nanos() <= 0)))
            return base::fail(ErrorCode::Parse,
                              "price list, \"" + field(1) + "\": a GPU count is required, and a price or none");
        std::tie(entry.devices, entry.wholeGpus) = *count;
        const auto asOf = listDate(field(1), field(6)), checked = listDate(field(1), field(9));
        GPULEDGER_TRY(asOf);
        GPULEDGER_TRY(checked);
        if (hasPrice && !*asOf && !*checked)
            return base::fail(ErrorCode::Parse,
                              "price list, \"" + field(1)
                                  + "\": a price needs its date (as_of), or that on which its list was read (checked)");
        entry.asOf = *asOf;
        entry.checked = *checked;
        m_machines.try_emplace(lowerCase(entry.instanceType),
                               Machine{entry.instanceType, entry.cloud, modelName(entry.gpuModel), entry.devices,
                                       entry.wholeGpus, entry.shape});
        if (!hasPrice)
            continue;
        entry.perHour = *price;
        if (entry.wholeGpus)
            m_byModel.emplace(modelName(entry.gpuModel), entry);
        m_listed.emplace(entry.instanceType, std::move(entry));
    }
    return {};
}

std::string PriceBook::modelName(std::string_view exporterModel) const
{
    const GpuFacts *facts = m_catalog.find(exporterModel);
    return facts != nullptr ? facts->model : GpuCatalog::folded(exporterModel);
}

std::optional<base::Money> PriceBook::converted(const base::Money &amount, base::UtcTime at) const
{
    const auto money = m_rates.convert(amount, at);
    return money ? std::optional(money->amount) : std::nullopt;
}

std::optional<Price> PriceBook::priceOf(const model::Device &device, const model::Node *node, base::UtcTime at) const
{
    if (auto verdict = overridden(device, node, at))
        return *verdict;
    if (node != nullptr) {
        if (auto verdict = owned(*node, at))
            return *verdict;
        if (auto price = ofMachine(*node, at))
            return price;
        if (auto price = listed(*node, at))
            return price;
    }
    return estimated(device, node, at);
}

PriceBook::Verdict PriceBook::overridden(const model::Device &device, const model::Node *node, base::UtcTime at) const
{
    for (const OverrideRule &rule : m_overrides) {
        const model::PriceOverride &m = rule.match;
        const bool needsNode = !m.nodeLabels.empty() || !m.instanceType.empty() || !m.region.empty();
        if ((needsNode && node == nullptr) || (!m.cluster.empty() && m.cluster != device.cluster)
            || (!m.gpuModel.empty() && modelName(m.gpuModel) != modelName(device.model)))
            continue;
        if (needsNode
            && (!hasLabels(*node, m.nodeLabels) || (!m.instanceType.empty() && m.instanceType != node->instanceType)
                || (!m.region.empty() && m.region != node->region)))
            continue;
        Money perGpu = rule.perGpuHour;
        if (rule.wholeInstance) {
            const auto devices = node != nullptr ? devicesOf(device, *node) : std::nullopt;
            if (!devices)
                return std::optional<Price>();
            perGpu = dividedBy(rule.perHour, *devices);
        }
        return inReportCurrency(m_rates, perGpu, rule.source, std::nullopt, at);
    }
    return std::nullopt;
}

// How many devices share the price of the machine: from the list, else from the node's own record if it counts devices
// rather than replicas or slices.
std::optional<std::int64_t> PriceBook::devicesOf(const model::Device &device, const model::Node &node) const
{
    if (const Machine *known = machine(node.instanceType))
        return known->devices;
    if (!device.slices.empty())
        return std::nullopt;
    if (!node.sharedGpus)
        return node.gpuCapacity > 0 ? std::optional(node.gpuCapacity) : std::nullopt;
    const auto label = node.labels.find("nvidia_com_gpu_count");
    const auto count = label != node.labels.end() ? base::parseInt(label->second) : std::nullopt;
    return count && *count > 0 ? count : std::nullopt;
}

PriceBook::Verdict PriceBook::owned(const model::Node &node, base::UtcTime at) const
{
    for (const OwnedRule &rule : m_owned) {
        if (hasLabels(node, rule.nodeLabels))
            return inReportCurrency(m_rates, rule.perGpuHour, rule.source, std::nullopt, at);
    }
    return std::nullopt;
}

std::optional<Price> PriceBook::ofMachine(const model::Node &node, base::UtcTime at) const
{
    const auto label = node.labels.find(model::kGpuHourPriceLabel);
    if (label == node.labels.end())
        return std::nullopt;
    const std::string_view text = label->second;
    const std::size_t blank = std::min(text.find(' '), text.size());
    const auto currency = base::Currency::parse(text.substr(std::min(blank + 1, text.size())));
    const auto perGpuHour = currency ? Money::parse(text.substr(0, blank), *currency) : base::Result<Money>(Money());
    if (!perGpuHour || perGpuHour->nanos() <= 0)
        return std::nullopt;
    return inReportCurrency(m_rates, *perGpuHour,
                            "price of the machine in the list of " + base::printable(node.cloud, 64), std::nullopt, at);
}

// Its own region before others, then the latest date not after `at`, then the earliest after it, then in list order.
const PriceBook::Listed *PriceBook::bestListed(const model::Node &node, base::UtcTime at) const
{
    const auto rank = [&](const Listed &l) {
        const bool past = l.asOf && *l.asOf <= at;
        const std::int64_t date = l.asOf ? base::toUnix(*l.asOf) : 0;
        return std::make_tuple(l.region == node.region, past, past ? date : -date);
    };
    const Listed *best = nullptr;
    const auto [begin, end] = m_listed.equal_range(node.instanceType);
    for (auto it = begin; it != end; ++it) {
        const Listed &l = it->second;
        if (!node.cloud.empty() && node.cloud != l.cloud)
            continue;
        if (best == nullptr || rank(l) > rank(*best))
            best = &l;
    }
    return best;
}

PriceBook::Region PriceBook::regionOf(const Listed &row, const model::Node &node)
{
    if (node.region.empty())
        return Region::Unknown;
    return row.region == node.region ? Region::Own : Region::Other;
}

std::optional<Price> PriceBook::listed(const model::Node &node, base::UtcTime at) const
{
    const Listed *best = node.instanceType.empty() ? nullptr : bestListed(node, at);
    if (best == nullptr)
        return std::nullopt;
    std::string source =
        "price book " + dateOf(best->asOf, best->checked) + ": " + best->cloud + ' ' + best->instanceType;
    if (!best->region.empty())
        source += ' ' + best->region;
    const Region region = regionOf(*best, node);
    if (region == Region::Unknown)
        source += " (the node's region is unknown)";
    else if (region == Region::Other)
        source += " (the node is in " + base::printable(node.region, 64) + ')';
    return inReportCurrency(m_rates, dividedBy(best->perHour, best->devices), std::move(source), best->asOf, at);
}

std::optional<Price> PriceBook::estimated(const model::Device &device, const model::Node *node, base::UtcTime at) const
{
    const GpuFacts *facts = m_catalog.find(device.model);
    if (facts == nullptr)
        return std::nullopt;
    const auto [begin, end] = m_byModel.equal_range(facts->model);
    const auto selected = [begin = begin, end = end](std::string_view cloud, bool dated) {
        std::vector<const Listed *> rows;
        for (auto it = begin; it != end; ++it) {
            if ((cloud.empty() || it->second.cloud == cloud) && it->second.asOf.has_value() == dated)
                rows.push_back(&it->second);
        }
        return rows;
    };
    std::string cloud = node != nullptr ? node->cloud : std::string();
    std::vector<const Listed *> rows = selected(cloud, true);
    if (rows.empty())
        rows = selected(cloud, false);
    if (rows.empty() && !std::exchange(cloud, {}).empty())
        rows = selected({}, true);
    if (rows.empty())
        rows = selected({}, false);
    if (rows.empty())
        return std::nullopt;
    std::vector<std::int64_t> nanos;
    std::optional<base::UtcTime> oldest = rows.front()->asOf, checked = rows.front()->checked;
    for (const Listed *row : rows) {
        nanos.push_back(dividedBy(row->perHour, row->devices).nanos());
        oldest = std::min(oldest, row->asOf);
        checked = std::min(checked, row->checked);
    }
    std::sort(nanos.begin(), nanos.end());
    const std::size_t middle = nanos.size() / 2;
    const Money median = nanos.size() % 2 == 1
        ? Money{nanos[middle], base::Currency::usd()}
        : dividedBy(Money{nanos[middle - 1] + nanos[middle], base::Currency::usd()}, 2);
    std::string source = "list price estimate (median of " + std::to_string(nanos.size())
        + (nanos.size() == 1 ? " instance type" : " instance types") + (cloud.empty() ? "" : " of " + cloud) + ", "
        + dateOf(oldest, checked) + ')';
    return inReportCurrency(m_rates, median, std::move(source), oldest, at);
}

} // namespace gpuledger::ledger
