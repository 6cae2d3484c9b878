// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/rightsizefacts.h"

#include "app/ledger/rates/expectedrates.h"
#include "app/services/savingsinputs/cataloggpu.h"
#include "app/services/savingsinputs/recentholders.h"
#include "app/services/savingsinputs/rightsizecounts.h"
#include "app/services/savingsinputs/rightsizemachine.h"
#include "app/services/savingsinputs/rightsizeuse.h"
#include "app/services/savingsinputs/rightsizeworkloads.h"
#include "app/services/savingsinputs/schedule/schedulefacts.h"
#include "app/store/idle/idletail.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
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
    Result<void> findRecent(store::AttributionReader &facts, const std::stop_token &stop, KeptDays *kept,
                            DayCollector *beside)
    {
        RecentHolders recent({m_range.start + (m_past.hours - kSizedWeek) * kSizedHour, m_range.end}, true,
                             [this](const model::AttributedHolder &who) { m_workloads.addRecent(who); });
        std::vector<DayCollector *> all;
        if (beside)
            all.push_back(beside);
        if (m_recentOnly && m_past.hours > kSizedWeek) {
            m_workloads.keepOnly();
            all.push_back(&recent);
        }
        return collectDays(facts, all, stop, kept);
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
        const SizedPlace at{index, gpuIndexOf(piece.gpuModel),
                            static_cast<std::int32_t>((piece.day.start() - m_range.start) / kSizedHour)};
        m_ofDay.resize(piece.holders.size());
        m_told.clear();
        for (const HourSpan &span : piece.spans) {
            if (span.line.ticks == 0)
                continue;
            for (std::size_t hour = span.first; hour < std::size_t{span.first} + span.count; ++hour)
                addLine(machine, index, hour, span.line);
            for (const HourHold &held : piece.holdsOf(span)) {
                if (held.ticks != 0)
                    addHold(machine, at, span, held, piece.holderAt(held.holder));
            }
        }
        for (const HolderUse &use : piece.uses) {
            const std::int32_t workload = workloadOfDay(use.holder, piece.holderAt(use.holder));
            if (workload >= 0)
                addUse(m_workloads.at(workload), use);
        }
        return {};
    }

    void endDay(base::Day day) override
    {
        for (auto &[key, machine] : m_machines) {
            settle(machine, day);
            machine.clearDay();
        }
        m_counts.endDay();
        m_ofDay.clear();
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
            SizedPart out{holderKey(who),
                          part.ticks,
                          workload,
                          index,
                          static_cast<std::uint16_t>(1U << (part.bucket % kSizedBuckets)),
                          static_cast<std::uint8_t>(hour),
                          false,
                          part.priced};
            if (workload < 0) { // it only shares the machine
                machine.add(out);
                continue;
            }
            RightSizeWorkload &one = m_workloads.at(workload);
            m_workloads.place(workload, machine, gpu);
            const auto now = static_cast<std::int32_t>((at - m_range.start) / kSizedHour);
            one.firstHour = one.held.ticks == 0 ? now : std::min(one.firstHour, now);
            one.lastHour = std::max(one.lastHour, now);
            m_fits = addSized(one.cost, cost) && m_fits;
            out.used = addSizedUse(one, part);
            machine.add(out);
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
        std::int32_t before = 0; // hours of the range before the day
    };
    void addHold(SizedMachine &machine, const SizedPlace &at, const HourSpan &span, const HourHold &held,
                 const model::AttributedHolder &who)
    {
        const std::int32_t workload = workloadOfDay(held.holder, who);
        for (std::size_t hour = span.first; hour < std::size_t{span.first} + span.count; ++hour)
            machine.add({holderKey(who), held.ticks, workload, at.device, held.buckets, static_cast<std::uint8_t>(hour),
                         held.used, held.priced});
        if (workload < 0) // it only shares the machine
            return;
        RightSizeWorkload &one = m_workloads.at(workload);
        m_workloads.place(workload, machine, at.gpu);
        const std::int32_t first = at.before + span.first;
        one.firstHour = one.held.ticks == 0 ? first : std::min(one.firstHour, first);
        one.lastHour = std::max(one.lastHour, first + span.count - 1);
        one.held += GpuTime{held.ticks * span.count};
        std::int64_t cost = 0;
        m_fits = !__builtin_mul_overflow(held.cost, std::int64_t{span.count}, &cost) && m_fits;
        m_fits = addSized(one.cost, cost) && m_fits;
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
        if (device.node && m_lastMachine && device.node->id == m_lastNode)
            return *m_lastMachine;
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
        if (device.node) {
            m_lastNode = device.node->id;
            m_lastMachine = &machine;
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
                market.push_back({offer.machine->instanceType, catalogGpu(*facts),
                                  static_cast<int>(offer.machine->devices), offer.perHour, offer.source,
                                  offer.machine->shape.vcpus, offer.machine->shape.memory, regionOf(offer.region)});
        }
        return at->second;
    }

    std::int32_t gpuIndexOf(std::string_view model)
    {
        if (m_lastModel == model)
            return m_lastGpu;
        m_lastModel = model;
        m_lastGpu = gpuIndexOfNew(model);
        return m_lastGpu;
    }

    std::int32_t gpuIndexOfNew(std::string_view model)
    {
        const ledger::GpuFacts *facts = m_catalog.find(model);
        if (!facts)
            return -1;
        const auto [at, isNew] = m_gpus.try_emplace(facts->model, static_cast<std::int32_t>(m_past.gpus.size()));
        if (isNew)
            m_past.gpus.push_back(catalogGpu(*facts));
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

    // By the holder's index in the pieces of the day. A workload is described as by the holder that had it last.
    std::int32_t workloadOfDay(std::uint32_t holder, const model::AttributedHolder &who)
    {
        std::optional<std::int32_t> &known = m_ofDay[holder];
        const bool isTold = std::find(m_told.begin(), m_told.end(), holder) != m_told.end();
        if (!isTold)
            m_told.push_back(holder);
        if (!known)
            known = m_workloads.indexOf(who);
        else if (!isTold && *known >= 0)
            m_workloads.describe(*known, who);
        return *known;
    }

    void settle(SizedMachine &machine, base::Day day)
    {
        const auto isKept = [](const SizedPart &part) { return part.workload >= 0; };
        const auto isSame = [](const SizedPart &a, const SizedPart &b) { return a.isSameAnHourLater(b); };
        if (std::none_of(machine.parts.begin(), machine.parts.end(), isKept))
            return;
        m_counts.note(machine);
        std::stable_sort(machine.parts.begin(), machine.parts.end(),
                         [](const SizedPart &a, const SizedPart &b) { return a.hour < b.hour; });
        std::span<const SizedPart> before;
        for (std::span<const SizedPart> left = machine.parts; !left.empty();) {
            const auto next =
                std::find_if(left.begin(), left.end(), [&](const SizedPart &p) { return p.hour != left.front().hour; });
            const auto hour = left.first(static_cast<std::size_t>(next - left.begin()));
            left = left.subspan(hour.size());
            if (std::any_of(hour.begin(), hour.end(), isKept)) {
                if (!std::equal(hour.begin(), hour.end(), before.begin(), before.end(), isSame))
                    m_counts.count(machine, hour);
                settleHour(machine, day, hour.data(), hour.data() + hour.size());
            }
            before = hour;
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
            if (part->workload < 0)
                continue;
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
    SizedCounts m_counts{m_workloads};
    std::map<std::pair<std::string, std::string>, SizedMachine> m_machines;
    std::map<std::tuple<std::string, std::string, std::string>, std::int32_t> m_markets; // cloud, region, cluster
    std::map<std::string, std::int32_t> m_gpus; // by model
    base::NodeId m_lastNode; // of the last piece with a node
    SizedMachine *m_lastMachine = nullptr;
    std::string m_lastModel; // of the last piece
    std::int32_t m_lastGpu = -1;
    std::vector<std::optional<std::int32_t>> m_ofDay; // workload by the day's holder
    std::vector<std::uint32_t> m_told; // the day's holders that the current device had so far
    std::vector<std::pair<std::int32_t, std::int32_t>> m_known; // of the current device: holder and workload
    bool m_fits = true;
};

} // namespace

Result<std::unique_ptr<RightSizeCollector>>
rightSizeCollector(store::AttributionReader &attribution, const RightSizeQuestion &question,
                   const ledger::GpuCatalog &catalog, const ledger::PriceBook &prices, const insight::TermsOf &terms,
                   const std::stop_token &stop, KeptDays *kept, DayCollector *beside)
{
    auto told = termsOfPlaced(attribution.facts(), question.range, terms);
    GPULEDGER_TRY(told);
    return rightSizeCollector(attribution, question, catalog, prices, std::move(*told), stop, kept, beside);
}

Result<std::unique_ptr<RightSizeCollector>>
rightSizeCollector(store::AttributionReader &attribution, const RightSizeQuestion &question,
                   const ledger::GpuCatalog &catalog, const ledger::PriceBook &prices, model::CostTerms terms,
                   const std::stop_token &stop, KeptDays *kept, DayCollector *beside)
{
    auto reader = std::make_unique<RightSizeReader>(question, catalog, prices, std::move(terms));
    GPULEDGER_TRY(reader->findRecent(attribution, stop, kept, beside));
    return std::unique_ptr<RightSizeCollector>(std::move(reader));
}

} // namespace gpuledger::services
