// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/fleet/fleet.h"
#include "app/model/fleet/signals.h"
#include "app/model/fleet/usage.h"
#include "app/model/fleet/waiting.h"
#include "app/store/values/allocated.h"
#include "app/store/values/billed.h"
#include "app/store/values/idlekept.h"

#include <algorithm>
#include <any>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gpuledger::store {

// Where a series was seen: a (device, instance, subject, node, role) with a time range in which it had no gap of more
// than an hour. Stored as a row of its own, so that a holder's devices are known without reading usage.
struct Placement {
    base::DeviceId device;
    std::string gpuInstance;
    base::SubjectId subject; // 0 = no holder named
    base::NodeId node;
    model::SeriesRole role = model::SeriesRole::Slice;
    base::TimeRange seen; // [start of first bucket, end of last bucket)
};

// A time in which a holder ran.
struct HolderSpan {
    base::HolderId holder;
    base::TimeRange range;
};

// A node that a device was ever placed on; 0 = not named by a series.
struct DeviceNode {
    base::DeviceId device;
    base::NodeId node;
    auto operator<=>(const DeviceNode &) const = default;
};

// How many devices and nodes of a cluster were ever seen.
struct ClusterSize {
    std::string cluster;
    std::int64_t devices = 0, nodes = 0;
    bool operator==(const ClusterSize &) const = default;
};

// A time in which a node existed.
struct NodeSpan {
    base::NodeId node;
    base::TimeRange range;
};

// What waited for GPUs, and when that is known at all.
struct PastWaiting {
    struct Known {
        std::string cluster;
        base::TimeRange range;
    };
    std::vector<model::PastWait> waits; // ascending by start; the same pod may have been reported by several sources
    std::vector<Known> known; // ascending by (cluster, start), coalesced
};

// A consistent view of the facts: everything read through one object comes from one state of the cache. Not
// thread-safe; use one object per thread. All functions fail with Storage… codes only.
class FactReader {
public:
    virtual ~FactReader() = default;
    // Where a tier above keeps what it derived from these facts, for the next user of the same reader; destroyed with
    // the reader, whose facts never change. Null if this reader keeps nothing.
    virtual std::any *derived() { return nullptr; }
    [[nodiscard]] virtual base::Result<std::vector<model::Node>> nodes() = 0;
    // The same with empty labels, which take most of the time to read.
    [[nodiscard]] virtual base::Result<std::vector<model::Node>> nodesWithoutLabels();
    [[nodiscard]] virtual base::Result<std::vector<model::Device>> devices() = 0;
    // Ascending by cluster, without clusters that have neither.
    [[nodiscard]] virtual base::Result<std::vector<ClusterSize>> clusterSizes();
    [[nodiscard]] virtual base::Result<std::vector<model::Subject>> subjects() = 0;
    // The same, ascending by id, one at a time; the visitor may move from it. Fails as the visitor does.
    using SubjectVisitor = std::function<base::Result<void>(model::Subject &)>;
    [[nodiscard]] virtual base::Result<void> eachSubject(const SubjectVisitor &visit)
    {
        auto all = subjects();
        GPULEDGER_TRY(all);
        for (model::Subject &subject : *all)
            GPULEDGER_TRY(visit(subject));
        return {};
    }
    // Holders with a span in the range, ascending by id.
    [[nodiscard]] virtual base::Result<std::vector<model::Holder>> holders(base::TimeRange range) = 0;
    // The same, one at a time, so that memory holds one; the visitor may move from it. Fails as the visitor does.
    using HolderVisitor = std::function<base::Result<void>(model::Holder &)>;
    [[nodiscard]] virtual base::Result<void> eachHolder(base::TimeRange range, const HolderVisitor &visit)
    {
        auto all = holders(range);
        GPULEDGER_TRY(all);
        for (model::Holder &holder : *all)
            GPULEDGER_TRY(visit(holder));
        return {};
    }
    // All spans of the holders with a span in the range, ascending by (holder, start), coalesced.
    [[nodiscard]] virtual base::Result<std::vector<HolderSpan>> holderSpans(base::TimeRange range) = 0;
    // Clusters in which the scheduler ever named a holder.
    [[nodiscard]] virtual base::Result<std::vector<std::string>> clustersWithHolders() = 0;
    [[nodiscard]] virtual base::Result<std::vector<NodeSpan>> nodeSpans(base::TimeRange range) = 0;
    // Placements whose device has any sample; all of them if the range is empty, else those whose `seen` overlaps it.
    [[nodiscard]] virtual base::Result<std::vector<Placement>> placements(base::TimeRange range) = 0;
    // The same, one at a time. Fails as the visitor does.
    using PlacementVisitor = std::function<base::Result<void>(const Placement &)>;
    [[nodiscard]] virtual base::Result<void> eachPlacement(base::TimeRange range, const PlacementVisitor &visit)
    {
        const auto all = placements(range);
        GPULEDGER_TRY(all);
        for (const Placement &one : *all)
            GPULEDGER_TRY(visit(one));
        return {};
    }
    // Those of some devices, in the order of placements(). Fails as the visitor does.
    [[nodiscard]] virtual base::Result<void> eachPlacementOf(std::span<const base::DeviceId> devices,
                                                             base::TimeRange range, const PlacementVisitor &visit);
    // All nodes in placements({}) of each device, each pair once, in any order.
    [[nodiscard]] virtual base::Result<std::vector<DeviceNode>> deviceNodes();
    // Usage day blobs, ascending by (day, device); empty `devices` = all. A visitor's error ends the walk and is
    // returned.
    using DayVisitor = std::function<base::Result<void>(const model::DeviceDay &)>;
    [[nodiscard]] virtual base::Result<void>
    deviceDays(base::Day first, base::Day last, std::span<const base::DeviceId> devices, const DayVisitor &visit) = 0;
    // True if any source ever reported a signal.
    [[nodiscard]] virtual base::Result<bool> hasSignals() { return false; }
    // The hours of [first, last] that are known of one device, node or subject (its id), ascending.
    [[nodiscard]] virtual base::Result<std::vector<model::SignalHour>> signalHours(model::HourSignal, std::int64_t,
                                                                                   std::int64_t, std::int64_t)
    {
        return std::vector<model::SignalHour>{};
    }
    // Waits that overlap the range, and the times that overlap it in which some source recorded what waited in a
    // cluster. All of them if the range is empty.
    [[nodiscard]] virtual base::Result<PastWaiting> pastWaiting(base::TimeRange) { return PastWaiting{}; }
    // Hull of everything fetched so far ([first covered start, last covered end) over all sources); empty before the
    // first sync.
    [[nodiscard]] virtual base::Result<base::TimeRange> coveredRange() = 0;
    // The bills of a day, for the cost ledger.
    [[nodiscard]] virtual base::Result<void> billedOn(base::Day, const BilledVisitor &) { return {}; }
    // The allocators' reports for a day, ascending by source. Also fails with StorageCorrupt.
    [[nodiscard]] virtual base::Result<void> allocatedOn(base::Day, const AllocatedVisitor &) { return {}; }
    // The stored idle data; null if there are none, or if they were created under rules with another fingerprint. Lives
    // as long as the reader.
    [[nodiscard]] virtual base::Result<IdleReader *> keptIdle(const std::string &) { return nullptr; }
    // The wanted ones of eachHolder(), each with its spans as holderSpans() gives them. Whether one is wanted is asked
    // of a holder that has only its id, cluster, namespace, name, kind and owner: few of many are found much faster
    // than by these functions. Fails as both functions do.
    using HolderFilter = std::function<base::Result<bool>(const model::Holder &)>;
    using HolderSpansVisitor =
        std::function<base::Result<void>(const model::Holder &, std::span<const base::TimeRange>)>;
    [[nodiscard]] virtual base::Result<void> eachWanted(base::TimeRange range, const HolderFilter &wanted,
                                                        const HolderSpansVisitor &visit)
    {
        const auto spans = holderSpans(range);
        GPULEDGER_TRY(spans);
        auto span = spans->begin();
        return eachHolder(range, [&](const model::Holder &holder) -> base::Result<void> {
            const auto isWanted = wanted(holder);
            GPULEDGER_TRY(isWanted);
            std::vector<base::TimeRange> own;
            span = std::find_if(span, spans->end(), [&](const auto &one) { return !(one.holder < holder.id); });
            for (; span != spans->end() && span->holder == holder.id; ++span)
                own.push_back(span->range);
            return *isWanted ? visit(holder, own) : base::Result<void>();
        });
    }
};

} // namespace gpuledger::store
