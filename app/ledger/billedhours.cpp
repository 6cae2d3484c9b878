// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/billedhours.h"

#include "app/base/gputime.h"
#include "app/base/money.h"
#include "app/base/text.h"

#include <algorithm>
#include <array>

namespace gpuledger::ledger {

namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kTicksOfDay = 86400 * base::GpuTime::kTicksPerSecond;
constexpr std::int64_t kRoundedHours = 50; // differences up to 1/50 are ignored

std::string meterOf(const store::BilledItem &billed)
{
    const model::BillLine &line = *billed.line;
    std::string meter;
    for (const std::string *part : {&billed.source, &line.product.publisher, &line.product.serviceName,
                                    &line.product.skuId, &line.product.skuMeter})
        meter += *part + '\n';
    return meter;
}

bool namesGpus(const model::BillLine &line)
{
    return lowerCase(line.product.skuMeter).find(" gpu") != std::string::npos
        || lowerCase(line.description).find(" gpu") != std::string::npos;
}

std::int64_t gpusOf(const BillItem &item) // of a machine; 0: unknown
{
    return item.gpus > 0 ? item.gpus : item.machine && item.machine->wholeGpus ? item.machine->devices : 0;
}

std::int64_t devicesOf(const NodeDay &node)
{
    return std::max<std::int64_t>(std::ssize(node.devices), 1);
}

// The time of the device that was seen longest: one that was replaced within the day makes the machine's day no
// shorter.
std::int64_t seenOf(const NodeDay &node)
{
    std::int64_t most = 0;
    for (const auto &[device, ticks] : node.devices)
        most = std::max(most, ticks);
    return most;
}

// The time of a line in ticks of a machine. Google Cloud bills processors, memory and GPUs apart, in hours of each. Of
// a line that names no type only the larger clouds certainly count machines.
std::optional<std::int64_t> machineTicksOf(const store::BilledItem &billed, const BillItem &item, std::int64_t devices)
{
    if (!billed.quantity || *billed.quantity <= 0 || item.secondsPerUnit == 0)
        return std::nullopt;
    const Wide wide =
        static_cast<Wide>(*billed.quantity) * item.secondsPerUnit * base::GpuTime::kTicksPerSecond / 1'000'000;
    if (wide >= Wide{1} << 50) // a sum of thousands of lines still fits
        return std::nullopt;
    const auto ticks = static_cast<std::int64_t>(wide);
    if (item.cloud == "gcp") // allowed: a cloud
        return namesGpus(*billed.line) ? std::optional(ticks / devices) : std::nullopt;
    if (item.gpus == 1 && !item.machine)
        return ticks / devices; // hours of GPUs
    const bool isWhole = item.cloud == "aws" || item.cloud == "azure"; // allowed: clouds
    return item.machine || item.gpus > 1 || devices == 1 || isWhole ? std::optional(ticks) : std::nullopt;
}

} // namespace

void BilledHours::add(const store::BilledItem &billed, const BillItem &item, const BillMatch::Found &found)
{
    const auto [set, isNew] = m_hours.try_emplace(found.nodes);
    if (isNew) {
        for (const std::size_t node : found.nodes)
            ++m_sets[node];
    }
    const auto ticks = machineTicksOf(billed, item, devicesOf(m_nodes[found.nodes.front()]));
    if (!ticks)
        return;
    std::int64_t &sum = set->second[meterOf(billed)];
    sum = std::min(sum + *ticks, std::int64_t{1} << 60);
}

const BilledHours::Meters::value_type *BilledHours::longest(const std::vector<std::size_t> &nodes) const
{
    const auto set = m_hours.find(nodes);
    if (set == m_hours.end())
        return nullptr;
    const Meters::value_type *best = nullptr;
    for (const auto &meter : set->second) {
        const bool isPossible = nodes.size() > 1 || meter.second <= kTicksOfDay + kTicksOfDay / kRoundedHours;
        if (isPossible && (!best || meter.second > best->second))
            best = &meter;
    }
    return best;
}

std::optional<BilledHours::Split> BilledHours::splitOf(const std::vector<std::size_t> &nodes) const
{
    const auto *paid = longest(nodes);
    if (!paid)
        return std::nullopt;
    std::int64_t seen = 0;
    for (const std::size_t node : nodes) {
        if (m_sets.at(node) > 1) // billed alone and as part of a group
            return std::nullopt;
        seen += seenOf(m_nodes[node]);
    }
    if (seen <= 0 || paid->second <= seen + seen / kRoundedHours)
        return std::nullopt;
    return Split{seen, paid->second - seen};
}

std::int64_t BilledHours::restOf(const store::BilledItem &billed, const BillItem &item,
                                 const std::vector<std::size_t> &nodes, const Split &split) const
{
    const auto *paid = longest(nodes);
    const NodeDay &node = m_nodes[nodes.front()];
    const auto ticks = machineTicksOf(billed, item, devicesOf(node));
    if (!paid || !ticks || meterOf(billed) != paid->first)
        return 0;
    const std::array<std::int64_t, 2> weights{split.seen, split.rest};
    const std::int64_t gpus = gpusOf(item);
    const bool isWhole = item.machine || gpus > 1; // else its unit may be one GPU of several
    return base::allocateInteger(*ticks, weights)[1] * (isWhole && gpus > 0 ? gpus : devicesOf(node));
}

} // namespace gpuledger::ledger
