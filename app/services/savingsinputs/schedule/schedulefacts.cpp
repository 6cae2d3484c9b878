// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/schedule/schedulefacts.h"

#include "app/insight/query/measuresums.h"
#include "app/savings/rightsize/rightsize.h"
#include "app/services/savingsinputs/recentholders.h"
#include "app/services/savingsinputs/schedule/scheduleuse.h"
#include "app/store/idle/idletail.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

namespace gpuledger::services {

using base::Result;
using model::Recovery;
using savings::ScheduleWorkload;

namespace {

constexpr base::Seconds kScheduledHour{3600};
constexpr std::int32_t kHoursOfDay = 24;
constexpr std::int32_t kFixed = -1; // in place of a workload: a holder that can't be scheduled

// Grows by a quarter, because most of these vectors end with the range.
template <typename One> One &addGrowing(std::vector<One> &all)
{
    constexpr std::size_t kFirst = 8;
    if (all.size() == all.capacity())
        all.reserve(all.size() + std::max(kFirst, all.size() / 4));
    return all.emplace_back();
}

class ScheduleReader final : public ScheduleCollector {
public:
    ScheduleReader(const ScheduleQuestion &question, model::CostTerms terms)
        : m_range(question.range)
        , m_terms(std::move(terms))
    {
        m_past.zone = question.zone;
        m_past.calendars = question.calendars;
        m_past.currency = question.currency;
        m_past.start = m_range.start;
        m_past.hours = static_cast<std::int32_t>(m_range.length() / kScheduledHour);
        m_past.groups.emplace_back();
        m_groups.emplace(std::vector<std::int32_t>{}, 0);
        if (question.recentOnly && m_past.hours > savings::kScheduleWeekHours)
            m_recent.emplace(base::TimeRange{m_range.end - savings::kScheduleWeekHours * kScheduledHour, m_range.end},
                             false, [this](const model::AttributedHolder &who) { addRecent(who); });
        const base::Seconds before = m_range.start - base::dayOf(m_range.start).start();
        m_firstOpen = -static_cast<std::int32_t>((before + kScheduledHour - base::Seconds{1}) / kScheduledHour);
    }

    base::TimeRange range() const override { return m_range; }

    DayCollector *recent() override { return m_recent ? &*m_recent : nullptr; }

    Result<void> add(const model::DeviceAttribution &device) override
    {
        addParts(device);
        return {};
    }

    bool takesHours(base::Day day) const override
    {
        return (m_range.start - day.start()) % kScheduledHour == base::Seconds{0};
    }

    Result<void> addHours(const HourPiece &piece) override
    {
        const std::int32_t machine = machineOf(piece);
        m_known.clear();
        const auto before = (piece.day.start() - m_range.start) / kScheduledHour; // hours of the range before the day
        for (const HourSpan &span : piece.spans) {
            const auto first = static_cast<std::int32_t>(std::max<std::int64_t>(before + span.first, 0));
            const auto end =
                static_cast<std::int32_t>(std::min<std::int64_t>(before + span.first + span.count, m_past.hours));
            for (const HourHold &hold : piece.holdsOf(span)) {
                const model::AttributedHolder &who = piece.holderAt(hold.holder);
                const std::int32_t workload =
                    first < end ? workloadOf(static_cast<std::int32_t>(hold.holder), who) : kFixed;
                for (std::int32_t hour = first; hour < end; ++hour)
                    addHour(hour, machine, workload, piece.device->id, hold);
                if (isKept(workload)) // pods of earlier hours count no more
                    notePod(m_state[static_cast<std::size_t>(workload)],
                            (end - 1) * kHourBuckets + std::bit_width(hold.buckets) - 1, who);
            }
        }
        return {};
    }

    void endDay(base::Day day) override
    {
        settle(std::min(day.end(), m_range.end));
        for (std::uint64_t &hours : m_fixed)
            hours >>= kHoursOfDay;
        m_firstOpen += kHoursOfDay;
        const auto settled = std::min(m_open.size(), static_cast<std::size_t>(kHoursOfDay));
        std::rotate(m_open.begin(), m_open.begin() + static_cast<std::ptrdiff_t>(settled), m_open.end());
    }

    Result<savings::SchedulePast> take() override
    {
        if (!m_fits)
            return base::fail(base::ErrorCode::Overflow, "an amount of a schedule is too large");
        for (std::size_t i = 0; i < m_past.workloads.size(); ++i) {
            for (const base::DeviceId device : m_state[i].devices)
                m_past.workloads[i].resources.push_back(std::to_string(device.value));
            m_past.workloads[i].replicas = static_cast<int>(m_state[i].pods.size());
        }
        return std::move(m_past);
    }

private:
    struct State { // beside a workload
        std::set<base::DeviceId> devices;
        std::int32_t newest = -1; // bucket of the range
        std::set<store::IdleHolderKey> pods; // in the newest bucket
    };

    void addHour(std::int32_t hour, std::int32_t machine, std::int32_t workload, base::DeviceId device,
                 const HourHold &hold)
    {
        if (workload == kFixed)
            fix(hour, machine);
        else
            m_fits = addScheduledHold(useOf(openAt(hour, machine), workload, device), hold, termsOf(device)) && m_fits;
    }

    void addParts(const model::DeviceAttribution &device)
    {
        const Recovery terms = termsOf(device.device->id);
        const std::int32_t machine = machineOf(device);
        m_known.clear();
        for (const model::UsagePart &part : device.parts) {
            const base::UtcTime at = device.day.start() + part.bucket * base::kBucket;
            if (!store::isHeld(part) || !m_range.contains(at))
                continue;
            const auto hour = static_cast<std::int32_t>((at - m_range.start) / kScheduledHour);
            const model::AttributedHolder &who = (*device.holders)[static_cast<std::size_t>(part.holder)];
            const std::int32_t workload = workloadOf(part.holder, who);
            if (workload == kFixed) {
                fix(hour, machine);
                continue;
            }
            m_fits = addScheduledPart(useOf(openAt(hour, machine), workload, device.device->id), part, terms) && m_fits;
            if (isKept(workload))
                notePod(m_state[static_cast<std::size_t>(workload)],
                        static_cast<std::int32_t>((at - m_range.start) / base::kBucket), who);
        }
    }

    bool isKept(std::int32_t workload) const { return workload != kFixed && workload != m_ended; }

    Recovery termsOf(base::DeviceId device) const
    {
        const auto told = m_terms.find(device);
        return told == m_terms.end() ? Recovery::Unknown : told->second;
    }

    // Of an open hour.
    std::vector<HourUse> &openAt(std::int32_t hour, std::int32_t machine)
    {
        const auto at = static_cast<std::size_t>(hour - m_firstOpen), of = static_cast<std::size_t>(machine);
        if (m_open.size() <= at)
            m_open.resize(at + 1);
        if (m_open[at].size() <= of)
            m_open[at].resize(m_machines.size());
        return m_open[at][of];
    }

    static HourUse &useOf(std::vector<HourUse> &uses, std::int32_t workload, base::DeviceId device)
    {
        for (auto it = uses.rbegin(); it != uses.rend(); ++it) {
            if (it->workload == workload && it->device == device)
                return *it;
        }
        uses.emplace_back().workload = workload;
        uses.back().device = device;
        return uses.back();
    }

    // By bucket, because a pod may be replaced within the hour.
    static void notePod(State &state, std::int32_t bucket, const model::AttributedHolder &who)
    {
        if (bucket > state.newest) {
            state.newest = bucket;
            state.pods.clear();
        }
        if (bucket == state.newest)
            state.pods.insert(store::idleKeyOf(who));
    }

    // Of a piece of a day, by parts or by hours.
    template <typename Piece> std::int32_t machineOf(const Piece &device)
    {
        if (!device.node || m_lastMachine < 0 || device.node->id != m_lastNode) {
            const auto key = device.node ? std::pair(device.node->cluster, device.node->name)
                                         : std::pair(std::string(), std::to_string(device.device->id.value));
            m_lastMachine = m_machines.try_emplace(key, static_cast<std::int32_t>(m_machines.size())).first->second;
            m_lastNode = device.node ? device.node->id : base::NodeId();
            m_fixed.resize(m_machines.size());
        }
        return m_lastMachine;
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

    static std::string targetOf(const model::AttributedHolder &who)
    {
        return insight::workloadName(who.nameSpace, who.ownerKind, who.ownerName, who.name, who.what);
    }

    void addRecent(const model::AttributedHolder &who)
    {
        if (schedulableAs(who))
            m_ofLastWeek.insert(savings::rightSizeName(who.cluster, targetOf(who)));
    }

    // The workload in place of all that ended.
    std::int32_t ended()
    {
        if (m_ended == kFixed) {
            m_ended = static_cast<std::int32_t>(m_past.workloads.size());
            m_past.workloads.emplace_back();
            m_state.emplace_back();
        }
        return m_ended;
    }

    // Days are read in order, so that what changes (team, protection) is the newest in the end.
    std::int32_t workloadOf(const model::AttributedHolder &who)
    {
        auto why = schedulableAs(who);
        if (!why)
            return kFixed;
        const std::string target = targetOf(who);
        if (m_recent && !m_ofLastWeek.contains(savings::rightSizeName(who.cluster, target)))
            return ended();
        const auto [it, isNew] =
            m_workloads.try_emplace(std::pair(who.cluster, target), static_cast<std::int32_t>(m_past.workloads.size()));
        if (isNew) {
            m_past.workloads.emplace_back();
            m_state.emplace_back();
        }
        ScheduleWorkload &one = m_past.workloads[static_cast<std::size_t>(it->second)];
        one.id = "schedule:" + who.cluster + "/" + target;
        one.target = target;
        one.owner = who.team;
        one.why = std::move(why);
        one.protection = who.protection;
        one.cluster = who.cluster;
        one.nameSpace = who.nameSpace;
        one.controllerKind = who.ownerKind;
        one.controllerName = who.ownerName;
        return it->second;
    }

    // Something that can't be scheduled holds a part of the machine.
    void fix(std::int32_t hour, std::int32_t machine)
    {
        m_fixed[static_cast<std::size_t>(machine)] |= std::uint64_t{1} << (hour - m_firstOpen);
    }

    // Closes the hours up to `end`; an hour may lie in two UTC days.
    void settle(base::UtcTime end)
    {
        for (std::size_t at = 0; at < m_open.size(); ++at) {
            const std::int32_t hour = m_firstOpen + static_cast<std::int32_t>(at);
            if (m_range.start + (hour + 1) * kScheduledHour > end)
                return;
            for (std::size_t machine = 0; machine < m_open[at].size(); ++machine) {
                std::vector<HourUse> &uses = m_open[at][machine];
                if (std::any_of(uses.begin(), uses.end(), [&](const HourUse &use) { return isKept(use.workload); }))
                    settleMachine(hour, uses, (m_fixed[machine] >> at & 1) != 0);
                uses.clear();
            }
        }
    }

    // `isFixed`: the machine stays on.
    void settleMachine(std::int32_t hour, const std::vector<HourUse> &uses, bool isFixed)
    {
        std::map<std::int32_t, HourUse> sums;
        for (const HourUse &use : uses)
            addUse(sums[use.workload], use);
        std::int64_t ends = 0;
        for (const auto &[workload, sum] : sums)
            ends += sum.ends.ticks;
        for (const auto &[workload, sum] : sums) {
            if (!isKept(workload))
                continue;
            settleUse(hour, workload, sum, isFixed ? -1 : groupWithout(sums, workload));
            if (!isFixed && sum.ends.ticks > 0)
                m_past.workloads[static_cast<std::size_t>(workload)].endings.back().machine =
                    machinePart(sum.ends.ticks, ends);
        }
        if (isFixed)
            return;
        for (const HourUse &use : uses) {
            if (use.ends.ticks > 0 && isKept(use.workload))
                m_state[static_cast<std::size_t>(use.workload)].devices.insert(use.device);
        }
    }

    // Of the machine's hour, or of the time that its GPUs were held if that is less; rounded up.
    static base::GpuTime machinePart(std::int64_t part, std::int64_t all)
    {
        __extension__ using Wide = __int128;
        const std::int64_t machine = std::min(base::GpuTime::wholeDevice(kScheduledHour).ticks, all);
        return {static_cast<std::int64_t>((Wide{machine} * part + all - 1) / all)};
    }

    void addUse(HourUse &sum, const HourUse &use)
    {
        for (const auto member : {&HourUse::held, &HourUse::active, &HourUse::unobserved, &HourUse::unpriced,
                                  &HourUse::ends, &HourUse::sunk, &HourUse::unknown})
            sum.*member += use.*member;
        for (const auto member : {&HourUse::cost, &HourUse::endingCost, &HourUse::endingIdle})
            m_fits = addUseNanos(sum.*member, use.*member) && m_fits;
    }

    std::int32_t groupWithout(const std::map<std::int32_t, HourUse> &all, std::int32_t self)
    {
        std::vector<std::int32_t> others;
        for (const auto &[workload, sum] : all) {
            if (workload != self)
                others.push_back(workload);
        }
        const auto [it, isNew] = m_groups.try_emplace(others, static_cast<std::int32_t>(m_past.groups.size()));
        if (isNew)
            m_past.groups.push_back(std::move(others));
        return it->second;
    }

    // `group` -1: the machine stays on.
    void settleUse(std::int32_t hour, std::int32_t workload, const HourUse &use, std::int32_t group)
    {
        ScheduleWorkload &one = m_past.workloads[static_cast<std::size_t>(workload)];
        if (one.hours.empty() || one.hours.back().hour != hour)
            addGrowing(one.hours).hour = hour;
        savings::ScheduleHour &h = one.hours.back();
        h.held += use.held;
        h.active += use.active;
        h.unobserved += use.unobserved;
        h.unpriced += use.unpriced;
        m_fits = addUseNanos(h.cost, use.cost) && m_fits;
        one.sunk += use.sunk;
        one.unknown += use.unknown;
        if (group < 0)
            one.shared += use.ends;
        else if (use.ends.ticks > 0)
            addGrowing(one.endings) = {hour, group, use.endingCost, use.endingIdle};
    }

    const base::TimeRange m_range;
    const model::CostTerms m_terms;
    savings::SchedulePast m_past;
    std::vector<State> m_state; // by workload
    std::map<std::pair<std::string, std::string>, std::int32_t> m_workloads; // cluster and name
    std::map<std::pair<std::string, std::string>, std::int32_t> m_machines;
    std::map<std::vector<std::int32_t>, std::int32_t> m_groups;
    base::NodeId m_lastNode; // of the last piece with a node
    std::int32_t m_lastMachine = -1;
    std::int32_t m_firstOpen = 0; // hour of the range in which the day begins, maybe before the range
    std::vector<std::vector<std::vector<HourUse>>> m_open; // by hour from then on, and machine
    std::vector<std::uint64_t> m_fixed; // by machine: hours from then on in which it is kept by what can't be scheduled
    std::vector<std::pair<std::int32_t, std::int32_t>> m_known; // of the current device: holder and workload
    std::optional<RecentHolders> m_recent;
    std::unordered_set<std::uint64_t> m_ofLastWeek; // savings::rightSizeName()
    std::int32_t m_ended = kFixed;
    bool m_fits = true;
};

} // namespace

Result<std::vector<model::PlacedDevice>> placedDevices(store::FactReader &facts, base::TimeRange range)
{
    const auto nodes = facts.nodes();
    GPULEDGER_TRY(nodes);
    std::map<base::NodeId, const model::Node *> byId;
    for (const model::Node &node : *nodes)
        byId.emplace(node.id, &node);
    struct Newest {
        base::NodeId node;
        base::UtcTime until;
    };
    std::map<base::DeviceId, Newest> newest;
    GPULEDGER_TRY(facts.eachPlacement(range, [&](const store::Placement &one) -> Result<void> {
        const auto [known, isNew] = newest.try_emplace(one.device, Newest{one.node, one.seen.end});
        if (!isNew && known->second.until < one.seen.end)
            known->second = {one.node, one.seen.end};
        return {};
    }));
    std::vector<model::PlacedDevice> out;
    for (const auto &[device, placement] : newest) {
        const auto node = byId.find(placement.node);
        out.push_back({device, node == byId.end() ? std::string() : node->second->cluster,
                       node == byId.end() ? std::string() : node->second->name});
    }
    return out;
}

Result<model::CostTerms> termsOfPlaced(store::FactReader *facts, base::TimeRange range, const insight::TermsOf &terms)
{
    if (!facts || !terms)
        return model::CostTerms();
    const auto placed = placedDevices(*facts, range);
    GPULEDGER_TRY(placed);
    return terms(*placed, range.end);
}

Result<std::unique_ptr<ScheduleCollector>> scheduleCollector(store::FactReader *facts, const ScheduleQuestion &question,
                                                             const insight::TermsOf &terms)
{
    auto told = termsOfPlaced(facts, question.range, terms);
    GPULEDGER_TRY(told);
    return scheduleCollector(question, std::move(*told));
}

std::unique_ptr<ScheduleCollector> scheduleCollector(const ScheduleQuestion &question, model::CostTerms terms)
{
    return std::make_unique<ScheduleReader>(question, std::move(terms));
}

} // namespace gpuledger::services
