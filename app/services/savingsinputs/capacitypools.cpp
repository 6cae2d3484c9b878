// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/capacitypools.h"

#include "app/ledger/rules/ownerrules.h"
#include "app/services/savingsinputs/poolshares.h"
#include "app/services/savingsinputs/poolwaits.h"
#include "app/services/savingsinputs/smallholders.h"

#include <algorithm>
#include <array>
#include <bitset>
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
constexpr std::array<std::string_view, 3> kPurchaseLabels{
    "eks_amazonaws_com_capacityType", "karpenter_sh_capacity_type", "kubernetes_azure_com_scalesetpriority"};

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
    std::vector<std::uint16_t> shares, shareCounts; // of all hours; how many each hour has
    std::optional<savings::SmallHold> small; // of the hour that is being read; not in `out` yet
    std::vector<DeviceId> devices; // in the order of PoolHeld::device
    std::string cluster, group, machine, purchase, gpuModel;
    std::string owner;
    bool severalOwners = false, standalone = false, slurm = false, karpenter = false, recorded = false;
    int gpus = 0;
    std::int64_t unallocated = 0; // ticks
    base::Day lastDay;
    // Of the day that is being read.
    std::vector<PoolRun> held;
    std::vector<char> today; // by device
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
            const auto hour = static_cast<std::size_t>(bucket / kPoolBuckets);
            savings::CapacityHour &one = node.out.hours[hour];
            one.present = true;
            one.priced = one.priced && part.priced;
            if (part.priced && __builtin_add_overflow(one.nanos, part.costNanos, &one.nanos))
                return base::fail(base::ErrorCode::Overflow, "the cost of a node is too large");
            node.today[index] = 1;
            node.lastDay = device.day;
            const std::size_t ofDay = part.bucket / kPoolBuckets;
            node.ticks[ofDay] += part.ticks;
            node.unseen[ofDay] += part.state == GpuState::UnobservedFree ? part.ticks : 0;
            node.unallocated += part.state == GpuState::Unallocated ? part.ticks : 0;
            if (part.holder != model::kNobody)
                hold(node, index, part.bucket, (*device.holders)[static_cast<std::size_t>(part.holder)]);
        }
        return {};
    }

    bool takesHours(base::Day) const override { return true; }

    Result<void> addHours(const HourPiece &piece) override
    {
        PoolNode &node = nodeOf(piece);
        const std::uint16_t index = node.indexOf(piece.device->id);
        const auto before = (piece.day.start() - m_range.start) / kPoolHour; // hours of the range before the day
        for (const HourSpan &span : piece.spans) {
            for (std::size_t ofDay = span.first; ofDay < std::size_t{span.first} + span.count; ++ofDay) {
                const std::int64_t hour = before + static_cast<std::int64_t>(ofDay);
                if (hour < 0 || hour >= static_cast<std::int64_t>(m_hours) || span.line.ticks == 0)
                    continue;
                GPULEDGER_TRY(addLine(node, static_cast<std::size_t>(hour), ofDay, span.line));
                node.today[index] = 1;
                node.lastDay = piece.day;
                for (const HourHold &held : piece.holdsOf(span)) {
                    if (held.ticks != 0)
                        holdHour(node, index, ofDay, held.buckets, piece.holderAt(held.holder));
                }
            }
        }
        return {};
    }

    void endDay(base::Day day) override
    {
        for (auto &[key, node] : m_nodes) {
            node.gpus = std::max(node.gpus, static_cast<int>(std::count(node.today.begin(), node.today.end(), 1)));
            std::fill(node.today.begin(), node.today.end(), 0);
            endHours(node, day);
            m_buckets.clear();
            // More are held than before only where a run begins, and nothing is compared across hours.
            std::bitset<kPoolDayHours * kPoolBuckets> begins;
            for (const PoolRun &run : node.held)
                begins.set(run.bucket);
            for (const PoolRun &run : node.held) {
                for (std::uint16_t bucket = run.bucket; bucket < run.bucket + run.count; ++bucket) {
                    if (bucket % kPoolBuckets == 0 || begins[bucket])
                        m_buckets.push_back({bucket, run.device, run.holder});
                }
            }
            std::stable_sort(m_buckets.begin(), m_buckets.end(),
                             [](const PoolHeld &a, const PoolHeld &b) { return a.bucket < b.bucket; });
            const PoolHeld *const end = m_buckets.data() + m_buckets.size();
            for (const PoolHeld *first = m_buckets.data(); first != end;) {
                const PoolHeld *const next =
                    std::find_if(first, end, [&](const PoolHeld &part) { return part.bucket != first->bucket; });
                takeBucket(node, day, first, next);
                first = next;
            }
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
            if (node.gpus > 0) // else no paid time in the range
                byPool[poolOf(node)].push_back(&node);
        }
        std::vector<savings::CapacityPool> out;
        for (const auto &[name, nodes] : byPool) {
            savings::CapacityPool &pool = out.emplace_back();
            begin(pool, name, *nodes.front());
            reserveShares(pool, nodes);
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
    void endHours(PoolNode &node, base::Day day) const
    {
        for (std::size_t i = 0; i < kPoolDayHours; ++i) {
            if (node.ticks[i] > 0)
                node.out.hours[hourOf(day, static_cast<std::uint16_t>(i * kPoolBuckets))].known =
                    node.unseen[i] * 10 <= node.ticks[i] * (10 - kPoolObservedTenths);
        }
        node.ticks.fill(0);
        node.unseen.fill(0);
    }

    std::size_t hourOf(base::Day day, std::uint16_t bucket) const
    {
        return static_cast<std::size_t>((day.start() + bucket * base::kBucket - m_range.start) / kPoolHour);
    }

    // Of a piece of a day, by parts or by hours.
    template <typename Piece> PoolNode &nodeOf(const Piece &device)
    {
        NodeKey key = device.node ? NodeKey(device.node->cluster, device.node->name)
                                  : NodeKey({}, std::to_string(device.device->id.value));
        const auto [at, isNew] = m_nodes.try_emplace(std::move(key));
        PoolNode &node = at->second;
        if (isNew)
            describe(node, device);
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
        node.out.hours.resize(m_hours);
        node.shareCounts.resize(m_hours);
    }

    static Result<void> addLine(PoolNode &node, std::size_t hour, std::size_t ofDay, const HourLine &line)
    {
        savings::CapacityHour &one = node.out.hours[hour];
        one.present = true;
        one.priced = one.priced && !line.unpriced;
        if (__builtin_add_overflow(one.nanos, line.cost, &one.nanos))
            return base::fail(base::ErrorCode::Overflow, "the cost of a node is too large");
        node.ticks[ofDay] += line.ticks;
        node.unseen[ofDay] += line.unseen;
        node.unallocated += line.unallocated;
        return {};
    }

    void holdHour(PoolNode &node, std::uint16_t device, std::size_t hour, std::uint16_t buckets,
                  const model::AttributedHolder &who)
    {
        for (std::size_t i = 0; i < kPoolBuckets; ++i) {
            if ((buckets >> i & 1) != 0)
                hold(node, device, static_cast<std::uint16_t>(hour * kPoolBuckets + i), who);
        }
    }

    void hold(PoolNode &node, std::uint16_t device, std::uint16_t bucket, const model::AttributedHolder &who)
    {
        node.standalone = node.standalone || who.what == model::SubjectKind::Machine;
        node.slurm = node.slurm || who.what == model::SubjectKind::SlurmJob;
        const std::int64_t holder = poolHolderKey(who);
        if (!node.held.empty()) {
            PoolRun &last = node.held.back();
            const bool isSame = last.device == device && last.holder == holder;
            if (isSame && last.bucket + last.count == bucket)
                ++last.count;
            if (isSame && bucket >= last.bucket && bucket < last.bucket + last.count)
                return;
        }
        node.held.push_back({holder, bucket, device, 1});
        m_small.name(holder, who);
    }

    // In place of what the hour had so far.
    void takeSmall(PoolNode &node, std::size_t hour, std::vector<std::uint16_t> shares, const PoolHeld *first,
                   const PoolHeld *end)
    {
        if (node.small && node.small->first != hour)
            keepSmallHold(node.out, node.small);
        node.small.reset();
        const savings::CapacityHour &one = node.out.hours[hour];
        if (!one.known || !savings::isSmallHold(one.allocated, static_cast<int>(node.devices.size())))
            return;
        std::vector<std::int64_t> holders;
        for (const PoolHeld *part = first; part != end; ++part)
            holders.push_back(part->holder);
        node.small = m_small.hold(hour, std::move(shares), holders);
    }

    // Keeps the bucket of each hour in which most devices were held.
    void takeBucket(PoolNode &node, base::Day day, const PoolHeld *first, const PoolHeld *end)
    {
        const std::size_t hour = hourOf(day, first->bucket);
        std::vector<char> seen(node.devices.size(), 0);
        std::int16_t count = 0;
        for (const PoolHeld *part = first; part != end; ++part)
            count = static_cast<std::int16_t>(count + (std::exchange(seen[part->device], 1) ? 0 : 1));
        if (count <= node.out.hours[hour].allocated)
            return;
        node.out.hours[hour].allocated = count;
        auto shares = poolShares(first, end, node.devices.size());
        node.shares.resize(node.shares.size() - node.shareCounts[hour]); // this hour's are the last so far
        node.shares.insert(node.shares.end(), shares.begin(), shares.end());
        node.shareCounts[hour] = static_cast<std::uint16_t>(shares.size());
        takeSmall(node, hour, std::move(shares), first, end);
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

    void reserveShares(savings::CapacityPool &pool, const std::vector<PoolNode *> &nodes) const
    {
        for (std::size_t hour = 0; hour < m_hours; ++hour) {
            std::size_t count = 0;
            for (const PoolNode *node : nodes)
                count += node->out.hours[hour].known ? node->shareCounts[hour] : 0;
            pool.shares[hour].reserve(count);
        }
        pool.nodes.reserve(nodes.size());
    }

    void join(savings::CapacityPool &pool, PoolNode &node) const
    {
        if (node.severalOwners || node.owner != pool.owner || node.owner == ledger::kShared)
            pool.owner.clear();
        if (node.slurm)
            pool.scaler = savings::CapacityScaler::Slurm;
        pool.unallocated.ticks += node.unallocated;
        auto share = node.shares.cbegin();
        for (std::size_t hour = 0; hour < m_hours; ++hour) {
            const auto end = share + node.shareCounts[hour];
            if (node.out.hours[hour].known)
                pool.shares[hour].insert(pool.shares[hour].end(), share, end);
            share = end;
        }
        for (const DeviceId device : node.devices)
            node.out.devices.push_back(std::to_string(device.value));
        pool.nodes.push_back(std::move(node.out));
    }

    const base::TimeRange m_range;
    const std::size_t m_hours;
    std::map<NodeKey, PoolNode> m_nodes;
    std::vector<PoolHeld> m_buckets; // of the node whose day ends
    SmallHolders m_small;
};

} // namespace

std::unique_ptr<CapacityCollector> capacityCollector(base::TimeRange range)
{
    return std::make_unique<PoolCollector>(range);
}

} // namespace gpuledger::services
