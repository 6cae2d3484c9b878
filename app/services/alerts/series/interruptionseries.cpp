// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/series/interruptionseries.h"

#include "app/ledger/rates/expectedrates.h"
#include "app/model/fleet/endreason.h"

#include <algorithm>
#include <utility>

namespace gpuledger::services {

using base::Day;
using base::Result;

namespace {

constexpr base::Seconds kOneInterruption{900}, kFetchedStep{3600};

bool isDayOfHoursFetched(Day day, const SeriesQuestion &question)
{
    for (base::UtcTime end = day.start() + kFetchedStep; end <= day.end(); end += kFetchedStep) {
        if (!isHourFetched(end, question))
            return false;
    }
    return true;
}

} // namespace

SpotInterruptionCount::SpotInterruptionCount(const std::vector<model::Node> &nodes)
{
    for (const model::Node &node : nodes) {
        if (ledger::isSpotNode(node))
            m_ends.try_emplace({node.cluster, node.name});
    }
}

void SpotInterruptionCount::add(const model::Holder &holder)
{
    if (!holder.endReason || !model::isInterruption(*holder.endReason))
        return;
    const auto found = m_ends.find({holder.cluster, holder.node});
    if (found != m_ends.end())
        found->second.push_back(holder.seen.end);
}

std::map<Day, std::int64_t> SpotInterruptionCount::of(const std::string &cluster) const
{
    std::map<Day, std::int64_t> out;
    for (const auto &[node, ends] : m_ends) {
        if (node.first != cluster)
            continue;
        std::vector<base::UtcTime> sorted = ends;
        std::sort(sorted.begin(), sorted.end());
        std::optional<base::UtcTime> last; // the first end of the newest interruption
        for (const base::UtcTime end : sorted) {
            if (last && end - *last < kOneInterruption)
                continue;
            last = end;
            ++out[base::dayOf(end)];
        }
    }
    return out;
}

std::set<std::string> SpotInterruptionCount::clusters() const
{
    std::set<std::string> out;
    for (const auto &entry : m_ends)
        out.insert(entry.first.first);
    return out;
}

Result<RuleSeries> interruptionSeriesOf(View &view, const SeriesQuestion &question)
{
    const auto nodes = view.facts->nodes();
    GPULEDGER_TRY(nodes);
    SpotInterruptionCount count(*nodes);
    RuleSeries out;
    const std::set<std::string> clusters = count.clusters();
    if (clusters.empty())
        return out;
    GPULEDGER_TRY(view.facts->eachHolder(question.range, [&](const model::Holder &holder) -> Result<void> {
        count.add(holder);
        return {};
    }));
    for (const std::string &cluster : clusters) {
        const auto days = count.of(cluster);
        std::vector<alerts::Reading> &readings = out[cluster];
        for (Day day = base::dayOf(question.range.start); day.end() <= question.range.end; ++day.number) {
            readings.push_back({day.end(), std::nullopt});
            const auto times = days.find(day);
            if (isDayOfHoursFetched(day, question))
                readings.back().nanos = (times == days.end() ? 0 : times->second) * base::Money::kNanosPerUnit;
        }
    }
    return out;
}

} // namespace gpuledger::services
