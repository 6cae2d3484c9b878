// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/rightsizecounts.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace gpuledger::services {

using savings::RightSizeWorkload;

void SizedCounts::note(const SizedMachine &machine)
{
    std::map<std::int64_t, std::pair<std::int32_t, DayBuckets>> holders; // with its workload
    std::map<std::int32_t, DayBuckets> trainings;
    auto last = holders.end();
    for (const SizedPart &part : machine.parts) {
        if (part.workload < 0)
            continue;
        if (last == holders.end() || last->first != part.holder)
            last = holders.try_emplace(part.holder).first;
        last->second.first = part.workload;
        last->second.second |= DayBuckets(part.buckets) << (std::size_t{part.hour} * kSizedBuckets);
    }
    for (const auto &[holder, own] : holders) {
        if (m_workloads.at(own.first).training)
            trainings[own.first] |= own.second;
    }
    const auto note = [&](std::int32_t workload, DayBuckets &before, const DayBuckets &now) {
        RightSizeWorkload &one = m_workloads.at(workload);
        one.spread = one.spread || (before & now).any();
        before |= now;
    };
    for (const auto &[holder, own] : holders)
        note(own.first, m_holderBuckets[holder], own.second);
    for (const auto &[workload, buckets] : trainings)
        note(workload, m_trainingBuckets[workload], buckets);
}

void SizedCounts::countBucket(const SizedMachine &machine, std::span<const SizedPart> hour, int bucket)
{
    m_counted.clear();
    for (const SizedPart &part : hour) {
        if (part.workload >= 0 && (part.buckets >> bucket & 1))
            m_counted.push_back({part.workload, part.holder, part.device, part.used});
    }
    std::sort(m_counted.begin(), m_counted.end(), [](const Counted &a, const Counted &b) {
        return std::tuple(a.workload, a.device, !a.used) < std::tuple(b.workload, b.device, !b.used);
    });
    for (auto one = m_counted.begin(); one != m_counted.end();) {
        const std::int32_t workload = one->workload;
        int held = 0, used = 0;
        for (std::int32_t device = -1; one != m_counted.end() && one->workload == workload; ++one) {
            if (std::exchange(device, one->device) == one->device)
                continue;
            ++held;
            used += one->used ? 1 : 0;
        }
        RightSizeWorkload &out = m_workloads.at(workload);
        out.machineGpus = std::max(out.machineGpus, static_cast<int>(machine.devices.size()));
        out.heldGpus = std::max(out.heldGpus, held);
        out.usedGpus = std::max(out.usedGpus, used);
    }
    countUsedByHolder();
}

void SizedCounts::countUsedByHolder()
{
    std::erase_if(m_counted, [](const Counted &one) { return !one.used; });
    std::sort(m_counted.begin(), m_counted.end(), [](const Counted &a, const Counted &b) {
        return std::tuple(a.workload, a.holder, a.device) < std::tuple(b.workload, b.holder, b.device);
    });
    for (auto one = m_counted.begin(); one != m_counted.end();) {
        const Counted first = *one;
        int used = 0;
        std::int32_t device = -1;
        for (; one != m_counted.end() && one->workload == first.workload && one->holder == first.holder; ++one)
            used += std::exchange(device, one->device) == one->device ? 0 : 1;
        RightSizeWorkload &out = m_workloads.at(first.workload);
        out.podGpus = std::max(out.podGpus, used);
    }
}

void SizedCounts::count(const SizedMachine &machine, std::span<const SizedPart> hour)
{
    for (int bucket = 0; bucket < kSizedBuckets; ++bucket) {
        const bool isLikeBefore = bucket > 0 && std::all_of(hour.begin(), hour.end(), [&](const SizedPart &part) {
                                      return (part.buckets >> bucket & 1) == (part.buckets >> (bucket - 1) & 1);
                                  });
        if (!isLikeBefore)
            countBucket(machine, hour, bucket);
    }
}

void SizedCounts::endDay()
{
    m_holderBuckets.clear();
    m_trainingBuckets.clear();
}

} // namespace gpuledger::services
