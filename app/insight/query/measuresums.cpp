// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/query/measuresums.h"

#include "app/model/fleet/kindname.h"
#include "app/store/facts/measures.h"

#include <algorithm>
#include <map>

namespace gpuledger::insight {

using base::GpuTime;
using base::Result;
using store::Measure;

MeasureSums &MeasureSums::operator+=(const MeasureSums &o)
{
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] += o.values[i];
    return *this;
}

TimeByState MeasureSums::time() const
{
    const auto &s = *this;
    return {GpuTime{s[Measure::ActiveTicks]}, GpuTime{s[Measure::IdleTicks]}, GpuTime{s[Measure::UnallocatedTicks]},
            GpuTime{s[Measure::UnobservedHeldTicks]}, GpuTime{s[Measure::UnobservedFreeTicks]}};
}

CostByState MeasureSums::cost() const
{
    const auto &s = *this;
    return {s[Measure::CostActive],         s[Measure::CostIdle],           s[Measure::CostUnallocated],
            s[Measure::CostUnobservedHeld], s[Measure::CostUnobservedFree], GpuTime{s[Measure::UnpricedTicks]}};
}

std::optional<double> MeasureSums::ratio(Measure sum, Measure over) const
{
    const std::int64_t divisor = (*this)[over];
    return divisor > 0 ? std::optional(static_cast<double>((*this)[sum]) / static_cast<double>(divisor)) : std::nullopt;
}

namespace {

std::optional<double> divide(GpuTime part, GpuTime whole)
{
    return whole.ticks > 0 ? std::optional(static_cast<double>(part.ticks) / static_cast<double>(whole.ticks))
                           : std::nullopt;
}

} // namespace

std::optional<double> MeasureSums::utilization() const
{
    return divide(GpuTime{(*this)[Measure::ActivityTicks]}, time().observedHeld());
}

std::optional<double> MeasureSums::allocation() const
{
    return divide(time().held(), time().paid());
}

std::optional<double> MeasureSums::coverage() const
{
    const TimeByState t = time();
    return divide(t.paid() - t.unobserved(), t.paid());
}

base::TimeRange wholeCells(base::TimeRange range)
{
    const base::TimeRange cells{base::ceilTo(range.start, base::kCell), base::floorTo(range.end, base::kCell)};
    return cells.empty() ? base::TimeRange{cells.start, cells.start} : cells;
}

const std::string &valueOf(const store::GroupKey &key, const Dimension &dimension)
{
    static const std::string kNone;
    switch (dimension.kind) {
    case Dimension::Team:
        return key.team;
    case Dimension::Cluster:
        return key.cluster;
    case Dimension::Cloud:
        return key.cloud;
    case Dimension::Region:
        return key.region;
    case Dimension::GpuModel:
        return key.gpuModel;
    case Dimension::WorkloadKind:
        return key.workloadKind;
    case Dimension::Environment:
        return key.environment;
    case Dimension::NodePool:
        return key.nodePool;
    default:
        return kNone;
    }
}

std::string workloadName(std::string_view nameSpace, std::string_view ownerKind, std::string_view ownerName,
                         std::string_view name, model::SubjectKind kind)
{
    std::string text;
    text.reserve(nameSpace.size() + 1 + ownerKind.size() + 1 + std::max(ownerName.size(), name.size() + 8));
    if (!nameSpace.empty())
        text.append(nameSpace).append("/");
    if (ownerName.empty())
        return text.append(model::kindName(kind)).append("/").append(name);
    return text.append(ownerKind).append("/").append(ownerName);
}

std::string valueOf(const model::DeviceAttribution &device, std::int32_t holder, const Dimension &dimension,
                    const LabelLookup &labels)
{
    switch (dimension.kind) {
    case Dimension::Node:
        return device.node ? device.node->name : std::string();
    case Dimension::Device:
        return device.device->uuid;
    case Dimension::Workload: {
        if (holder == model::kNobody)
            return {};
        const model::AttributedHolder &who = (*device.holders)[static_cast<std::size_t>(holder)];
        return workloadName(who.nameSpace, who.ownerKind, who.ownerName, who.name, who.what);
    }
    case Dimension::WorkloadLabel:
    case Dimension::NamespaceLabel:
        return holder == model::kNobody
            ? std::string()
            : labels.ofHolder((*device.holders)[static_cast<std::size_t>(holder)].holder, dimension);
    case Dimension::NodeLabel:
        return device.node ? labels.ofNode(device.node->cluster, device.node->name, dimension) : std::string();
    default:
        return valueOf(store::groupKeyOf(device, holder), dimension);
    }
}

bool matches(const Filter &filter, const store::GroupKey &key)
{
    return filter.admits([&](const Dimension &dimension) -> const std::string & { return valueOf(key, dimension); });
}

bool matches(const Filter &filter, const model::DeviceAttribution &device, std::int32_t holder,
             const LabelLookup &labels)
{
    return filter.admits([&](const Dimension &dimension) { return valueOf(device, holder, dimension, labels); });
}

bool answeredByRollup(const Filter &filter, const std::vector<Dimension> &by)
{
    const auto rolledUp = [](const auto &part) {
        return std::all_of(part.begin(), part.end(), [](const auto &entry) { return inRollup(entry.first); });
    };
    return std::all_of(by.begin(), by.end(), inRollup) && rolledUp(filter.include) && rolledUp(filter.exclude);
}

const std::vector<Measure> &allMeasures()
{
    static const std::vector<Measure> kAll = [] {
        std::vector<Measure> all;
        for (int i = 0; i < store::kMeasureCount; ++i)
            all.push_back(static_cast<Measure>(i));
        return all;
    }();
    return kAll;
}

namespace {

class Keys {
public:
    explicit Keys(std::vector<CellKey> &keys)
        : m_keys(keys)
    {
    }
    std::size_t indexOf(const CellKey &key)
    {
        const auto [it, isNew] = m_index.try_emplace(key, m_keys.size());
        if (isNew)
            m_keys.push_back(key);
        return it->second;
    }

private:
    std::vector<CellKey> &m_keys;
    std::map<CellKey, std::size_t> m_index;
};

// First and last cell of a day that lie in the range, as [from, to).
std::pair<int, int> cellsOf(base::Day day, base::TimeRange range)
{
    const base::TimeRange inDay = range.intersect({day.start(), day.end()});
    return {static_cast<int>((inDay.start - day.start()) / base::kCell),
            static_cast<int>((inDay.end - day.start()) / base::kCell)};
}

Result<void> visitRollup(store::CubeReader &cube, const Query &query, const std::vector<Dimension> &by,
                         const std::vector<Measure> &measures, std::vector<CellKey> &keys, const RowVisitor &visit)
{
    auto groups = cube.groups();
    GPULEDGER_TRY(groups);
    Keys index(keys);
    std::vector<char> wanted;
    std::vector<std::size_t> keyOf;
    for (const auto &[id, key] : *groups) {
        const auto at = static_cast<std::size_t>(id.value);
        wanted.resize(std::max(wanted.size(), at + 1), 0);
        keyOf.resize(wanted.size(), 0);
        if (!matches(query.filter, key))
            continue;
        wanted[at] = 1;
        CellKey values;
        for (const Dimension &dimension : by)
            values.push_back(valueOf(key, dimension));
        keyOf[at] = index.indexOf(values);
    }
    const base::Day first = base::dayOf(query.range.start), last = base::dayOf(query.range.end - base::Seconds{1});
    return cube.rows(first, last, measures, wanted,
                     [&](base::GroupId group, base::Day day, Measure measure, const store::CellRow &row) {
                         const auto [from, to] = cellsOf(day, query.range);
                         const std::size_t key = keyOf[static_cast<std::size_t>(group.value)];
                         if (from >= to)
                             return;
                         const auto cells = std::span<const std::int64_t>(row).subspan(
                             static_cast<std::size_t>(from), static_cast<std::size_t>(to - from));
                         if (std::any_of(cells.begin(), cells.end(), [](std::int64_t one) { return one != 0; }))
                             visit(key, day, from, measure, cells);
                     });
}

Result<void> visitFacts(store::AttributionReader &facts, const Query &query, const std::vector<Dimension> &by,
                        const std::vector<Measure> &measures, std::vector<CellKey> &keys, const CellVisitor &visit)
{
    std::array<bool, store::kMeasureCount> wanted{};
    for (const Measure m : measures)
        wanted[static_cast<std::size_t>(m)] = true;
    const auto labels = LabelLookup::read(facts, query.filter, by);
    GPULEDGER_TRY(labels);
    Keys index(keys);
    const base::Day first = base::dayOf(query.range.start), last = base::dayOf(query.range.end - base::Seconds{1});
    constexpr std::size_t kOutsideFilter = static_cast<std::size_t>(-1);
    const auto keyOf = [&](const model::DeviceAttribution &device, std::int32_t holder) {
        CellKey values;
        for (const Dimension &dimension : by)
            values.push_back(valueOf(device, holder, dimension, *labels));
        return values;
    };
    std::vector<std::pair<std::int32_t, std::size_t>> known; // of the current device: holder to key
    return facts.walk(first, last, {}, [&](const model::DeviceAttribution &device) -> Result<void> {
        const auto [from, to] = cellsOf(device.day, query.range);
        known.clear();
        for (const model::UsagePart &part : device.parts) {
            const int cell = part.bucket / base::kBucketsPerCell;
            if (cell < from || cell >= to)
                continue;
            auto it = std::find_if(known.begin(), known.end(), [&](const auto &k) { return k.first == part.holder; });
            if (it == known.end()) {
                const bool in = matches(query.filter, device, part.holder, *labels);
                it = known.insert(known.end(),
                                  {part.holder, in ? index.indexOf(keyOf(device, part.holder)) : kOutsideFilter});
            }
            if (it->second == kOutsideFilter)
                continue;
            store::forEachMeasure(device, part, [&](Measure m, std::int64_t amount) {
                if (wanted[static_cast<std::size_t>(m)])
                    visit(it->second, device.day, cell, m, amount);
            });
        }
        return {};
    });
}

bool isCostMeasure(Measure measure)
{
    return measure == Measure::UnpricedTicks
        || std::any_of(store::kStateMeasures.begin(), store::kStateMeasures.end(),
                       [&](const auto &one) { return one.second == measure; });
}

bool isAnsweredByRollup(store::AttributionReader &facts, const Query &query, const std::vector<Dimension> &by,
                        const std::vector<Measure> &measures)
{
    const bool isStored = facts.hasStoredCost()
        || std::none_of(measures.begin(), measures.end(), [](Measure m) { return isCostMeasure(m); });
    return isStored && answeredByRollup(query.filter, by);
}

} // namespace

Result<void> visitRows(store::CubeReader &cube, store::AttributionReader &facts, const Query &query,
                       const std::vector<Dimension> &by, const std::vector<Measure> &measures,
                       std::vector<CellKey> &keys, const RowVisitor &visit)
{
    if (query.range.empty())
        return {};
    if (isAnsweredByRollup(facts, query, by, measures))
        return visitRollup(cube, query, by, measures, keys, visit);
    return visitFacts(facts, query, by, measures, keys,
                      [&](std::size_t key, base::Day day, int cell, Measure measure, std::int64_t amount) {
                          visit(key, day, cell, measure, std::span(&amount, 1));
                      });
}

Result<void> visitCells(store::CubeReader &cube, store::AttributionReader &facts, const Query &query,
                        const std::vector<Dimension> &by, const std::vector<Measure> &measures,
                        std::vector<CellKey> &keys, const CellVisitor &visit)
{
    if (query.range.empty())
        return {};
    if (!isAnsweredByRollup(facts, query, by, measures))
        return visitFacts(facts, query, by, measures, keys, visit);
    return visitRollup(
        cube, query, by, measures, keys,
        [&](std::size_t key, base::Day day, int cell, Measure measure, std::span<const std::int64_t> amounts) {
            for (std::size_t i = 0; i < amounts.size(); ++i) {
                if (amounts[i] != 0)
                    visit(key, day, cell + static_cast<int>(i), measure, amounts[i]);
            }
        });
}

} // namespace gpuledger::insight
