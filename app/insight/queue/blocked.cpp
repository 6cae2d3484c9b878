// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/queue/blocked.h"

#include "app/insight/query/labels.h"
#include "app/insight/query/measuresums.h"
#include "app/insight/queue/blockedfinder.h"
#include "app/model/fleet/listedmachine.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace gpuledger::insight {

using base::Result;
using base::UtcTime;

namespace {

// Cluster -> what waited in the bucket before `at`; no entry: not recorded for all of it.
using WaitsByCluster = std::map<std::string, std::vector<model::PastWait>>;

WaitsByCluster waitsOf(const store::PastWaiting &past, base::TimeRange bucket)
{
    WaitsByCluster out;
    for (const auto &[cluster, when] : past.known) {
        if (!cluster.empty() && when.start <= bucket.start && when.end >= bucket.end)
            out[cluster];
    }
    for (const model::PastWait &wait : past.waits) {
        const auto known = out.find(wait.cluster);
        if (known != out.end() && wait.range.start < bucket.end && wait.range.end > bucket.start)
            known->second.push_back(wait);
    }
    return out;
}

void addBlockedMoney(BlockedItem &item, const std::vector<const FreeUnit *> &units, base::Currency currency)
{
    std::int64_t hour = 0, month = 0;
    for (const FreeUnit *unit : units) {
        if (!unit->nanosPerHour || __builtin_add_overflow(hour, *unit->nanosPerHour, &hour))
            return;
    }
    item.ratePerHour = base::Money(hour, currency);
    if (!__builtin_mul_overflow(hour, kIdleHoursPerMonth, &month))
        item.perMonth = base::Money(month, currency);
}

void sortBlocked(std::vector<BlockedItem> &items)
{
    std::sort(items.begin(), items.end(), [](const BlockedItem &a, const BlockedItem &b) {
        const auto rank = [](const BlockedItem &i) {
            return std::tuple(i.perMonth ? -i.perMonth->nanos() : 0, -i.gpus, std::string_view(i.id));
        };
        return rank(a) < rank(b);
    });
}

Result<IdleSum> sumOfItems(const std::vector<BlockedItem> &items)
{
    IdleSum sum;
    std::int64_t month = 0;
    for (const BlockedItem &item : items) {
        ++sum.items;
        sum.gpus += item.gpus;
        sum.unpriced += item.perMonth ? 0U : 1U;
        if (item.perMonth && __builtin_add_overflow(month, item.perMonth->nanos(), &month))
            return base::fail(base::ErrorCode::Overflow, "the cost of blocked GPUs is too large");
    }
    sum.perMonth = sum.undecided = month;
    return sum;
}

// What was found in one cluster, as items by node and reason.
void addBlocked(BlockedList &out, const std::string &cluster, const BlockedFinder &finder,
                const std::vector<model::PastWait> &waits, base::Currency currency)
{
    struct Group {
        std::vector<const FreeUnit *> units;
        std::set<std::size_t> waits;
    };
    std::map<std::pair<std::string, Blocker>, Group> groups;
    for (const FreeUnit &unit : finder.units()) {
        const UnitVerdict verdict = unit.isChosen ? finder.judge(unit) : UnitVerdict{};
        out.undecidedGpus += verdict.isUndecided ? unit.gpus() : 0;
        out.unexplainedGpus += verdict.isUnexplained ? unit.gpus() : 0;
        if (!verdict.blocker)
            continue;
        Group &group = groups[{unit.node, *verdict.blocker}];
        group.units.push_back(&unit);
        group.waits.insert(verdict.waits.begin(), verdict.waits.end());
    }
    for (const auto &[key, group] : groups) {
        BlockedItem &item = out.items.emplace_back();
        item.blocker = key.second;
        item.cluster = cluster;
        item.node = key.first;
        item.id = cluster + '/' + item.node + '/' + std::string(toString(item.blocker));
        item.gpuModel = group.units.front()->gpuModel;
        item.owner = group.units.front()->owner;
        for (const FreeUnit *unit : group.units) {
            item.devices.push_back(unit->name);
            item.gpus += unit->gpus();
        }
        std::sort(item.devices.begin(), item.devices.end());
        addBlockedMoney(item, group.units, currency);
        for (const std::size_t wait : group.waits)
            item.waits.push_back(waits[wait]);
    }
}

// The lists of clouds that stand for a cluster: nothing waits for their machines there.
Result<std::set<std::string>> listsOnly(store::FactReader &facts)
{
    const auto nodes = facts.nodes();
    GPULEDGER_TRY(nodes);
    std::set<std::string> lists;
    for (const model::Node &node : *nodes) {
        if (node.labels.contains(model::kHostNameLabel))
            lists.insert(node.cluster);
    }
    for (const model::Node &node : *nodes) {
        if (!node.labels.contains(model::kHostNameLabel))
            lists.erase(node.cluster);
    }
    return lists;
}

// The devices of the clusters in which something waited.
Result<std::vector<base::DeviceId>> devicesIn(BlockedList &out, const WaitsByCluster &waits, store::FactReader &facts)
{
    const auto devices = facts.devices();
    GPULEDGER_TRY(devices);
    const auto lists = listsOnly(facts);
    GPULEDGER_TRY(lists);
    std::vector<base::DeviceId> ids;
    std::set<std::string> known, unknown;
    for (const model::Device &device : *devices) {
        const auto found = waits.find(device.cluster);
        if (found != waits.end() || !lists->contains(device.cluster))
            (found == waits.end() ? unknown : known).insert(device.cluster);
        if (found != waits.end() && !found->second.empty())
            ids.push_back(device.id);
    }
    out.known.assign(known.begin(), known.end());
    out.unknown.assign(unknown.begin(), unknown.end());
    return ids;
}

} // namespace

Result<BlockedList> blockedAt(store::AttributionReader &facts, UtcTime at, const Filter &filter,
                              base::Currency currency)
{
    BlockedList out;
    out.at = base::floorTo(at, base::kBucket);
    if (!facts.facts())
        return out;
    const base::TimeRange bucket{out.at - base::kBucket, out.at};
    const auto past = facts.facts()->pastWaiting(bucket);
    GPULEDGER_TRY(past);
    const WaitsByCluster waits = waitsOf(*past, bucket);
    const auto ids = devicesIn(out, waits, *facts.facts());
    GPULEDGER_TRY(ids);
    if (ids->empty()) // an empty list of devices would mean all
        return out;
    const auto labels = LabelLookup::read(facts, filter, {});
    GPULEDGER_TRY(labels);
    std::map<std::string, BlockedFinder> finders;
    const base::Day day = base::dayOf(bucket.start);
    GPULEDGER_TRY(facts.walk(day, day, *ids, [&](const model::DeviceAttribution &device) -> Result<void> {
        return finders[device.device->cluster].add(device, bucket, matches(filter, device, model::kNobody, *labels));
    }));
    for (auto &[cluster, finder] : finders) {
        const std::vector<model::PastWait> known = oncePerPod(waits.at(cluster));
        finder.ask(known);
        addBlocked(out, cluster, finder, known, currency);
    }
    sortBlocked(out.items);
    const auto sum = sumOfItems(out.items);
    GPULEDGER_TRY(sum);
    out.sum = *sum;
    return out;
}

} // namespace gpuledger::insight
