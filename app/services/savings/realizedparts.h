// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/ids.h"
#include "app/base/time/time.h"
#include "app/model/fleet/fleet.h"
#include "app/model/fleet/listedmachine.h"
#include "app/savings/proposals/choice.h"
#include "app/savings/realized/realized.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

// Parts of realizedfacts.cpp. One thread.
namespace gpuledger::services {

// "cluster/workload" of a proposal about a workload; empty: it is about pools.
inline std::string realizedWorkloadOf(const savings::Choice &choice)
{
    const std::string &id = choice.draft.proposal;
    const std::string prefix = std::string(toString(choice.kind)) + ':';
    const bool isPool = choice.kind == savings::Kind::Capacity || choice.kind == savings::Kind::Commitments
        || !id.starts_with(prefix) || id.starts_with(prefix + "slices:");
    return isPool ? std::string() : id.substr(prefix.size());
}

inline base::Day realizedBegun(const savings::Choice &choice)
{
    const base::Day since = base::dayOf(choice.since);
    return std::min(since, choice.draft.day.value_or(since));
}

inline base::Day realizedDone(const savings::Choice &choice)
{
    const base::Day since = base::dayOf(choice.since);
    return std::max(since, choice.draft.day.value_or(since));
}

// What was bought of a machine, as its labels say; empty: they don't.
inline std::string realizedPurchaseOf(const model::Node &node)
{
    for (const char *label :
         {model::kPurchaseLabel, "karpenter_sh_capacity_type", "eks_amazonaws_com_capacityType",
          "cloud_google_com_gke_spot", "cloud_google_com_gke_preemptible", "kubernetes_azure_com_scalesetpriority"}) {
        if (const auto found = node.labels.find(label); found != node.labels.end())
            return found->second;
    }
    return {};
}

// Which of a number of choices overlap, directly or through others.
class RealizedGroups {
public:
    explicit RealizedGroups(std::size_t count)
        : m_earlier(count)
    {
        std::iota(m_earlier.begin(), m_earlier.end(), std::size_t{0});
    }
    // The first choice of the group of this one.
    std::size_t of(std::size_t choice) const
    {
        while (m_earlier[choice] != choice)
            choice = m_earlier[choice];
        return choice;
    }
    // These overlap.
    void join(const std::vector<std::size_t> &choices)
    {
        for (const std::size_t one : choices) {
            const std::size_t a = of(choices.front()), b = of(one);
            m_earlier[std::max(a, b)] = std::min(a, b);
        }
    }

private:
    std::vector<std::size_t> m_earlier; // an earlier one of the group, or itself
};

// The days on which anything is known of a cluster. A cluster of which nothing is known for a whole week after a choice
// may have lost its source: what is missing then is no saving.
class RealizedClusters {
public:
    void note(const std::string &cluster, std::size_t day)
    {
        std::vector<char> &days = m_known[cluster];
        if (days.size() <= day)
            days.resize(day + 1);
        days[day] = 1;
    }
    // Marks the weeks from `first` on in which nothing is known of one of the clusters as not observed.
    void hide(std::vector<savings::RealizedDay> &days, const std::set<std::string> &clusters, std::int64_t first) const
    {
        constexpr std::size_t kWeek = 7;
        for (auto start = static_cast<std::size_t>(std::max<std::int64_t>(first, 0)); start + kWeek <= days.size();
             start += kWeek) {
            if (std::all_of(clusters.begin(), clusters.end(),
                            [&](const std::string &one) { return isKnown(one, start, start + kWeek); }))
                continue;
            for (std::size_t day = start; day < start + kWeek; ++day)
                days[day].observed = false;
        }
    }

private:
    bool isKnown(const std::string &cluster, std::size_t from, std::size_t to) const
    {
        const auto found = m_known.find(cluster);
        for (std::size_t day = from; found != m_known.end() && day < std::min(to, found->second.size()); ++day) {
            if (found->second[day])
                return true;
        }
        return false;
    }

    std::map<std::string, std::vector<char>> m_known; // by cluster, by day
};

// The time of runs on one day: of each holder the active time of its busiest device, in ticks of base::GpuTime.
class RealizedRuns {
public:
    struct Place { // what a run is counted for
        bool isPool = false; // else a choice
        std::size_t index = 0;
        auto operator<=>(const Place &) const = default;
    };

    // All time on one device must be noted before that on another.
    void note(base::DeviceId device, const Place &place, std::int64_t holder, std::int64_t ticks)
    {
        if (device != m_device)
            fold();
        m_device = device;
        m_onDevice[{place, holder}] += ticks;
    }
    // Calls add(place, ticks) for each holder and forgets the day.
    template <typename Add> void take(Add &&add)
    {
        fold();
        for (const auto &[key, ticks] : m_most)
            add(key.first, ticks);
        m_most.clear();
    }

private:
    using Key = std::pair<Place, std::int64_t>; // place and holder
    void fold()
    {
        for (const auto &[key, ticks] : m_onDevice) {
            std::int64_t &most = m_most[key];
            most = std::max(most, ticks);
        }
        m_onDevice.clear();
    }

    base::DeviceId m_device;
    std::map<Key, std::int64_t> m_onDevice, m_most;
};

} // namespace gpuledger::services
