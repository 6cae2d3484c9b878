// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/query/reach.h"

#include <algorithm>

namespace gpuledger::insight {

namespace {

// The source that reports on this cluster alone.
std::vector<SourceReach>::const_iterator sourceOf(const std::vector<SourceReach> &sources, std::string_view cluster)
{
    return std::find_if(sources.begin(), sources.end(),
                        [&](const SourceReach &one) { return !one.cluster.empty() && one.cluster == cluster; });
}

// The same filter restricted to one cluster; std::nullopt if it admits nothing there.
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
    const auto own = sourceOf(sources, cluster);
    if (own != sources.end())
        return own->stale;
    const bool labelled =
        std::any_of(sources.begin(), sources.end(), [](const SourceReach &one) { return one.cluster.empty(); });
    // If the cluster's source is unknown, one stale source is enough.
    return labelled ? std::any_of(sources.begin(), sources.end(),
                                  [](const SourceReach &one) { return one.cluster.empty() && one.stale; })
                    : stale;
}

base::Seconds staleAfter(base::Seconds every)
{
    return 2 * std::max(every, base::kBucket) + base::kBucket;
}

std::optional<base::UtcTime> Reach::endOf(std::string_view cluster) const
{
    if (const auto own = sourceOf(sources, cluster); own != sources.end())
        return own->to;
    std::optional<base::UtcTime> newest;
    for (const SourceReach &one : sources) {
        if (one.cluster.empty() && one.to)
            newest = std::max(newest.value_or(*one.to), *one.to);
    }
    return newest ? newest : to;
}

std::optional<double> Reach::fetched(const Filter &filter) const
{
    std::optional<double> least;
    for (const SourceReach &one : sources) {
        if (one.cluster.empty() || filter.matches(Dimension::Cluster, one.cluster))
            least = std::min(least.value_or(1), one.fetched);
    }
    return least;
}

std::vector<Unsynced> unsyncedOf(const Reach &reach, const Filter &filter, bool alsoFresh)
{
    std::vector<Unsynced> out;
    const auto add = [&](const SourceReach &one, Filter of) {
        if (!one.to || !(one.stale || alsoFresh))
            return;
        const base::UtcTime last = base::floorTo(*one.to, base::kCell);
        const base::TimeRange missing{std::max(*one.to, reach.asked.start), reach.asked.end};
        if (!missing.empty())
            out.push_back({{last - base::kCell, last}, missing, std::move(of), one.stale});
    };
    Filter others = filter;
    const SourceReach *freshest = nullptr; // of those that a label distinguishes
    for (const SourceReach &one : reach.sources) {
        if (one.cluster.empty()) {
            if (one.to && (!freshest || *freshest->to < *one.to))
                freshest = &one;
            continue;
        }
        if (reach.sources.size() > 1)
            others.exclude[Dimension::Cluster].push_back(one.cluster);
        auto own = reach.sources.size() > 1 ? inCluster(filter, one.cluster) : std::optional(filter);
        if (own)
            add(one, std::move(*own));
    }
    if (freshest)
        add(*freshest, std::move(others));
    return out;
}

} // namespace gpuledger::insight
