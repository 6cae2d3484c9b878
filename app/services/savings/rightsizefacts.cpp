// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savings/rightsizefacts.h"

#include "app/insight/query/measuresums.h"
#include "app/ledger/expectedrates.h"
#include "app/services/savings/rightsizeuse.h"
#include "app/services/savings/schedulefacts.h"
#include "app/store/idle/idletail.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace gpuledger::services {

using base::DeviceId;
using base::GpuTime;
using base::Result;
using model::Recovery;
using model::WorkloadKind;
using savings::RightSizeWorkload;

namespace {

constexpr base::Seconds kSizedHour{3600};
constexpr std::uint16_t kSizedBuckets = 12; // of an hour
constexpr std::size_t kSizedHours = 24; // of a day
using DayBuckets = std::bitset<kSizedHours * kSizedBuckets>;

bool addSized(std::int64_t &sum, std::int64_t amount)
{
    return !__builtin_add_overflow(sum, amount, &sum);
}

savings::WorkTier tierOf(const model::AttributedHolder &who)
{
    if (who.kind == WorkloadKind::Training || who.kind == WorkloadKind::Batch)
        return savings::WorkTier::Batch;
    return schedulableAs(who) ? savings::WorkTier::Development : savings::WorkTier::Production;
}

savings::RightSizeGpu gpuOf(const ledger::GpuFacts &facts)
{
    return {facts.model,
            facts.vendor,
            facts.memoryGib * 1024,
            facts.fp16DenseTflops,
            facts.fp8DenseTflops,
            facts.memoryBandwidthGbs,
            facts.nvlinkGbs,
            facts.computeCapability,
            facts.computeSlices,
            facts.migProfiles};
}

savings::PriceRegion regionOf(ledger::PriceBook::Region region)
{
    using Region = ledger::PriceBook::Region;
    return region == Region::Own  ? savings::PriceRegion::Own
        : region == Region::Other ? savings::PriceRegion::Other
                                  : savings::PriceRegion::Unknown;
}

// A part of a device that was held in a bucket.
struct SizedPart {
    std::uint16_t bucket = 0, device = 0; // of the day; of the machine
    std::int32_t workload = 0;
    std::int64_t holder = 0, ticks = 0;
    bool used = false, priced = false;
};

struct SizedMachine {
    std::string cluster, type;
    std::int32_t market = -1;
    Recovery terms = Recovery::Unknown;
    bool spot = false;
    std::vector<DeviceId> devices; // of the day, as the rest
    std::vector<std::array<std::int64_t, kSizedHours>> ticks; // by device
    std::array<std::int64_t, kSizedHours> cost{}, base{};
    std::array<bool, kSizedHours> foreign{}; // used by work without a claim, or that may be
    std::array<bool, kSizedHours> unpriced{}; // in part
    std::vector<SizedPart> parts;

    std::uint16_t indexOf(DeviceId device)
    {
        const auto at = std::find(devices.begin(), devices.end(), device);
        if (at != devices.end())
            return static_cast<std::uint16_t>(at - devices.begin());
        devices.push_back(device);
        ticks.emplace_back().fill(0);
        return static_cast<std::uint16_t>(devices.size() - 1);
    }
    void clearDay()
    {
        devices.clear();
        ticks.clear();
        cost.fill(0);
        base.fill(0);
        foreign.fill(false);
        unpriced.fill(false);
        parts.clear();
    }
};

class RightSizeReader {
public:
    RightSizeReader(const RightSizeQuestion &question, const ledger::GpuCatalog &catalog,
                    const ledger::PriceBook &prices, model::CostTerms terms)
        : m_range(question.range)
        , m_threshold(question.threshold)
        , m_spotNodes(question.spotNodes)
        , m_catalog(catalog)
        , m_prices(prices)
        , m_terms(std::move(terms))
    {
        m_past.currency = question.currency;
        m_past.hours = static_cast<std::int32_t>(m_range.length() / kSizedHour);
    }

    Result<savings::RightSizePast> read(store::AttributionReader &facts, const std::stop_token &stop)
    {
        if (m_past.hours == 0)
            return std::move(m_past);
        const base::Day last = base::dayOf(m_range.end - base::Seconds{1});
        for (base::Day day = base::dayOf(m_range.start); day <= last; ++day.number) {
            GPULEDGER_TRY(facts.walk(day, day, {}, [&](const model::DeviceAttribution &device) -> Result<void> {
                if (stop.stop_requested())
                    return base::fail(base::ErrorCode::Cancelled, "cancelled");
                add(device);
                return {};
            }));
            for (auto &[key, machine] : m_machines) {
                settle(machine, day);
                machine.clearDay();
            }
            m_holderBuckets.clear();
            m_trainingBuckets.clear();
        }
        if (!m_fits)
            return base::fail(base::ErrorCode::Overflow, "the cost of a workload is too large");
        for (std::size_t i = 0; i < m_past.workloads.size(); ++i) {
            for (const DeviceId device : m_state[i].devices)
                m_past.workloads[i].resources.push_back(std::to_string(device.value));
            for (const auto &[hour, one] : m_state[i].hours)
                m_past.workloads[i].hours.push_back(one);
        }
        return std::move(m_past);
    }

private:
    struct State { // beside a workload
        std::set<DeviceId> devices;
        std::map<std::int32_t, savings::RightSizeHour> hours;
        bool placed = false, severalMachines = false;
    };

    void add(const model::DeviceAttribution &device)
    {
        SizedMachine &machine = machineOf(device);
        const std::uint16_t index = machine.indexOf(device.device->id);
        const std::int32_t gpu = gpuIndexOf(device.gpuModel);
        m_known.clear();
        for (const model::UsagePart &part : device.parts) {
            const base::UtcTime at = device.day.start() + part.bucket * base::kBucket;
            if (!m_range.contains(at) || part.ticks == 0)
                continue;
            const std::size_t hour = part.bucket / kSizedBuckets;
            machine.ticks[index][hour] += part.ticks;
            const std::int64_t cost = part.priced ? part.costNanos : 0;
            m_fits = addSized(machine.cost[hour], cost) && m_fits;
            m_fits = addSized(machine.base[hour], part.listed ? std::min(cost, part.listNanos) : cost) && m_fits;
            machine.unpriced[hour] = machine.unpriced[hour] || !part.priced;
            if (!store::isHeld(part)) {
                machine.foreign[hour] = machine.foreign[hour] || isUsedByOthers(part, m_threshold);
                continue;
            }
            const model::AttributedHolder &who = (*device.holders)[static_cast<std::size_t>(part.holder)];
            const std::int32_t workload = workloadOf(part.holder, who);
            RightSizeWorkload &one = m_past.workloads[static_cast<std::size_t>(workload)];
            notePlace(one, m_state[static_cast<std::size_t>(workload)], machine, gpu);
            const auto now = static_cast<std::int32_t>((at - m_range.start) / kSizedHour);
            one.firstHour = one.held.ticks == 0 ? now : std::min(one.firstHour, now);
            one.lastHour = std::max(one.lastHour, now);
            m_fits = addSized(one.cost, cost) && m_fits;
            machine.parts.push_back(
                {part.bucket, index, workload, holderKey(who), part.ticks, addSizedUse(one, part), part.priced});
        }
    }

    static std::int64_t holderKey(const model::AttributedHolder &who)
    {
        return who.holder ? 2 * who.holder.value : 2 * who.subject.value + 1;
    }

    static void notePlace(RightSizeWorkload &one, State &state, const SizedMachine &machine, std::int32_t gpu)
    {
        if (!std::exchange(state.placed, true)) {
            one.gpu = gpu;
            one.market = machine.market;
            one.machine = machine.type;
            return;
        }
        one.severalModels = one.severalModels || one.gpu != gpu;
        one.severalMarkets = one.severalMarkets || one.market != machine.market;
        if (one.machine != machine.type)
            one.machine.clear();
    }

    SizedMachine &machineOf(const model::DeviceAttribution &device)
    {
        const auto key = device.node ? std::pair(device.node->cluster, device.node->name)
                                     : std::pair(std::string(), std::to_string(device.device->id.value));
        const auto [at, isNew] = m_machines.try_emplace(key);
        SizedMachine &machine = at->second;
        if (isNew) {
            machine.cluster = device.device->cluster;
            if (device.node) {
                machine.type = device.node->instanceType;
                machine.market = marketOf(*device.node);
                machine.spot = ledger::isSpotNode(*device.node) || m_spotNodes.contains(device.node->id);
            }
            const auto told = m_terms.find(device.device->id);
            machine.terms = told == m_terms.end() ? Recovery::Unknown : told->second;
        }
        return machine;
    }

    std::int32_t marketOf(const model::Node &node)
    {
        if (node.cloud.empty())
            return -1;
        const auto [at, isNew] = m_markets.try_emplace(std::tuple(node.cloud, node.region, node.cluster),
                                                       static_cast<std::int32_t>(m_past.markets.size()));
        if (!isNew)
            return at->second;
        auto &market = m_past.markets.emplace_back();
        m_past.places.push_back({node.cloud, node.region});
        for (const ledger::PriceBook::Offer &offer :
             m_prices.offers(node.cloud, node.region, node.cluster, m_range.end)) {
            const ledger::GpuFacts *facts = m_catalog.find(offer.machine->gpuModel);
            if (facts)
                market.push_back({offer.machine->instanceType, gpuOf(*facts), static_cast<int>(offer.machine->devices),
                                  offer.perHour, offer.source, offer.machine->shape.vcpus, offer.machine->shape.memory,
                                  regionOf(offer.region)});
        }
        return at->second;
    }

    std::int32_t gpuIndexOf(const std::string &model)
    {
        const ledger::GpuFacts *facts = m_catalog.find(model);
        if (!facts)
            return -1;
        const auto [at, isNew] = m_gpus.try_emplace(facts->model, static_cast<std::int32_t>(m_past.gpus.size()));
        if (isNew)
            m_past.gpus.push_back(gpuOf(*facts));
        return at->second;
    }

    std::int32_t workloadOf(std::int32_t holder, const model::AttributedHolder &who)
    {
        for (const auto &[known, workload] : m_known) {
            if (known == holder)
                return workload;
        }
        const std::int32_t workload = workloadOf(who);
        m_known.emplace_back(holder, workload);
        return workload;
    }

    // Days are read in order, so that what changes (team, kind) is the newest in the end.
    std::int32_t workloadOf(const model::AttributedHolder &who)
    {
        const std::string target =
            insight::workloadName(who.nameSpace, who.ownerKind, who.ownerName, who.name, who.what);
        const auto [at, isNew] =
            m_workloads.try_emplace(std::pair(who.cluster, target), static_cast<std::int32_t>(m_past.workloads.size()));
        if (isNew) {
            m_past.workloads.emplace_back();
            m_state.emplace_back();
        }
        RightSizeWorkload &one = m_past.workloads[static_cast<std::size_t>(at->second)];
        one.id = "right-size:" + who.cluster + "/" + target;
        one.target = target;
        one.owner = who.team;
        one.cluster = who.cluster;
        one.nameSpace = who.nameSpace;
        one.controllerKind = who.ownerKind;
        one.controllerName = who.ownerName;
        one.pod = who.what == model::SubjectKind::Pod;
        one.tier = tierOf(who);
        one.training = who.kind == WorkloadKind::Training;
        one.inference = who.kind == WorkloadKind::Inference || who.kind == WorkloadKind::Unknown;
        return at->second;
    }

    void settle(SizedMachine &machine, base::Day day)
    {
        std::stable_sort(machine.parts.begin(), machine.parts.end(),
                         [](const SizedPart &a, const SizedPart &b) { return a.bucket < b.bucket; });
        noteBuckets(machine);
        const SizedPart *const end = machine.parts.data() + machine.parts.size();
        const auto isSame = [](const SizedPart &a, const SizedPart &b) {
            return std::tuple(a.device, a.workload, a.holder, a.used)
                == std::tuple(b.device, b.workload, b.holder, b.used);
        };
        const SizedPart *before = machine.parts.data(); // most buckets are like the one before
        for (const SizedPart *first = before; first != end;) {
            const SizedPart *const next =
                std::find_if(first, end, [&](const SizedPart &part) { return part.bucket != first->bucket; });
            if (before == first || !std::equal(before, first, first, next, isSame))
                countDevices(machine, first, next);
            before = std::exchange(first, next);
        }
        for (const SizedPart *first = machine.parts.data(); first != end;) {
            const std::size_t hour = first->bucket / kSizedBuckets;
            const SizedPart *const next = std::find_if(first, end, [&](const SizedPart &part) {
                return part.bucket / kSizedBuckets != static_cast<int>(hour);
            });
            settleHour(machine, day, hour, first, next);
            first = next;
        }
    }

    // Notes work that had parts of two machines in the same bucket.
    void noteBuckets(const SizedMachine &machine)
    {
        std::map<std::int64_t, std::pair<std::int32_t, DayBuckets>> holders; // with its workload
        std::map<std::int32_t, DayBuckets> trainings;
        for (const SizedPart &part : machine.parts) {
            auto &[workload, buckets] = holders[part.holder];
            workload = part.workload;
            buckets.set(part.bucket);
            if (m_past.workloads[static_cast<std::size_t>(workload)].training)
                trainings[workload].set(part.bucket);
        }
        const auto note = [&](std::int32_t workload, DayBuckets &before, const DayBuckets &now) {
            RightSizeWorkload &one = m_past.workloads[static_cast<std::size_t>(workload)];
            one.spread = one.spread || (before & now).any();
            before |= now;
        };
        for (const auto &[holder, own] : holders)
            note(own.first, m_holderBuckets[holder], own.second);
        for (const auto &[workload, buckets] : trainings)
            note(workload, m_trainingBuckets[workload], buckets);
    }

    // The parts of one bucket.
    void countDevices(const SizedMachine &machine, const SizedPart *first, const SizedPart *end)
    {
        std::map<std::int32_t, std::pair<std::set<std::uint16_t>, std::set<std::uint16_t>>> byWorkload; // held, used
        std::map<std::pair<std::int32_t, std::int64_t>, std::set<std::uint16_t>> byHolder; // used
        for (const SizedPart *part = first; part != end; ++part) {
            byWorkload[part->workload].first.insert(part->device);
            if (!part->used)
                continue;
            byWorkload[part->workload].second.insert(part->device);
            byHolder[{part->workload, part->holder}].insert(part->device);
        }
        for (const auto &[workload, devices] : byWorkload) {
            RightSizeWorkload &one = m_past.workloads[static_cast<std::size_t>(workload)];
            one.machineGpus = std::max(one.machineGpus, static_cast<int>(machine.devices.size()));
            one.heldGpus = std::max(one.heldGpus, static_cast<int>(devices.first.size()));
            one.usedGpus = std::max(one.usedGpus, static_cast<int>(devices.second.size()));
        }
        for (const auto &[key, devices] : byHolder) {
            RightSizeWorkload &one = m_past.workloads[static_cast<std::size_t>(key.first)];
            one.podGpus = std::max(one.podGpus, static_cast<int>(devices.size()));
        }
    }

    void settleHour(const SizedMachine &machine, base::Day day, std::size_t hour, const SizedPart *first,
                    const SizedPart *end)
    {
        const std::int32_t only = first->workload;
        const bool isShared = machine.foreign[hour]
            || std::any_of(first, end, [&](const SizedPart &part) { return part.workload != only; });
        const bool ends = machine.terms == Recovery::Now || machine.terms == Recovery::WithMachine;
        const bool hasPrice = !machine.unpriced[hour] || isShared || !ends; // of the money that would count
        for (const SizedPart *part = first; part != end; ++part) {
            RightSizeWorkload &one = m_past.workloads[static_cast<std::size_t>(part->workload)];
            if (!part->priced || !hasPrice)
                one.unpriced += GpuTime{part->ticks};
            if (machine.spot)
                one.spot += GpuTime{part->ticks};
            if (machine.terms == Recovery::Unknown)
                one.unknown += GpuTime{part->ticks};
            else if (!ends)
                one.sunk += GpuTime{part->ticks};
            else if (isShared)
                one.shared += GpuTime{part->ticks};
        }
        if (isShared || !ends || !hasPrice)
            return;
        State &state = m_state[static_cast<std::size_t>(only)];
        const auto now = static_cast<std::int32_t>(
            (day.start() + static_cast<std::int64_t>(hour) * kSizedHour - m_range.start) / kSizedHour);
        savings::RightSizeHour &out = state.hours[now];
        out.hour = now;
        m_fits = addSized(out.cost, machine.cost[hour]) && m_fits;
        m_fits = addSized(out.base, machine.base[hour]) && m_fits;
        std::int64_t ticks = 0; // of the device that was paid longest: machines are paid as a whole
        for (const auto &device : machine.ticks)
            ticks = std::max(ticks, device[hour]);
        const std::int64_t seconds = (ticks + GpuTime::kTicksPerSecond - 1) / GpuTime::kTicksPerSecond;
        out.machineSeconds += seconds;
        if (machine.spot) {
            m_fits = addSized(out.spotCost, machine.cost[hour]) && m_fits;
            m_fits = addSized(out.spotBase, machine.base[hour]) && m_fits;
            out.spotSeconds += seconds;
        }
        state.devices.insert(machine.devices.begin(), machine.devices.end());
    }

    const base::TimeRange m_range;
    const std::uint16_t m_threshold;
    const std::set<base::NodeId> m_spotNodes;
    const ledger::GpuCatalog &m_catalog;
    const ledger::PriceBook &m_prices;
    const model::CostTerms m_terms;
    savings::RightSizePast m_past;
    std::vector<State> m_state; // by workload
    std::map<std::pair<std::string, std::string>, std::int32_t> m_workloads; // cluster and name
    std::map<std::pair<std::string, std::string>, SizedMachine> m_machines;
    std::map<std::tuple<std::string, std::string, std::string>, std::int32_t> m_markets; // cloud, region, cluster
    std::map<std::string, std::int32_t> m_gpus; // by model
    std::vector<std::pair<std::int32_t, std::int32_t>> m_known; // of the current device: holder and workload
    std::map<std::int64_t, DayBuckets> m_holderBuckets; // of the day, over the machines so far
    std::map<std::int32_t, DayBuckets> m_trainingBuckets;
    bool m_fits = true;
};

} // namespace

Result<savings::RightSizePast> rightSizePast(store::AttributionReader &facts, const RightSizeQuestion &question,
                                             const ledger::GpuCatalog &catalog, const ledger::PriceBook &prices,
                                             const insight::TermsOf &terms, const std::stop_token &stop)
{
    model::CostTerms told;
    if (facts.facts() && terms) {
        const auto placed = placedDevices(*facts.facts(), question.range);
        GPULEDGER_TRY(placed);
        auto answer = terms(*placed, question.range.end);
        GPULEDGER_TRY(answer);
        told = std::move(*answer);
    }
    return RightSizeReader(question, catalog, prices, std::move(told)).read(facts, stop);
}

} // namespace gpuledger::services
