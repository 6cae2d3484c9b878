// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/capacitypools.h"

#include "app/ledger/rules/ownerrules.h"
#include "app/model/fleet/listedmachine.h"
#include "app/services/savingsinputs/poolshares.h"
#include "app/services/savingsinputs/poolwaits.h"
#include "app/services/savingsinputs/smallholders.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

namespace gpuledger::services {

using base::DeviceId;
using base::Result;
using model::GpuState;
using savings::CapacityTerms;

namespace {

constexpr base::Seconds kPoolHour{3600};
constexpr int kPoolBuckets = 12;
constexpr std::size_t kPoolDayHours = 24;
constexpr std::int64_t kPoolObservedTenths = 9;

// Labels, as kube-state-metrics writes them, that tell how a node is paid for.
constexpr std::array<std::string_view, 4> kPurchaseLabels{model::kPurchaseLabel, "eks_amazonaws_com_capacityType",
                                                          "karpenter_sh_capacity_type",
                                                          "kubernetes_azure_com_scalesetpriority"};

std::string poolPurchase(const model::Node &node)
{
    for (const std::string_view label : kPurchaseLabels) {
        if (const auto found = node.labels.find(std::string(label)); found != node.labels.end()) {
            std::string text = found->second;
            std::transform(text.begin(), text.end(), text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
            std::replace(text.begin(), text.end(), '_', '-');
            return text;
        }
    }
    const auto spot = node.labels.find("cloud_google_com_gke_spot");
    return spot != node.labels.end() && spot->second == "true" ? "spot" : std::string();
}

struct PoolNode {
    savings::CapacityNode out;
    std::vector<std::uint32_t> shares; // by hour: index into the collector's lists
    std::optional<savings::SmallHold> small; // of the hour that is being read; not in `out` yet
    std::vector<DeviceId> devices; // in the order of PoolRun::device
    std::string cluster, group, machine, purchase, gpuModel;
    std::string owner;
    bool severalOwners = false, standalone = false, slurm = false, karpenter = false, recorded = false;
    int gpus = 0;
    std::int64_t unallocated = 0; // ticks
    base::Day lastDay;
    // Of the day that is being read.
    std::vector<PoolRun> held;
    std::vector<char> today; // by device
    std::array<savings::CapacityHour, kPoolDayHours> hours{};
    std::array<std::int64_t, kPoolDayHours> ticks{}, unseen{};

    std::uint16_t indexOf(DeviceId device)
    {
        const auto at = std::find(devices.begin(), devices.end(), device);
        if (at != devices.end())
            return static_cast<std::uint16_t>(at - devices.begin());
        devices.push_back(device);
        today.push_back(0);
        return static_cast<std::uint16_t>(devices.size() - 1);
    }
};

using PoolKey = std::array<std::string, 6>; // cluster, group, machine, GPU model, GPUs, purchase

class PoolCollector final : public CapacityCollector {
public:
    explicit PoolCollector(base::TimeRange range)
        : m_range{base::ceilTo(range.start, kPoolHour), base::floorTo(range.end, kPoolHour)}
        , m_hours(m_range.empty() ? 0 : static_cast<std::size_t>(m_range.length() / kPoolHour))
    {
    }

    base::TimeRange range() const override { return m_range; }

    Result<void> add(const model::DeviceAttribution &device) override
    {
        PoolNode &node = nodeOf(device);
        const std::uint16_t index = node.indexOf(device.device->id);
        const auto before = (device.day.start() - m_range.start) / base::kBucket; // buckets of the range before the day
        const auto count = static_cast<std::int64_t>(m_hours) * kPoolBuckets;
        for (const model::UsagePart &part : device.parts) {
            const std::int64_t bucket = before + part.bucket;
            if (bucket < 0 || bucket >= count || part.ticks == 0)
                continue;
            const std::size_t ofDay = part.bucket / kPoolBuckets;
            savings::CapacityHour &one = node.hours[ofDay];
            one.present = true;
            one.priced = one.priced && part.priced;
            if (part.priced && __builtin_add_overflow(one.nanos, part.costNanos, &one.nanos))
                return base::fail(base::ErrorCode::Overflow, "the cost of a node is too large");
            node.today[index] = 1;
            node.lastDay = device.day;
            node.ticks[ofDay] += part.ticks;
            node.unseen[ofDay] += part.state == GpuState::UnobservedFree ? part.ticks : 0;
            node.unallocated += part.state == GpuState::Unallocated ? part.ticks : 0;
            if (part.holder != model::kNobody)
                hold(node, index, part.bucket, 1, (*device.holders)[static_cast<std::size_t>(part.holder)]);
        }
        return {};
    }

    bool takesHours(base::Day) const override { return true; }

    Result<void> addHours(const HourPiece &piece) override
    {
        PoolNode &node = nodeOf(piece);
        const std::uint16_t index = node.indexOf(piece.device->id);
        const auto before = (piece.day.start() - m_range.start) / kPoolHour; // hours of the range before the day
        const std::int64_t hours = static_cast<std::int64_t>(m_hours) - before;
        for (const HourSpan &span : piece.spans) {
            const std::int64_t first = std::max<std::int64_t>(span.first, -before);
            const std::int64_t end = std::min(std::int64_t{span.first} + span.count, hours);
            if (span.line.ticks == 0 || first >= end)
                continue;
            for (std::int64_t ofDay = first; ofDay < end; ++ofDay)
                GPULEDGER_TRY(addLine(node, static_cast<std::size_t>(ofDay), span.line));
            node.today[index] = 1;
            node.lastDay = piece.day;
            for (const HourHold &held : piece.holdsOf(span)) {
                if (held.ticks != 0)
                    holdHours(node, index, {first, end}, held.buckets, piece.holderAt(held.holder));
            }
        }
        return {};
    }

    void endDay(base::Day day) override
    {
        for (auto &[key, node] : m_nodes) {
            node.gpus = std::max(node.gpus, static_cast<int>(std::count(node.today.begin(), node.today.end(), 1)));
            std::fill(node.today.begin(), node.today.end(), 0);
            endHours(node);
            takeBuckets(node, day);
            node.out.hours.addDay((day.start() - m_range.start) / kPoolHour, node.hours, m_hours);
            node.hours.fill({});
            keepSmallHold(node.out, node.small);
            node.held.clear();
        }
        m_small.endDay();
    }

    Result<std::vector<savings::CapacityPool>> take(const ledger::Ledger &ledger, store::FactReader &facts) override
    {
        GPULEDGER_TRY(readTerms(ledger, facts));
        std::map<PoolKey, std::vector<PoolNode *>> byPool;
        for (auto &[key, node] : m_nodes) {
            node.out.hours.padTo(m_hours);
            if (node.gpus > 0) // else no paid time in the range
                byPool[poolOf(node)].push_back(&node);
        }
        std::vector<savings::CapacityPool> out;
        for (const auto &[name, nodes] : byPool) {
            savings::CapacityPool &pool = out.emplace_back();
            begin(pool, name, *nodes.front());
            pool.nodes.reserve(nodes.size());
            PooledWork pooled;
            for (PoolNode *node : nodes) {
                m_small.join(pool, node->out, node->gpus, pooled);
                join(pool, *node);
                *node = {};
            }
        }
        GPULEDGER_TRY(addWaiting(out, facts, m_range));
        std::sort(out.begin(), out.end(), [](const auto &a, const auto &b) { return a.id < b.id; });
        return out;
    }

private:
    using NodeKey = std::pair<std::string, std::string>; // cluster and name; or empty and a device's id

    static PoolKey poolOf(const PoolNode &node)
    {
        return {node.cluster,
                node.standalone || !node.recorded ? "(no cluster)" : node.group,
                node.machine,
                node.gpuModel,
                std::to_string(node.gpus),
                node.purchase};
    }

    // An hour of which nothing is paid counts as known.
    static void endHours(PoolNode &node)
    {
        for (std::size_t i = 0; i < kPoolDayHours; ++i) {
            if (node.ticks[i] > 0)
                node.hours[i].known = node.unseen[i] * 10 <= node.ticks[i] * (10 - kPoolObservedTenths);
        }
        node.ticks.fill(0);
        node.unseen.fill(0);
    }

    // Of a piece of a day, by parts or by hours.
    template <typename Piece> PoolNode &nodeOf(const Piece &device)
    {
        if (!device.node || !m_lastPoolNode || device.node->id != m_lastNode) {
            NodeKey key = device.node ? NodeKey(device.node->cluster, device.node->name)
                                      : NodeKey({}, std::to_string(device.device->id.value));
            const auto [at, isNew] = m_nodes.try_emplace(std::move(key));
            if (isNew)
                describe(at->second, device);
            m_lastNode = device.node ? device.node->id : base::NodeId();
            m_lastPoolNode = &at->second;
        }
        PoolNode &node = *m_lastPoolNode;
        node.severalOwners = node.severalOwners || node.owner != device.nodeOwner;
        return node;
    }

    template <typename Piece> void describe(PoolNode &node, const Piece &device) const
    {
        node.cluster = device.device->cluster;
        node.gpuModel = device.gpuModel;
        node.owner = device.nodeOwner;
        node.recorded = device.node != nullptr;
        node.out.name = device.device->uuid;
        if (device.node) {
            node.out.name = device.node->name;
            node.machine = device.node->instanceType;
            node.purchase = poolPurchase(*device.node);
            node.karpenter = device.node->labels.contains("karpenter_sh_nodepool");
            if (const auto groups = ledger::nodePools(*device.node); !groups.empty())
                node.group = groups.front();
        }
        node.out.hours.reserve(m_hours);
        node.shares.resize(m_hours);
    }

    static Result<void> addLine(PoolNode &node, std::size_t ofDay, const HourLine &line)
    {
        savings::CapacityHour &one = node.hours[ofDay];
        one.present = true;
        one.priced = one.priced && !line.unpriced;
        if (__builtin_add_overflow(one.nanos, line.cost, &one.nanos))
            return base::fail(base::ErrorCode::Overflow, "the cost of a node is too large");
        node.ticks[ofDay] += line.ticks;
        node.unseen[ofDay] += line.unseen;
        node.unallocated += line.unallocated;
        return {};
    }

    // These buckets of each hour of the day in [first, end).
    void holdHours(PoolNode &node, std::uint16_t device, std::pair<std::int64_t, std::int64_t> hours,
                   std::uint16_t buckets, const model::AttributedHolder &who)
    {
        const auto bucketOf = [](std::int64_t hour) { return static_cast<std::uint16_t>(hour * kPoolBuckets); };
        if (buckets == kAllHourBuckets) {
            hold(node, device, bucketOf(hours.first), bucketOf(hours.second - hours.first), who);
            return;
        }
        for (std::int64_t hour = hours.first; hour < hours.second; ++hour) {
            for (std::uint16_t i = 0; i < kPoolBuckets; ++i) {
                if ((buckets >> i & 1) != 0)
                    hold(node, device, static_cast<std::uint16_t>(bucketOf(hour) + i), 1, who);
            }
        }
    }

    void hold(PoolNode &node, std::uint16_t device, std::uint16_t bucket, std::uint16_t count,
              const model::AttributedHolder &who)
    {
        node.standalone = node.standalone || who.what == model::SubjectKind::Machine;
        node.slurm = node.slurm || who.what == model::SubjectKind::SlurmJob;
        const std::int64_t holder = poolHolderKey(who);
        if (!node.held.empty()) {
            PoolRun &last = node.held.back();
            if (last.device == device && last.holder == holder && bucket >= last.bucket
                && bucket <= last.bucket + last.count) {
                last.count = std::max(last.count, static_cast<std::uint16_t>(bucket + count - last.bucket));
                return;
            }
        }
        node.held.push_back({holder, bucket, device, count});
        m_small.name(holder, who);
    }

    // More are held than before only where a run begins, and nothing is compared across hours.
    void takeBuckets(PoolNode &node, base::Day day)
    {
        std::stable_sort(node.held.begin(), node.held.end(),
                         [](const PoolRun &a, const PoolRun &b) { return a.bucket < b.bucket; });
        m_held.clear();
        std::vector<std::uint16_t> shares;
        auto next = node.held.cbegin();
        for (int bucket = 0; bucket < static_cast<int>(kPoolDayHours) * kPoolBuckets; ++bucket) {
            bool changes = false;
            for (; next != node.held.cend() && next->bucket == bucket; ++next) {
                m_held.push_back(*next);
                changes = true;
            }
            if (!changes && bucket % kPoolBuckets != 0)
                continue;
            changes = std::erase_if(m_held, [&](const PoolRun &run) { return run.bucket + run.count <= bucket; }) > 0
                || changes;
            if (changes)
                shares = poolShares(m_held, node.devices.size());
            if (!m_held.empty())
                takeBucket(node, static_cast<std::size_t>(bucket / kPoolBuckets), day, shares);
        }
    }

    // Keeps the bucket of each hour in which most devices were held. The shares are those of `m_held`.
    void takeBucket(PoolNode &node, std::size_t ofDay, base::Day day, const std::vector<std::uint16_t> &shares)
    {
        const int count = std::accumulate(shares.begin(), shares.end(), 0);
        savings::CapacityHour &one = node.hours[ofDay];
        if (count <= one.allocated)
            return;
        const auto hour =
            static_cast<std::size_t>((day.start() - m_range.start) / kPoolHour + static_cast<std::int64_t>(ofDay));
        one.allocated = static_cast<std::int16_t>(count);
        node.shares[hour] = m_lists.indexOf(shares);
        if (node.small && node.small->first != hour)
            keepSmallHold(node.out, node.small);
        node.small.reset(); // in place of what the hour had so far
        if (!one.known || !savings::isSmallHold(one.allocated, static_cast<int>(node.devices.size())))
            return;
        std::vector<std::int64_t> holders;
        for (const PoolRun &run : m_held)
            holders.push_back(run.holder);
        std::sort(holders.begin(), holders.end());
        node.small = m_small.hold(hour, shares, holders);
    }

    Result<void> readTerms(const ledger::Ledger &ledger, store::FactReader &facts)
    {
        std::map<base::Day, std::vector<PoolNode *>> byDay;
        for (auto &[key, node] : m_nodes) {
            if (node.gpus > 0)
                byDay[node.lastDay].push_back(&node);
        }
        for (const auto &[day, nodes] : byDay) {
            std::vector<model::PlacedDevice> placed;
            for (const PoolNode *node : nodes)
                placed.push_back({node->devices.front(), node->cluster, node->recorded ? node->out.name : ""});
            const base::UtcTime at = std::min(m_range.end, day.end()) - base::Seconds{1};
            const auto told = ledger.costTerms(facts, placed, at);
            GPULEDGER_TRY(told);
            for (PoolNode *node : nodes) {
                const auto found = told->find(node->devices.front());
                node->out.terms = termsOf(found == told->end() ? model::Recovery::Unknown : found->second);
            }
        }
        return {};
    }

    static CapacityTerms termsOf(model::Recovery recovery)
    {
        switch (recovery) {
        case model::Recovery::Now:
        case model::Recovery::WithMachine:
            return CapacityTerms::Ends;
        case model::Recovery::AtDate:
        case model::Recovery::Never:
            return CapacityTerms::Sunk;
        case model::Recovery::Unknown:
            break;
        }
        return CapacityTerms::Unknown;
    }

    void begin(savings::CapacityPool &pool, const PoolKey &name, const PoolNode &node) const
    {
        for (const std::string &part : name) {
            if (&part != &name.back() || !part.empty())
                pool.id += (&part == &name.front() ? "" : "/") + part;
        }
        pool.name = node.cluster.empty() ? std::string() : node.cluster + ": ";
        for (const std::string &part :
             {name[1], node.machine, std::to_string(node.gpus) + " x " + node.gpuModel, node.purchase}) {
            if (!part.empty())
                pool.name += (pool.name.empty() || pool.name.ends_with(": ") ? "" : ", ") + part;
        }
        pool.cluster = node.cluster;
        pool.group = node.group;
        pool.owner = node.owner;
        pool.standalone = node.standalone || !node.recorded;
        pool.scaler = node.slurm ? savings::CapacityScaler::Slurm
            : node.karpenter     ? savings::CapacityScaler::Karpenter
                                 : savings::CapacityScaler::ClusterAutoscaler;
        pool.gpus = node.gpus;
        pool.gpuModel = node.gpuModel;
        pool.hours = m_hours;
        pool.start = m_range.start;
        pool.shares.resize(m_hours);
    }

    void join(savings::CapacityPool &pool, PoolNode &node) const
    {
        if (node.severalOwners || node.owner != pool.owner || node.owner == ledger::kShared)
            pool.owner.clear();
        if (node.slurm)
            pool.scaler = savings::CapacityScaler::Slurm;
        pool.unallocated.ticks += node.unallocated;
        for (std::size_t hour = 0; hour < m_hours; ++hour) {
            if (!node.out.hours[hour].known)
                continue;
            for (const std::uint16_t share : m_lists.at(node.shares[hour]))
                pool.shares[hour].add(share);
        }
        for (const DeviceId device : node.devices)
            node.out.devices.push_back(std::to_string(device.value));
        pool.nodes.push_back(std::move(node.out));
    }

    const base::TimeRange m_range;
    const std::size_t m_hours;
    std::map<NodeKey, PoolNode> m_nodes;
    base::NodeId m_lastNode; // of the last piece with a node
    PoolNode *m_lastPoolNode = nullptr;
    std::vector<PoolRun> m_held; // at one time on the node whose day ends
    ShareLists m_lists;
    SmallHolders m_small;
};

} // namespace

std::unique_ptr<CapacityCollector> capacityCollector(base::TimeRange range)
{
    return std::make_unique<PoolCollector>(range);
}

} // namespace gpuledger::services
