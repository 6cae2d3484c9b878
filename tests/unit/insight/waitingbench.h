// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/queue/waiting.h"

#include <algorithm>
#include <set>
#include <string>

// A cluster for the tests of waiting jobs.
namespace gpuledger::tests {

using insight::Blocker;
using insight::IdleItem;
using insight::IdleList;
using insight::WaitingItem;
using insight::WaitingList;
using model::HeldRoom;
using model::NodeRoom;
using model::WaitingFacts;
using model::WaitingWork;

inline const base::UtcTime kAt = base::fromUnix(1'700'000'000);
inline constexpr std::int64_t kHour = 3600, kCores = 1000, kGib = std::int64_t{1} << 30;
inline const std::string kGpu = "nvidia_com_gpu";
inline const auto kUsd = base::Currency::usd();

inline base::Money dollars(double units)
{
    return {static_cast<std::int64_t>(units * base::Money::kNanosPerUnit), kUsd};
}

// A cluster that is built step by step.
struct Bench {
    WaitingFacts facts;
    IdleList idle;
    insight::NodeRates rates;

    Bench()
    {
        facts.isKnown = true;
        idle.at = kAt;
    }
    NodeRoom &node(const std::string &name, std::int64_t gpus, const std::string &resource = kGpu)
    {
        NodeRoom room;
        room.cluster = "c";
        room.name = name;
        room.labels.emplace();
        room.gpus[resource] = gpus;
        room.cpuMilli = 100 * kCores;
        room.memoryBytes = 1000 * kGib;
        room.cpuMilliUsed = 0;
        room.memoryBytesUsed = 0;
        facts.nodes.push_back(room);
        return facts.nodes.back();
    }
    NodeRoom &at(const std::string &name)
    {
        return *std::find_if(facts.nodes.begin(), facts.nodes.end(), [&](const auto &n) { return n.name == name; });
    }
    // An idle pod at 2 USD per hour and GPU, idle for ten hours.
    IdleItem &hold(const std::string &name, const std::string &node, std::int64_t gpus,
                   const std::string &resource = kGpu, std::int64_t cpu = 4 * kCores, std::int64_t memory = 8 * kGib)
    {
        busy(name, node, gpus, resource, cpu, memory);
        IdleItem item;
        item.id = "c/ns/" + name + "/u";
        item.name = name;
        item.node = node;
        item.gpus = static_cast<double>(gpus);
        item.since = kAt - std::chrono::hours(10);
        item.ratePerHour = dollars(2.0 * static_cast<double>(gpus));
        idle.items.push_back(item);
        return idle.items.back();
    }
    void busy(const std::string &name, const std::string &node, std::int64_t gpus, const std::string &resource = kGpu,
              std::int64_t cpu = 4 * kCores, std::int64_t memory = 8 * kGib)
    {
        facts.holders.push_back({"c", "ns", name, "u", node, {{resource, gpus}}, cpu, memory});
        at(node).gpusUsed[resource] += gpus;
        *at(node).cpuMilliUsed += cpu;
        *at(node).memoryBytesUsed += memory;
    }
    WaitingWork &wait(const std::string &name, std::int64_t gpus, std::int64_t hours = 4)
    {
        WaitingWork work;
        work.cluster = "c";
        work.nameSpace = "ns";
        work.name = name;
        work.uid = "w";
        work.resource = kGpu;
        work.gpus = gpus;
        work.cpuMilli = 2 * kCores;
        work.memoryBytes = 4 * kGib;
        work.since = kAt - std::chrono::hours(hours);
        work.selector.emplace();
        work.tolerations.emplace();
        facts.works.push_back(work);
        return facts.works.back();
    }
    WaitingList match() const { return insight::matchWaiting(facts, idle, rates, kUsd); }
    WaitingItem only() const
    {
        const WaitingList list = match();
        return list.items.size() == 1 ? list.items.front() : WaitingItem{};
    }
};

inline const insight::BlockerSum &sumOf(const WaitingList &list, Blocker blocker)
{
    return list.sums[static_cast<std::size_t>(blocker)];
}

inline std::set<std::string> namesOf(const WaitingItem &item)
{
    std::set<std::string> names;
    for (const auto &part : item.parts) {
        if (!part.idle.empty())
            names.insert(part.name);
    }
    return names;
}

inline bool isBlocked(const WaitingItem &item, Blocker by, const std::string &node)
{
    return !item.isServed && item.blocker == by && item.node == node;
}

} // namespace gpuledger::tests
