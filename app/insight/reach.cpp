// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/reach.h"

#include <algorithm>

namespace gpuledger::insight {

namespace {

__extension__ using Wide = __int128;

// The same filter for one cluster; nothing where it admits none of that.
std::optional<Filter> inCluster(Filter filter, const std::string &cluster)
{
    if (!filter.matches(Dimension::Cluster, cluster))
        return std::nullopt;
    filter.include[Dimension::Cluster] = {cluster};
    return filter;
}

} // namespace

bool Reach::isStale(std::string_view cluster) const
{
    const auto own = std::find_if(sources.begin(), sources.end(), [&](const SourceReach &one) {
        return !one.cluster.empty() && one.cluster == cluster;
    });
    if (own != sources.end())
        return own->stale;
    const bool labelled =
        std::any_of(sources.begin(), sources.end(), [](const SourceReach &one) { return one.cluster.empty(); });
    // Where nobody knows whose it is, one stale source is enough.
    return labelled ? std::any_of(sources.begin(), sources.end(),
                                  [](const SourceReach &one) { return one.cluster.empty() && one.stale; })
                    : stale;
}

base::Seconds staleAfter(base::Seconds every)
{
    return 2 * std::max(every, base::kBucket) + base::kBucket;
}

base::GpuTime Unsynced::over(base::GpuTime inLastCell) const
{
    return {static_cast<std::int64_t>(Wide{inLastCell.ticks} * missing.length().count() / base::kCell.count())};
}

std::vector<Unsynced> unsyncedOf(const Reach &reach, const Filter &filter)
{
    std::vector<Unsynced> out;
    const auto add = [&](base::UtcTime to, Filter of) {
        const base::UtcTime last = base::floorTo(to, base::kCell);
        const base::TimeRange missing{std::max(to, reach.asked.start), reach.asked.end};
        if (!missing.empty())
            out.push_back({{last - base::kCell, last}, missing, std::move(of)});
    };
    Filter others = filter;
    const SourceReach *freshest = nullptr; // of those that a label tells apart
    for (const SourceReach &one : reach.sources) {
        if (one.cluster.empty()) {
            if (one.to && (!freshest || *freshest->to < *one.to))
                freshest = &one;
            continue;
        }
        if (reach.sources.size() > 1)
            others.exclude[Dimension::Cluster].push_back(one.cluster);
        auto own = reach.sources.size() > 1 ? inCluster(filter, one.cluster) : std::optional(filter);
        if (one.to && one.stale && own)
            add(*one.to, std::move(*own));
    }
    if (freshest && freshest->stale)
        add(*freshest->to, std::move(others));
    return out;
}

} // namespace gpuledger::insight
