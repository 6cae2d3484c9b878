// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/rightsize/rightsize.h"

#include "app/savings/capacity/capacity.h"
#include "app/savings/rightsize/rightsizetext.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <utility>

namespace gpuledger::savings {

using base::ErrorCode;
using base::GpuTime;
using base::Money;
using base::Result;

namespace {

constexpr std::int32_t kRightSizeWeek = 168;
constexpr std::size_t kMostLayouts = 5;

__extension__ using RightSizeNanos = __int128;

bool isMoreThan(int percent, GpuTime part, GpuTime whole)
{
    return RightSizeNanos{part.ticks} * 100 > RightSizeNanos{whole.ticks} * percent;
}

std::optional<Remark> remarked(RemarkText text, std::vector<RemarkTerm> terms = {})
{
    return Remark{text, std::move(terms)};
}

std::optional<Remark> termsReason(const RightSizeWorkload &one, const RightSizeRules &rules)
{
    const bool hasOwn = !one.hours.empty(); // then only the money of these machines counts
    if (hasOwn)
        return isMoreThan(rules.mostSharedPercent, one.shared, one.held) ? remarked(RemarkText::OthersUseMachines)
                                                                         : std::nullopt;
    if (one.sunk.ticks > 0 && one.sunk >= one.shared && one.sunk >= one.unknown)
        return remarked(RemarkText::MachinesSunk);
    return remarked(one.shared > one.unknown ? RemarkText::OthersUseMachines : RemarkText::MachinesOfUnknownTerms);
}

class RightSizing {
public:
    RightSizing(const RightSizePast &past, const RightSizeRules &rules)
        : m_past(past)
        , m_rules(rules)
    {
    }

    Result<std::vector<Proposal>> run(const std::stop_token &stop)
    {
        std::vector<const RightSizeWorkload *> order;
        for (const RightSizeWorkload &one : m_past.workloads) {
            if (one.held.ticks > 0 && one.lastHour >= m_past.hours - kRightSizeWeek)
                order.push_back(&one);
        }
        std::stable_sort(order.begin(), order.end(), [](const auto *a, const auto *b) {
            return std::pair(b->cost, std::string_view(a->id)) < std::pair(a->cost, std::string_view(b->id));
        });
        std::vector<Proposal> out;
        std::size_t excluded = 0;
        for (const RightSizeWorkload *one : order) {
            if (stop.stop_requested())
                return base::fail(ErrorCode::Cancelled, "cancelled");
            auto proposal = proposalOf(*one);
            GPULEDGER_TRY(proposal);
            if (!proposal->excludedBy || excluded++ < m_rules.mostExcluded)
                out.push_back(std::move(*proposal));
        }
        for (const auto &[key, works] : m_past.sliceWork) {
            const RightSizeGpu &gpu = m_past.gpus[static_cast<std::size_t>(key.second)];
            for (const RightSizeSliceWork &work : works) {
                if (const auto slice = sliceOf(work, gpu))
                    m_small[key].push_back({work.heldGpus, work.usedGpus, *slice});
            }
        }
        addPacked(out);
        return out;
    }

    Result<std::optional<ProposalCurve>> curve(const std::string &id) const
    {
        const auto one = std::find_if(m_past.workloads.begin(), m_past.workloads.end(),
                                      [&](const RightSizeWorkload &workload) { return workload.id == id; });
        if (one == m_past.workloads.end())
            return std::optional<ProposalCurve>();
        RightSizeFound found = look(*one);
        if (!found.gpu || found.used <= 0)
            return std::optional<ProposalCurve>();
        GPULEDGER_TRY(weigh(found));
        return std::optional(curveOf(found));
    }

    Result<std::optional<ProposalBasis>> basis(const std::string &id, base::UtcTime start) const
    {
        const auto one = std::find_if(m_past.workloads.begin(), m_past.workloads.end(),
                                      [&](const RightSizeWorkload &workload) { return workload.id == id; });
        if (one == m_past.workloads.end())
            return std::optional<ProposalBasis>();
        RightSizeFound found = look(*one);
        GPULEDGER_TRY(weigh(found));
        if (!found.offer)
            return std::optional<ProposalBasis>();
        const auto saved = savedByHour(*one, *found.offer);
        GPULEDGER_TRY(saved);
        BasisHours hours(saved->size());
        hours.saved = *saved;
        double machineHours = 0;
        for (const RightSizeHour &h : one->hours) {
            hours.paid[static_cast<std::size_t>(h.hour)] = h.base;
            hours.spend[static_cast<std::size_t>(h.hour)] = h.cost;
            machineHours += static_cast<double>(h.machineSeconds) / 3600;
        }
        ProposalBasis out;
        out.currency = m_past.currency;
        out.hours = m_past.hours;
        out.inputs = {
            {"machine hours", machineHours, "h"},
            {"price of the other machine",
             static_cast<double>(found.offer->perHour.nanosPerHour()) / static_cast<double>(Money::kNanosPerUnit),
             "per h"}};
        GPULEDGER_TRY(addDays(out, start, hours, "replaced", one->machine));
        GPULEDGER_TRY(addWeeks(out, hours.saved, kCapacityWeeks));
        return std::optional(std::move(out));
    }

private:
    struct Small {
        int heldGpus = 0, usedGpus = 0;
        MigPart slice;
    };

    static double gibOf(std::int64_t mib) { return static_cast<double>(mib) / 1024; }

    static ProposalCurve curveOf(const RightSizeFound &found)
    {
        constexpr int kSteps = 48;
        ProposalCurve out;
        out.shape = ProposalCurve::Shape::Memory;
        out.title = {RemarkText::CurveOfMemory, {}};
        out.xAxis = {{RemarkText::CurveMemory, {}}, CurveUnit::Gibibytes, {}};
        out.yAxis = {{RemarkText::CurveTimeWithin, {}}, CurveUnit::Share, {}};
        out.lines.push_back({out.yAxis.name, {}});
        std::map<std::int64_t, std::int64_t> ticksOf; // by MiB
        for (const auto &[load, ticks] : found.work->loads)
            ticksOf[load.memory * kRightSizeMemoryUnit] += ticks;
        const auto mark = [&](RemarkText text, RemarkTerm term, std::int64_t mib) {
            out.marks.push_back({{text, {std::move(term)}}, gibOf(mib)});
        };
        mark(RemarkText::CurvePresentGpu, textTerm(found.gpu->model), usableMib(*found.gpu));
        if (found.offer && found.offer->gpu.model != found.gpu->model)
            mark(RemarkText::CurveProposedGpu, textTerm(found.offer->gpu.model), usableMib(found.offer->gpu));
        mark(RemarkText::CurveNeededMemory, gibibytesTerm(gibOf(found.need.memory)), found.need.memory);
        std::int64_t most = std::max(ticksOf.rbegin()->first, kRightSizeMemoryUnit);
        for (const CurveMark &one : out.marks)
            most = std::max(most, static_cast<std::int64_t>(one.x * 1024));
        std::int64_t within = 0;
        auto next = ticksOf.begin();
        for (int i = 0; i <= kSteps; ++i) {
            const std::int64_t mib = most * i / kSteps;
            for (; next != ticksOf.end() && next->first <= mib; ++next)
                within += next->second;
            out.x.push_back(gibOf(mib));
            out.lines.front().y.push_back(static_cast<double>(within) / static_cast<double>(found.used));
        }
        return out;
    }

    std::optional<Remark> unknownReason(const RightSizeWorkload &one) const
    {
        if (one.severalModels)
            return remarked(RemarkText::SeveralModels);
        if (one.gpu < 0)
            return remarked(RemarkText::ModelNotInCatalogue);
        if (m_past.hours - one.firstHour < 2 * kRightSizeWeek)
            return remarked(RemarkText::TooYoung);
        if (isMoreThan(m_rules.mostUnknownPercent, one.unobserved, one.held))
            return remarked(RemarkText::ActivityUnknown, {upperShare(one.unobserved, one.held)});
        if (one.loads.empty() && one.memoryUnknown.ticks == 0)
            return remarked(RemarkText::UsedNoGpu);
        if (one.loads.empty() || isMoreThan(m_rules.mostUnknownPercent, one.memoryUnknown, one.held))
            return remarked(RemarkText::MemoryUseUnknown, {upperShare(one.memoryUnknown, one.held)});
        return std::nullopt;
    }

    // Why nothing smaller can be chosen, before prices are looked at.
    std::optional<Remark> fixedReason(const RightSizeFound &found) const
    {
        const RightSizeWorkload &one = *found.work;
        if (found.need.p99Memory * 100 > found.gpu->memoryMib * m_rules.mostMemoryPercent)
            return remarked(RemarkText::MemoryUseHigh, {shareTerm(m_rules.mostMemoryPercent / 100.0)});
        if (one.sliced)
            return remarked(RemarkText::HasSlices);
        if (one.spread)
            return remarked(RemarkText::JobOnSeveralMachines);
        if (isMoreThan(m_rules.mostUnknownPercent, one.unpriced, one.held))
            return remarked(RemarkText::TooMuchUnpriced);
        if (auto reason = termsReason(one, m_rules))
            return reason;
        if (one.severalMarkets)
            return remarked(RemarkText::SeveralRegions);
        return one.market < 0 ? remarked(RemarkText::CloudUnknown) : std::nullopt;
    }

    std::optional<Remark> noOfferReason(const RightSizeFound &found) const
    {
        const auto hasUnknown = !found.need.tflops || (found.need.inference && !found.need.bandwidth);
        if (hasUnknown && found.work->usedGpus >= found.work->machineGpus)
            return remarked(RemarkText::ThroughputUnknown);
        const bool isLinkUnknown = found.need.linked && !found.gpu->nvlinkGbs.has_value();
        return remarked(isLinkUnknown ? RemarkText::NvlinkUnknown : RemarkText::NothingCheaper);
    }

    RightSizeFound look(const RightSizeWorkload &one) const
    {
        RightSizeFound found;
        found.work = &one;
        if (one.gpu >= 0)
            found.gpu = &m_past.gpus[static_cast<std::size_t>(one.gpu)];
        found.excludedBy = unknownReason(one);
        if (!found.gpu || one.loads.empty())
            return found;
        for (const auto &[load, ticks] : one.loads)
            found.used += ticks;
        found.need = rightSizeNeed(one.loads, *found.gpu, one.inference, one.podGpus > 1, m_rules.headroom);
        if (const auto work = found.excludedBy ? std::nullopt : sliceWorkOf(m_past, one))
            found.slice = sliceOf(*work, *found.gpu);
        if (!found.excludedBy)
            found.excludedBy = fixedReason(found);
        if (found.excludedBy)
            return found;
        const auto &offers = m_past.markets[static_cast<std::size_t>(one.market)];
        found.offer = cheapestFit(offers, *found.gpu, one.machineGpus, std::max(1, one.usedGpus), found.need, one.loads,
                                  m_rules.mostTooSmall(one.tier));
        if (found.offer)
            found.tooSmall = tooSmallTicks(found.offer->gpu, *found.gpu, one.loads, one.inference);
        else
            found.excludedBy = noOfferReason(found);
        return found;
    }

    std::optional<MigPart> sliceOf(const RightSizeSliceWork &work, const RightSizeGpu &gpu) const
    {
        if (isMoreThan(m_rules.mostUnknownPercent, work.unobserved, work.held)
            || isMoreThan(m_rules.mostUnknownPercent, work.memoryUnknown, work.held)
            || work.peak.p99Memory * 100 > gpu.memoryMib * m_rules.mostMemoryPercent)
            return std::nullopt;
        return smallestSlice(gpu, rightSizeNeed(work.peak, gpu, work.inference, false, m_rules.headroom));
    }

    Result<Proposal> proposalOf(const RightSizeWorkload &one)
    {
        RightSizeFound found = look(one);
        const auto avoidable = avoidableOf(one);
        GPULEDGER_TRY(avoidable);
        const auto band = weigh(found);
        GPULEDGER_TRY(band);
        Proposal out = rightSizeProposal(m_past, m_rules, found);
        if (!one.hours.empty())
            out.avoidable = Money(*avoidable, m_past.currency);
        out.perMonth = *band;
        if (!out.excludedBy)
            out.frees = machinesOf(one);
        if (found.slice)
            m_small[{one.cluster, one.gpu}].push_back({one.heldGpus, one.usedGpus, *found.slice});
        return out;
    }

    // Work moves to another machine type for all of its time.
    std::shared_ptr<const std::vector<FreedTime>> machinesOf(const RightSizeWorkload &one) const
    {
        FreedTime out{one.resources, m_past.start, std::vector<GpuTime>(static_cast<std::size_t>(m_past.hours))};
        for (const RightSizeHour &h : one.hours)
            out.hours[static_cast<std::size_t>(h.hour)] += GpuTime::wholeDevice(base::Seconds{h.machineSeconds});
        return std::make_shared<const std::vector<FreedTime>>(std::vector{std::move(out)});
    }

    // What the offer saves; one that saves nothing is no offer.
    Result<std::optional<MoneyBand>> weigh(RightSizeFound &found) const
    {
        if (!found.offer)
            return std::optional<MoneyBand>();
        const auto avoidable = avoidableOf(*found.work);
        GPULEDGER_TRY(avoidable);
        auto band = bandOf(*found.work, *found.offer, *avoidable);
        GPULEDGER_TRY(band);
        if ((*band)->p50.nanos() > 0)
            return band;
        found.offer = nullptr;
        found.excludedBy = noOfferReason(found);
        return std::optional<MoneyBand>();
    }

    Result<std::int64_t> avoidableOf(const RightSizeWorkload &one) const
    {
        RightSizeNanos sum = 0;
        for (const RightSizeHour &h : one.hours)
            sum += h.cost;
        if (sum > std::numeric_limits<std::int64_t>::max() || sum < std::numeric_limits<std::int64_t>::min())
            return base::fail(ErrorCode::Overflow, "the cost of a workload is too large");
        const auto perMonth = capacityPerMonth(static_cast<std::int64_t>(sum), static_cast<std::size_t>(m_past.hours));
        GPULEDGER_TRY(perMonth);
        return std::max<std::int64_t>(*perMonth, 0); // credits can exceed the cost: then nothing is left to avoid
    }

    Result<std::vector<std::int64_t>> savedByHour(const RightSizeWorkload &one, const RightSizeOffer &offer) const
    {
        std::vector<std::int64_t> saved(static_cast<std::size_t>(m_past.hours), 0);
        for (const RightSizeHour &h : one.hours) {
            const RightSizeNanos price = RightSizeNanos{offer.perHour.nanosPerHour()} * h.machineSeconds;
            const RightSizeNanos left = h.base - (price + 3599) / 3600;
            if (left > std::numeric_limits<std::int64_t>::max() || left < std::numeric_limits<std::int64_t>::min())
                return base::fail(ErrorCode::Overflow, "the price of a machine is too large");
            saved[static_cast<std::size_t>(h.hour)] = static_cast<std::int64_t>(left);
        }
        return saved;
    }

    Result<std::optional<MoneyBand>> bandOf(const RightSizeWorkload &one, const RightSizeOffer &offer,
                                            std::int64_t avoidable) const
    {
        const auto saved = savedByHour(one, offer);
        GPULEDGER_TRY(saved);
        const auto band = capacityBand(*saved);
        GPULEDGER_TRY(band);
        const auto money = [&](std::int64_t nanos) { return Money(std::min(nanos, avoidable), m_past.currency); };
        return std::optional(MoneyBand{money(band->p10), money(band->p50), money(band->p90)});
    }

    // Small workloads of one cluster and card, packed.
    void addPacked(std::vector<Proposal> &out) const
    {
        for (const auto &[key, works] : m_small) {
            const RightSizeGpu &gpu = m_past.gpus[static_cast<std::size_t>(key.second)];
            std::vector<MigPart> slices;
            std::int64_t cards = 0;
            for (const Small &one : works) {
                cards += std::max(1, one.heldGpus);
                slices.insert(slices.end(), static_cast<std::size_t>(std::max(1, one.usedGpus)), one.slice);
            }
            const auto layouts = packedSlices(gpu, std::move(slices));
            if (works.size() < 2 || static_cast<std::int64_t>(layouts.size()) >= cards)
                continue;
            Proposal p;
            p.id = "right-size:slices:" + key.first + "/" + gpu.model;
            p.kind = Kind::RightSize;
            p.target = gpu.model + " in " + key.first + " (MIG)";
            p.currency = std::string(m_past.currency.code());
            p.assumptions = {{"memory-headroom", std::to_string(m_rules.headroom.memory) + "%"},
                             {"activity-headroom", std::to_string(m_rules.headroom.activity) + "%"},
                             {"at-the-same-time", "all of them"}};
            p.evidence = {{{RemarkText::WorkloadsInSlices, {}}, countTerm(static_cast<std::int64_t>(works.size()))},
                          {{RemarkText::CardsHeld, {}}, countTerm(cards)},
                          {{RemarkText::CardsPacked, {}}, countTerm(static_cast<std::int64_t>(layouts.size()))}};
            for (std::size_t i = 0; i < std::min(layouts.size(), kMostLayouts); ++i)
                p.evidence.push_back(
                    {{RemarkText::CardNumber, {countTerm(static_cast<std::int64_t>(i) + 1)}}, textTerm(layouts[i])});
            p.risks.push_back({RemarkText::CardMustBeFree, {}});
            p.excludedBy = remarked(RemarkText::SliceUnpriced);
            out.push_back(std::move(p));
        }
    }

    const RightSizePast &m_past;
    const RightSizeRules &m_rules;
    std::map<std::pair<std::string, std::int32_t>, std::vector<Small>> m_small; // by cluster and GPU
};

} // namespace

std::optional<RightSizeSliceWork> sliceWorkOf(const RightSizePast &past, const RightSizeWorkload &one)
{
    const bool isYoung = past.hours - one.firstHour < 2 * kRightSizeWeek;
    const bool hasEnded = one.held.ticks <= 0 || one.lastHour < past.hours - kRightSizeWeek;
    if (isYoung || hasEnded || one.severalModels || one.gpu < 0 || one.loads.empty() || one.podGpus > 1 || one.sliced)
        return std::nullopt;
    return RightSizeSliceWork{one.heldGpus, one.usedGpus,   one.inference,    rightSizePeak(one.loads),
                              one.held,     one.unobserved, one.memoryUnknown};
}

std::uint64_t rightSizeName(std::string_view cluster, std::string_view target)
{
    constexpr std::uint64_t kMixed = 0x9E3779B97F4A7C15ULL;
    const std::hash<std::string_view> hash;
    return hash(cluster) * kMixed + hash(target);
}

Result<std::vector<Proposal>> proposeRightSizes(const RightSizePast &past, const RightSizeRules &rules,
                                                const std::stop_token &stop)
{
    return RightSizing(past, rules).run(stop);
}

Result<std::optional<ProposalCurve>> rightSizeCurve(const RightSizePast &past, const std::string &id,
                                                    const RightSizeRules &rules)
{
    return RightSizing(past, rules).curve(id);
}

Result<std::optional<ProposalBasis>> rightSizeBasis(const RightSizePast &past, const std::string &id,
                                                    base::UtcTime start, const RightSizeRules &rules)
{
    return RightSizing(past, rules).basis(id, start);
}

} // namespace gpuledger::savings
