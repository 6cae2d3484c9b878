// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/rightsizefacts.h"

#include "app/ledger/rates/expectedrates.h"
#include "app/services/savingsinputs/recentholders.h"
#include "app/services/savingsinputs/rightsizemachine.h"
#include "app/services/savingsinputs/rightsizeuse.h"
#include "app/services/savingsinputs/rightsizeworkloads.h"
#include "app/services/savingsinputs/schedulefacts.h"
#include "app/store/idle/idletail.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace gpuledger::services {

using base::DeviceId;
using base::GpuTime;
using base::Result;
using model::Recovery;
using savings::RightSizeWorkload;

namespace {

constexpr base::Seconds kSizedHour{3600};
constexpr std::int32_t kSizedWeek = 168;

bool addSized(std::int64_t &sum, std::int64_t amount)
{
    return !__builtin_add_overflow(sum, amount, &sum);
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

class RightSizeReader final : public RightSizeCollector {
public:
    RightSizeReader(const RightSizeQuestion &question, const ledger::GpuCatalog &catalog,
                    const ledger::PriceBook &prices, model::CostTerms terms)
        : m_range(question.range)
        , m_threshold(question.threshold)
        , m_spotNodes(question.spotNodes)
        , m_catalog(catalog)
        , m_prices(prices)
        , m_terms(std::move(terms))
        , m_recentOnly(question.recentOnly)
    {
        m_past.currency = question.currency;
        m_past.start = m_range.start;
        m_past.hours = static_cast<std::int32_t>(m_range.length() / kSizedHour);
    }

    base::TimeRange range() const override { return m_range; }

    // Before the first day: what held something in the last week, so that nothing has to be kept of what ended before.
    Result<void> findRecent(store::AttributionReader &facts, const std::stop_token &stop, KeptDays *kept)
    {
        if (!m_recentOnly || m_past.hours <= kSizedWeek)
            return {};
        m_workloads.keepOnly();
        RecentHolders recent({m_range.start + (m_past.hours - kSizedWeek) * kSizedHour, m_range.end}, m_workloads);
        DayCollector *const only = &recent;
        return collectDays(facts, {&only, 1}, stop, kept);
    }

    Result<void> add(const model::DeviceAttribution &device) override
    {
        addParts(device);
        return {};
    }

    // What was used of a device is stored for the whole day.
    bool takesHours(base::Day day) const override { return m_range.start <= day.start() && day.end() <= m_range.end; }

    Result<void> addHours(const HourPiece &piece) override
    {
        SizedMachine &machine = machineOf(piece);
        const std::uint16_t index = machine.indexOf(piece.device->id);
        const std::int32_t gpu = gpuIndexOf(piece.gpuModel);
        const auto before = static_cast<std::int32_t>((piece.day.start() - m_range.start) / kSizedHour);
        m_known.clear();
        for (const HourSpan &span : piece.spans) {
            for (std::size_t hour = span.first; hour < std::size_t{span.first} + span.count; ++hour) {
                if (span.line.ticks == 0)
                    continue;
                addLine(machine, index, hour, span.line);
                for (const HourHold &held : piece.holdsOf(span)) {
                    if (held.ticks != 0)
                        addHold(machine, {index, gpu, hour, before + static_cast<std::int32_t>(hour)}, held,
                                piece.holderAt(held.holder));
                }
            }
        }
        for (const HolderUse &use : piece.uses)
            addUse(m_workloads.at(workloadOf(static_cast<std::int32_t>(use.holder), piece.holderAt(use.holder))), use);
        return {};
    }

    void endDay(base::Day day) override
    {
        for (auto &[key, machine] : m_machines) {
            settle(machine, day);
            machine.clearDay();
        }
        m_holderBuckets.clear();
        m_trainingBuckets.clear();
        m_workloads.endDay();
    }

    Result<savings::RightSizePast> take() override
    {
        if (m_past.hours == 0)
            return std::move(m_past);
        m_fits = m_workloads.take(m_past) && m_fits;
        if (!m_fits)
            return base::fail(base::ErrorCode::Overflow, "the cost of a workload is too large");
        return std::move(m_past);
    }

private:
    void addParts(const model::DeviceAttribution &device)
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
            RightSizeWorkload &one = m_workloads.at(workload);
            m_workloads.place(workload, machine, gpu);
            const auto now = static_cast<std::int32_t>((at - m_range.start) / kSizedHour);
            one.firstHour = one.held.ticks == 0 ? now : std::min(one.firstHour, now);
            one.lastHour = std::max(one.lastHour, now);
            m_fits = addSized(one.cost, cost) && m_fits;
            machine.add({holderKey(who), part.ticks, workload, index,
                         static_cast<std::uint16_t>(1U << (part.bucket % kSizedBuckets)),
                         static_cast<std::uint8_t>(hour), addSizedUse(one, part), part.priced});
        }
    }

    void addLine(SizedMachine &machine, std::uint16_t index, std::size_t hour, const HourLine &line)
    {
        machine.ticks[index][hour] += line.ticks;
        m_fits = addSized(machine.cost[hour], line.cost) && m_fits;
        m_fits = addSized(machine.base[hour], line.base) && m_fits;
        machine.unpriced[hour] = machine.unpriced[hour] || line.unpriced;
        machine.foreign[hour] = machine.foreign[hour] || line.foreign;
    }

    struct SizedPlace {
        std::uint16_t device = 0; // of the machine
        std::int32_t gpu = -1;
        std::size_t hour = 0; // of the day
        std::int32_t ofRange = 0; // the same hour
    };
    void addHold(SizedMachine &machine, const SizedPlace &at, const HourHold &held, const model::AttributedHolder &who)
    {
        const std::int32_t workload = workloadOf(static_cast<std::int32_t>(held.holder), who);
        RightSizeWorkload &one = m_workloads.at(workload);
        m_workloads.place(workload, machine, at.gpu);
        one.firstHour = one.held.ticks == 0 ? at.ofRange : std::min(one.firstHour, at.ofRange);
        one.lastHour = std::max(one.lastHour, at.ofRange);
        one.held += GpuTime{held.ticks};
        m_fits = addSized(one.cost, held.cost) && m_fits;
        machine.add({holderKey(who), held.ticks, workload, at.device, held.buckets, static_cast<std::uint8_t>(at.hour),
                     held.used, held.priced});
    }

    // What addSizedUse() adds, except the time that was held.
    static void addUse(RightSizeWorkload &one, const HolderUse &use)
    {
        one.sliced = one.sliced || use.sliced;
        one.unobserved += GpuTime{use.unobserved};
        one.memoryUnknown += GpuTime{use.memoryUnknown};
        one.coarse += GpuTime{use.coarse};
        for (const auto &[load, ticks] : use.loads)
            one.loads[load] += ticks;
    }

    static std::int64_t holderKey(const model::AttributedHolder &who)
    {
        return who.holder ? 2 * who.holder.value : 2 * who.subject.value + 1;
    }

    // Of a piece of a day, by parts or by hours.
    template <typename Piece> SizedMachine &machineOf(const Piece &device)
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
        const std::int32_t workload = m_workloads.indexOf(who);
        m_known.emplace_back(holder, workload);
        return workload;
    }

    void settle(SizedMachine &machine, base::Day day)
    {
        std::stable_sort(machine.parts.begin(), machine.parts.end(),
                         [](const SizedPart &a, const SizedPart &b) { return a.hour < b.hour; });
        noteBuckets(machine);
        const SizedPart *const end = machine.parts.data() + machine.parts.size();
        for (const SizedPart *first = machine.parts.data(); first != end;) {
            const SizedPart *const next =
                std::find_if(first, end, [&](const SizedPart &part) { return part.hour != first->hour; });
            for (int bucket = 0; bucket < kSizedBuckets; ++bucket) {
                const bool isLikeBefore = bucket > 0 && std::all_of(first, next, [&](const SizedPart &part) {
                                              return (part.buckets >> bucket & 1) == (part.buckets >> (bucket - 1) & 1);
                                          });
                if (!isLikeBefore)
                    countDevices(machine, first, next, bucket);
            }
            settleHour(machine, day, first, next);
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
            const DayBuckets now = DayBuckets(part.buckets) << (std::size_t{part.hour} * kSizedBuckets);
            buckets |= now;
            if (m_workloads.at(workload).training)
                trainings[workload] |= now;
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

    // The parts of one bucket of an hour.
    void countDevices(const SizedMachine &machine, const SizedPart *first, const SizedPart *end, int bucket)
    {
        std::map<std::int32_t, std::pair<std::set<std::uint16_t>, std::set<std::uint16_t>>> byWorkload; // held, used
        std::map<std::pair<std::int32_t, std::int64_t>, std::set<std::uint16_t>> byHolder; // used
        for (const SizedPart *part = first; part != end; ++part) {
            if (!(part->buckets >> bucket & 1))
                continue;
            byWorkload[part->workload].first.insert(part->device);
            if (!part->used)
                continue;
            byWorkload[part->workload].second.insert(part->device);
            byHolder[{part->workload, part->holder}].insert(part->device);
        }
        for (const auto &[workload, devices] : byWorkload) {
            RightSizeWorkload &one = m_workloads.at(workload);
            one.machineGpus = std::max(one.machineGpus, static_cast<int>(machine.devices.size()));
            one.heldGpus = std::max(one.heldGpus, static_cast<int>(devices.first.size()));
            one.usedGpus = std::max(one.usedGpus, static_cast<int>(devices.second.size()));
        }
        for (const auto &[key, devices] : byHolder) {
            RightSizeWorkload &one = m_workloads.at(key.first);
            one.podGpus = std::max(one.podGpus, static_cast<int>(devices.size()));
        }
    }

    void settleHour(const SizedMachine &machine, base::Day day, const SizedPart *first, const SizedPart *end)
    {
        const std::size_t hour = first->hour;
        const std::int32_t only = first->workload;
        const bool isShared = machine.foreign[hour]
            || std::any_of(first, end, [&](const SizedPart &part) { return part.workload != only; });
        const bool ends = machine.terms == Recovery::Now || machine.terms == Recovery::WithMachine;
        const bool hasPrice = !machine.unpriced[hour] || isShared || !ends; // of the money that would count
        for (const SizedPart *part = first; part != end; ++part) {
            RightSizeWorkload &one = m_workloads.at(part->workload);
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
        const auto now = static_cast<std::int32_t>(
            (day.start() + static_cast<std::int64_t>(hour) * kSizedHour - m_range.start) / kSizedHour);
        std::int64_t ticks = 0; // of the device that was paid longest: machines are paid as a whole
        for (const auto &device : machine.ticks)
            ticks = std::max(ticks, device[hour]);
        const std::int64_t seconds = (ticks + GpuTime::kTicksPerSecond - 1) / GpuTime::kTicksPerSecond;
        m_fits = m_workloads.addHour(only, now, seconds, machine, machine.cost[hour], machine.base[hour]) && m_fits;
    }

    const base::TimeRange m_range;
    const std::uint16_t m_threshold;
    const std::set<base::NodeId> m_spotNodes;
    const ledger::GpuCatalog &m_catalog;
    const ledger::PriceBook &m_prices;
    const model::CostTerms m_terms;
    const bool m_recentOnly;
    savings::RightSizePast m_past;
    SizedWorkloads m_workloads;
    std::map<std::pair<std::string, std::string>, SizedMachine> m_machines;
    std::map<std::tuple<std::string, std::string, std::string>, std::int32_t> m_markets; // cloud, region, cluster
    std::map<std::string, std::int32_t> m_gpus; // by model
    std::vector<std::pair<std::int32_t, std::int32_t>> m_known; // of the current device: holder and workload
    std::map<std::int64_t, DayBuckets> m_holderBuckets; // of the day, over the machines so far
    std::map<std::int32_t, DayBuckets> m_trainingBuckets;
    bool m_fits = true;
};

} // namespace

Result<std::unique_ptr<RightSizeCollector>>
rightSizeCollector(store::AttributionReader &attribution, const RightSizeQuestion &question,
                   const ledger::GpuCatalog &catalog, const ledger::PriceBook &prices, const insight::TermsOf &terms,
                   const std::stop_token &stop, KeptDays *kept)
{
    auto told = termsOfPlaced(attribution.facts(), question.range, terms);
    GPULEDGER_TRY(told);
    auto reader = std::make_unique<RightSizeReader>(question, catalog, prices, std::move(*told));
    GPULEDGER_TRY(reader->findRecent(attribution, stop, kept));
    return std::unique_ptr<RightSizeCollector>(std::move(reader));
}

} // namespace gpuledger::services
