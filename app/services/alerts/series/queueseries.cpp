// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/series/queueseries.h"

#include "app/insight/query/measuresums.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace gpuledger::services {

using base::Result;
using base::TimeRange;
using store::Measure;

namespace {

constexpr base::Seconds kQueueHour{3600};
constexpr auto kQueueCells = static_cast<std::size_t>(kQueueHour / base::kCell);
constexpr double kLeastRecorded = 0.9;

// GPU ticks of a quarter hour.
struct FreeCell {
    std::int64_t free = 0, paid = 0, unobserved = 0;

    void add(Measure measure, std::int64_t ticks)
    {
        paid += ticks;
        if (measure == Measure::IdleTicks || measure == Measure::UnallocatedTicks)
            free += ticks;
        if (measure == Measure::UnobservedHeldTicks || measure == Measure::UnobservedFreeTicks)
            unobserved += ticks;
    }
};
using FreeCells = std::map<std::string, std::vector<FreeCell>>; // by cluster

// Adds `weight` for each second of a range to its quarter hour.
void spreadOverCells(std::vector<std::int64_t> &cells, TimeRange all, TimeRange range, std::int64_t weight)
{
    const TimeRange cut = range.intersect(all);
    if (cut.empty())
        return;
    for (base::UtcTime at = base::floorTo(cut.start, base::kCell); at < cut.end; at += base::kCell) {
        const base::Seconds part = TimeRange{at, at + base::kCell}.intersect(cut).length();
        cells[static_cast<std::size_t>((at - all.start) / base::kCell)] += weight * part.count();
    }
}

std::int64_t waitedGpus(const model::PastWait &wait, const std::set<std::string> &sharing)
{
    const bool isWhole = wait.resource == "nvidia_com_gpu" || wait.resource == "amd_com_gpu";
    return isWhole && !sharing.contains(wait.cluster) ? wait.gpus : 1;
}

std::vector<TimeRange> mergedWaits(std::vector<TimeRange> ranges)
{
    std::sort(ranges.begin(), ranges.end(), [](const TimeRange &a, const TimeRange &b) { return a.start < b.start; });
    std::vector<TimeRange> out;
    for (const TimeRange &one : ranges) {
        if (!out.empty() && one.start <= out.back().end)
            out.back().end = std::max(out.back().end, one.end);
        else
            out.push_back(one);
    }
    return out;
}

Result<FreeCells> freeCells(View &view, TimeRange cells)
{
    static const std::vector<Measure> kFreeAndPaid{Measure::ActiveTicks, Measure::IdleTicks, Measure::UnallocatedTicks,
                                                   Measure::UnobservedHeldTicks, Measure::UnobservedFreeTicks};
    FreeCells out;
    std::vector<insight::CellKey> keys;
    const auto width = static_cast<std::size_t>(cells.length() / base::kCell);
    GPULEDGER_TRY(
        insight::visitCells(*view.cube, *view.attribution, {cells, {}}, {insight::Dimension::Cluster}, kFreeAndPaid,
                            keys, [&](std::size_t key, base::Day day, int cell, Measure measure, std::int64_t amount) {
                                std::vector<FreeCell> &of = out[keys[key].front()];
                                of.resize(width);
                                const base::UtcTime at = day.start() + cell * base::kCell;
                                of[static_cast<std::size_t>((at - cells.start) / base::kCell)].add(measure, amount);
                            }));
    return out;
}

// Of the hour that ends with the cell at index `last`.
std::optional<std::int64_t> queueValue(const WaitedCells &waited, const std::vector<FreeCell> &free, std::size_t last,
                                       double observed)
{
    std::int64_t gpuSeconds = 0, known = 0;
    FreeCell sum;
    for (std::size_t i = last + 1 - kQueueCells; i <= last; ++i) {
        gpuSeconds += waited.gpuSeconds[i];
        known += waited.known[i];
        sum.free += free[i].free;
        sum.paid += free[i].paid;
        sum.unobserved += free[i].unobserved;
    }
    const auto hour = static_cast<double>(kQueueHour.count());
    if (static_cast<double>(known) < kLeastRecorded * hour
        || static_cast<double>(sum.paid - sum.unobserved) < observed * static_cast<double>(sum.paid))
        return std::nullopt;
    const double gpus = std::min(static_cast<double>(gpuSeconds), base::GpuTime{sum.free}.seconds()) / hour;
    return std::llround(gpus * static_cast<double>(base::Money::kNanosPerUnit));
}

} // namespace

std::map<std::string, WaitedCells> waitedCells(const store::PastWaiting &past, const std::set<std::string> &sharing,
                                               TimeRange cells)
{
    const auto width = static_cast<std::size_t>(cells.length() / base::kCell);
    std::map<std::string, WaitedCells> out;
    for (const store::PastWaiting::Known &known : past.known) {
        WaitedCells &of = out[known.cluster];
        of.gpuSeconds.resize(width);
        of.known.resize(width);
        spreadOverCells(of.known, cells, known.range, 1);
    }
    struct Pod {
        std::int64_t gpus = 0;
        std::vector<TimeRange> ranges;
    };
    std::map<std::tuple<std::string, std::string, std::string, std::string>, Pod> pods;
    for (const model::PastWait &wait : past.waits) {
        Pod &pod = pods[{wait.cluster, wait.nameSpace, wait.name, wait.uid}];
        pod.gpus = std::max(pod.gpus, waitedGpus(wait, sharing));
        pod.ranges.push_back(wait.range);
    }
    for (const auto &[name, pod] : pods) {
        const auto of = out.find(std::get<0>(name));
        if (of == out.end())
            continue; // unknown
        for (const TimeRange &range : mergedWaits(pod.ranges))
            spreadOverCells(of->second.gpuSeconds, cells, range, pod.gpus);
    }
    return out;
}

Result<RuleSeries> queueSeriesOf(View &view, const SeriesQuestion &question)
{
    RuleSeries out;
    const TimeRange cells = insight::wholeCells(question.range);
    if (cells.empty())
        return out;
    const auto past = view.facts->pastWaiting(cells);
    GPULEDGER_TRY(past);
    if (past->known.empty())
        return out;
    const auto nodes = view.facts->nodes();
    GPULEDGER_TRY(nodes);
    std::set<std::string> sharing;
    for (const model::Node &node : *nodes) {
        if (node.sharedGpus)
            sharing.insert(node.cluster);
    }
    auto free = freeCells(view, cells);
    GPULEDGER_TRY(free);
    for (const auto &[cluster, waited] : waitedCells(*past, sharing, cells)) {
        std::vector<FreeCell> &of = (*free)[cluster];
        of.resize(waited.known.size());
        std::vector<alerts::Reading> &readings = out[cluster];
        for (std::size_t i = kQueueCells - 1; i < waited.known.size(); ++i) {
            const base::UtcTime end = cells.start + static_cast<std::int64_t>(i + 1) * base::kCell;
            readings.push_back(
                {end, isHourFetched(end, question) ? queueValue(waited, of, i, question.observed) : std::nullopt});
        }
    }
    return out;
}

} // namespace gpuledger::services
