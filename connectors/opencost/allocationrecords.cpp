// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/opencost/allocationrecords.h"

#include "app/base/money/decimal.h"
#include "app/base/text/text.h"

#include <algorithm>
#include <array>

namespace gpuledger::opencost {

namespace {

using format::RecordValues;
using Amount = std::optional<std::int64_t>;
__extension__ using Wide = __int128;

constexpr std::int64_t kNanos = base::Money::kNanosPerUnit;
constexpr base::Seconds kWindowSlack{60}; // a server may end a window a second early

enum Asset : std::size_t {
    Type,
    Category,
    Cluster,
    Name,
    ProviderId,
    Provider,
    NodeType,
    Minutes,
    GpuCount,
    GpuHours,
    CpuCost,
    RamCost,
    GpuCost,
    Adjustment,
    Total,
    Preemptible,
    WindowStart,
    WindowEnd,
    AssetMembers
};

constexpr std::array<std::string_view, AssetMembers> kAsset{"type",
                                                            "properties.category",
                                                            "properties.cluster",
                                                            "properties.name",
                                                            "properties.providerID",
                                                            "properties.provider",
                                                            "nodeType",
                                                            "minutes",
                                                            "gpuCount",
                                                            "GPUHours",
                                                            "cpuCost",
                                                            "ramCost",
                                                            "gpuCost",
                                                            "adjustment",
                                                            "totalCost",
                                                            "preemptible",
                                                            "window.start",
                                                            "window.end"};

enum Allocation : std::size_t {
    OfCluster,
    OfNode,
    AllocationGpuHours,
    AllocationGpuCost,
    AllocationGpuAdjustment,
    AllocationTotal,
    UseAverage, // until late 2024
    DeviceUse, // since then
    OldDeviceUse, // an earlier spelling
    StartOfWindow,
    EndOfWindow,
    AllocationMembers
};

constexpr std::array<std::string_view, AllocationMembers> kAllocation{"properties.cluster",
                                                                      "properties.node",
                                                                      "gpuHours",
                                                                      "gpuCost",
                                                                      "gpuCostAdjustment",
                                                                      "totalCost",
                                                                      "gpuUsageAverage",
                                                                      "gpuAllocation.gpuUsageAverage",
                                                                      "GPUAllocation.gpuUsageAverage",
                                                                      "window.start",
                                                                      "window.end"};

std::string textOf(const std::optional<std::string> &value)
{
    return value.value_or(std::string());
}

bool equalsIgnoringCase(std::string_view a, std::string_view b)
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

bool fits(const std::optional<std::string> &name)
{
    return !name || name->size() <= AllocationRecords::kLongestName;
}

// If either part is unknown or the sum does not fit, the result is unknown.
void add(Amount &sum, const Amount &part)
{
    if (!sum || !part || __builtin_add_overflow(*sum, *part, &*sum))
        sum.reset();
}

// A missing adjustment counts as none: older servers have no such member.
Amount withAdjustment(Amount cost, const std::optional<std::string> &adjustment)
{
    if (adjustment)
        add(cost, scaled(adjustment, kNanos));
    return cost;
}

bool isIdle(std::string_view name)
{
    constexpr std::string_view kIdle = "__idle__";
    return name == kIdle || name.ends_with("/__idle__") || name.starts_with("__idle__/");
}

} // namespace

Amount scaled(const std::optional<std::string> &text, std::int64_t factor)
{
    if (!text)
        return std::nullopt;
    const auto number = base::Decimal::parse(*text);
    if (!number)
        return std::nullopt;
    const auto nanos = number->toMoney(base::Currency());
    if (!nanos)
        return std::nullopt;
    const Wide whole = static_cast<Wide>(nanos->nanos()) * factor;
    const Wide half = whole < 0 ? -(kNanos / 2) : kNanos / 2;
    const Wide result = (whole + half) / kNanos;
    constexpr Wide kFits = std::int64_t{1} << 62;
    return result > -kFits && result < kFits ? Amount(static_cast<std::int64_t>(result)) : std::nullopt;
}

std::span<const std::string_view> AllocationRecords::assetMembers()
{
    return kAsset;
}

std::span<const std::string_view> AllocationRecords::allocationMembers()
{
    return kAllocation;
}

bool AllocationRecords::isForeign(const std::optional<std::string> &start, const std::optional<std::string> &end)
{
    const auto from = start ? base::parseTime(*start) : base::Result<base::UtcTime>(m_day.start());
    const auto to = end ? base::parseTime(*end) : base::Result<base::UtcTime>(m_day.end());
    if (!from || !to) // an unreadable window is ignored
        return false;
    if (*from >= m_day.start() - kWindowSlack && *to <= m_day.end() + kWindowSlack)
        return false;
    m_foreignWindow = base::toRfc3339(*from) + " to " + base::toRfc3339(*to);
    return true;
}

bool AllocationRecords::addAsset(const RecordValues &values)
{
    const std::string type = textOf(values[Type]);
    const bool isNode =
        equalsIgnoringCase(type, "Node") || (type.empty() && equalsIgnoringCase(textOf(values[Category]), "Compute"));
    if (!isNode || isForeign(values[WindowStart], values[WindowEnd]))
        return true;
    if (textOf(values[Name]).empty() || !fits(values[Name]) || !fits(values[Cluster]) || !fits(values[ProviderId])
        || !fits(values[Provider]) || !fits(values[NodeType])) {
        ++m_rejected;
        return true;
    }
    model::AllocatedNode node;
    node.cluster = textOf(values[Cluster]);
    node.name = *values[Name];
    node.providerId = textOf(values[ProviderId]);
    node.provider = textOf(values[Provider]);
    node.instanceType = textOf(values[NodeType]);
    node.seconds = scaled(values[Minutes], 60);
    node.gpuMillis = scaled(values[GpuCount], 1000);
    node.gpuSeconds = scaled(values[GpuHours], 3600);
    node.cpuCost = scaled(values[CpuCost], kNanos);
    node.ramCost = scaled(values[RamCost], kNanos);
    node.gpuCost = scaled(values[GpuCost], kNanos);
    node.adjustment = scaled(values[Adjustment], kNanos);
    node.total = scaled(values[Total], kNanos);
    node.spot = scaled(values[Preemptible], 1).value_or(0) > 0;
    for (Amount *time : {&node.seconds, &node.gpuMillis, &node.gpuSeconds}) {
        if (*time && **time < 0) // not a valid time
            time->reset();
    }
    const auto key = std::tuple(node.cluster, node.name, node.providerId);
    if (!m_nodes.emplace(key, std::move(node)).second) {
        ++m_rejected; // reported twice: there is no way to tell which one is right
        return true;
    }
    ++m_accepted;
    return m_nodes.size() <= kMostNodes;
}

void AllocationRecords::addIdle(const RecordValues &values)
{
    const Place place{textOf(values[OfCluster]), textOf(values[OfNode])};
    const Amount gpu = withAdjustment(scaled(values[AllocationGpuCost], kNanos), values[AllocationGpuAdjustment]);
    const Amount total = scaled(values[AllocationTotal], kNanos), seconds = scaled(values[AllocationGpuHours], 3600);
    const auto [it, isNew] =
        m_idle.try_emplace(place, model::AllocatedIdle{place.first, place.second, total, gpu, seconds});
    if (isNew)
        return;
    add(it->second.total, total);
    add(it->second.gpuCost, gpu);
    add(it->second.gpuSeconds, seconds);
}

bool AllocationRecords::addAllocation(std::string_view name, const RecordValues &values)
{
    if (isForeign(values[StartOfWindow], values[EndOfWindow]))
        return true;
    if (!fits(values[OfCluster]) || !fits(values[OfNode])) {
        ++m_rejected;
        return true;
    }
    if (isIdle(name)) {
        addIdle(values);
        return m_idle.size() <= kMostNodes;
    }
    for (const std::size_t use : {UseAverage, DeviceUse, OldDeviceUse})
        m_toldGpuUse = m_toldGpuUse || scaled(values[use], kNanos).value_or(0) > 0;
    const Amount cost = withAdjustment(scaled(values[AllocationGpuCost], kNanos), values[AllocationGpuAdjustment]);
    const Amount seconds = scaled(values[AllocationGpuHours], 3600);
    if (cost == 0 && seconds.value_or(0) == 0)
        return true; // no GPU
    if (!cost && !seconds)
        return true; // a pod without any GPU data
    auto [it, isNew] =
        m_onNode.try_emplace({textOf(values[OfCluster]), textOf(values[OfNode])}, model::AllocatedPods{0, 0, 0});
    ++it->second.pods;
    add(it->second.gpuSeconds, seconds);
    add(it->second.gpuCost, cost);
    ++m_pods;
    ++m_accepted;
    return m_onNode.size() <= kMostNodes;
}

model::AllocationDay AllocationRecords::take(model::AllocationProduct product)
{
    model::AllocationDay day;
    day.day = m_day;
    day.product = product;
    day.currency = m_currency;
    day.toldGpuUse = m_toldGpuUse;
    for (auto &[key, node] : m_nodes) {
        // If two machines had the same name on one day, their pods cannot be attributed and are left unknown.
        const Place place{node.cluster, node.name};
        const auto pods = m_onNode.find(place);
        if (!day.nodes.empty() && Place{day.nodes.back().cluster, day.nodes.back().name} == place)
            day.nodes.back().pods = node.pods = {};
        else
            node.pods = pods == m_onNode.end() ? model::AllocatedPods{0, 0, 0} : pods->second;
        day.nodes.push_back(std::move(node));
    }
    for (auto &[place, idle] : m_idle)
        day.idle.push_back(std::move(idle));
    return day;
}

} // namespace gpuledger::opencost
