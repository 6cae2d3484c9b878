// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/schedulefacts.h"

#include "app/insight/query/measuresums.h"
#include "app/store/idle/idletail.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace gpuledger::services {

using base::Result;
using model::Recovery;
using savings::ScheduleWorkload;

namespace {

constexpr base::Seconds kScheduledHour{3600};
constexpr std::int32_t kFixed = -1; // in place of a workload: a holder that can't be scheduled

// Names of what nobody needs at night.
constexpr std::array<std::string_view, 10> kOffHoursWords{"dev",     "devel", "development", "staging", "stage",
                                                          "sandbox", "test",  "testing",     "qa",      "playground"};

bool saysOffHours(std::string_view name)
{
    std::string word;
    bool found = false;
    for (std::size_t i = 0; i <= name.size(); ++i) {
        const auto c = i < name.size() ? static_cast<unsigned char>(name[i]) : static_cast<unsigned char>('-');
        if (std::isalnum(c)) {
            word += static_cast<char>(std::tolower(c));
            continue;
        }
        if (word == "prod" || word == "production")
            return false;
        found = found || std::find(kOffHoursWords.begin(), kOffHoursWords.end(), word) != kOffHoursWords.end();
        word.clear();
    }
    return found;
}

// What one holder did on one device in one hour, or on one machine after addition.
struct HourUse {
    std::int32_t workload = kFixed;
    base::DeviceId device;
    base::GpuTime held, active, unobserved, unpriced, ends, sunk, unknown;
    std::int64_t cost = 0, endingCost = 0, endingIdle = 0;
};

bool addNanos(std::int64_t &sum, std::int64_t amount)
{
    return !__builtin_add_overflow(sum, amount, &sum);
}

bool addPart(HourUse &use, const model::UsagePart &part, Recovery terms)
{
    const base::GpuTime time{part.ticks};
    use.held += time;
    if (part.state == model::GpuState::Active)
        use.active += time;
    if (part.state == model::GpuState::UnobservedHeld)
        use.unobserved += time;
    if (!part.priced)
        use.unpriced += time;
    (terms == Recovery::Now ? use.ends : terms == Recovery::Unknown ? use.unknown : use.sunk) += time;
    const std::int64_t nanos = part.priced ? part.costNanos : 0;
    bool fits = addNanos(use.cost, nanos);
    if (terms == Recovery::Now) {
        fits = addNanos(use.endingCost, nanos) && fits;
        if (part.state == model::GpuState::Idle)
            fits = addNanos(use.endingIdle, nanos) && fits;
    }
    return fits;
}

// The same for the parts of an hour.
bool addHold(HourUse &use, const HourHold &hold, Recovery terms)
{
    const base::GpuTime time{hold.ticks};
    use.held += time;
    use.active += base::GpuTime{hold.active};
    use.unobserved += base::GpuTime{hold.unobserved};
    if (!hold.priced)
        use.unpriced += time;
    (terms == Recovery::Now ? use.ends : terms == Recovery::Unknown ? use.unknown : use.sunk) += time;
    bool fits = addNanos(use.cost, hold.cost);
    if (terms == Recovery::Now) {
        fits = addNanos(use.endingCost, hold.cost) && fits;
        fits = addNanos(use.endingIdle, hold.idleCost) && fits;
    }
    return fits;
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
    }

    base::TimeRange range() const override { return m_range; }

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
        const Recovery terms = termsOf(piece.device->id);
        const std::int32_t machine = machineOf(piece);
        m_known.clear();
        for (const HourSpan &span : piece.spans) {
            for (int ofDay = span.first; ofDay < span.first + span.count; ++ofDay) {
                const base::UtcTime at = piece.day.start() + ofDay * kScheduledHour;
                if (span.holds == 0 || !m_range.contains(at))
                    continue;
                const auto hour = static_cast<std::int32_t>((at - m_range.start) / kScheduledHour);
                std::vector<HourUse> &uses = m_open[{hour, machine}];
                for (const HourHold &hold : piece.holdsOf(span)) {
                    const model::AttributedHolder &who = piece.holderAt(hold.holder);
                    const std::int32_t workload = workloadOf(static_cast<std::int32_t>(hold.holder), who);
                    m_fits = addHold(useOf(uses, workload, piece.device->id), hold, terms) && m_fits;
                    if (workload != kFixed)
                        notePod(m_state[static_cast<std::size_t>(workload)],
                                hour * kHourBuckets + std::bit_width(hold.buckets) - 1, who);
                }
            }
        }
        return {};
    }

    void endDay(base::Day day) override { settle(std::min(day.end(), m_range.end)); }

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

    void addParts(const model::DeviceAttribution &device)
    {
        const Recovery terms = termsOf(device.device->id);
        const std::int32_t machine = machineOf(device);
        m_known.clear();
        std::int32_t hour = -1;
        std::vector<HourUse> *uses = nullptr;
        for (const model::UsagePart &part : device.parts) {
            const base::UtcTime at = device.day.start() + part.bucket * base::kBucket;
            if (!store::isHeld(part) || !m_range.contains(at))
                continue;
            const auto now = static_cast<std::int32_t>((at - m_range.start) / kScheduledHour);
            if (now != hour || !uses) {
                hour = now;
                uses = &m_open[{hour, machine}];
            }
            const model::AttributedHolder &who = (*device.holders)[static_cast<std::size_t>(part.holder)];
            const std::int32_t workload = workloadOf(part.holder, who);
            m_fits = addPart(useOf(*uses, workload, device.device->id), part, terms) && m_fits;
            if (workload != kFixed)
                notePod(m_state[static_cast<std::size_t>(workload)],
                        static_cast<std::int32_t>((at - m_range.start) / base::kBucket), who);
        }
    }

    Recovery termsOf(base::DeviceId device) const
    {
        const auto told = m_terms.find(device);
        return told == m_terms.end() ? Recovery::Unknown : told->second;
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
        const auto key = device.node ? std::pair(device.node->cluster, device.node->name)
                                     : std::pair(std::string(), std::to_string(device.device->id.value));
        return m_machines.try_emplace(key, static_cast<std::int32_t>(m_machines.size())).first->second;
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

    // Days are read in order, so that what changes (team, protection) is the newest in the end.
    std::int32_t workloadOf(const model::AttributedHolder &who)
    {
        auto why = schedulableAs(who);
        if (!why)
            return kFixed;
        const std::string target =
            insight::workloadName(who.nameSpace, who.ownerKind, who.ownerName, who.name, who.what);
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

    // Closes the hours up to `end`; an hour may lie in two UTC days.
    void settle(base::UtcTime end)
    {
        while (!m_open.empty()) {
            const auto first = m_open.begin();
            const std::int32_t hour = first->first.first;
            if (m_range.start + (hour + 1) * kScheduledHour > end)
                return;
            settleMachine(hour, first->second);
            m_open.erase(first);
        }
    }

    void settleMachine(std::int32_t hour, const std::vector<HourUse> &uses)
    {
        std::map<std::int32_t, HourUse> sums;
        for (const HourUse &use : uses) {
            if (use.workload != kFixed)
                addUse(sums[use.workload], use);
        }
        if (sums.empty())
            return;
        const bool isFixed =
            std::any_of(uses.begin(), uses.end(), [](const HourUse &use) { return use.workload == kFixed; });
        std::int64_t ends = 0;
        for (const auto &[workload, sum] : sums)
            ends += sum.ends.ticks;
        for (const auto &[workload, sum] : sums) {
            settleUse(hour, workload, sum, isFixed ? -1 : groupWithout(sums, workload));
            if (!isFixed && sum.ends.ticks > 0)
                m_past.workloads[static_cast<std::size_t>(workload)].endings.back().machine =
                    machinePart(sum.ends.ticks, ends);
        }
        if (isFixed)
            return;
        for (const HourUse &use : uses) {
            if (use.ends.ticks > 0)
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
            m_fits = addNanos(sum.*member, use.*member) && m_fits;
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
            one.hours.emplace_back().hour = hour;
        savings::ScheduleHour &h = one.hours.back();
        h.held += use.held;
        h.active += use.active;
        h.unobserved += use.unobserved;
        h.unpriced += use.unpriced;
        m_fits = addNanos(h.cost, use.cost) && m_fits;
        one.sunk += use.sunk;
        one.unknown += use.unknown;
        if (group < 0)
            one.shared += use.ends;
        else if (use.ends.ticks > 0)
            one.endings.push_back({hour, group, use.endingCost, use.endingIdle});
    }

    const base::TimeRange m_range;
    const model::CostTerms m_terms;
    savings::SchedulePast m_past;
    std::vector<State> m_state; // by workload
    std::map<std::pair<std::string, std::string>, std::int32_t> m_workloads; // cluster and name
    std::map<std::pair<std::string, std::string>, std::int32_t> m_machines;
    std::map<std::vector<std::int32_t>, std::int32_t> m_groups;
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<HourUse>> m_open; // hour and machine
    std::vector<std::pair<std::int32_t, std::int32_t>> m_known; // of the current device: holder and workload
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
    const auto placements = facts.placements(range);
    GPULEDGER_TRY(placements);
    std::map<base::DeviceId, const store::Placement *> newest;
    for (const store::Placement &one : *placements) {
        const store::Placement *&known = newest[one.device];
        if (!known || known->seen.end < one.seen.end)
            known = &one;
    }
    std::vector<model::PlacedDevice> out;
    for (const auto &[device, placement] : newest) {
        const auto node = byId.find(placement->node);
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

std::optional<savings::Remark> schedulableAs(const model::AttributedHolder &who)
{
    using model::WorkloadKind;
    using savings::Remark;
    using savings::RemarkText;
    if (who.what != model::SubjectKind::Pod || who.kind == WorkloadKind::Training || who.kind == WorkloadKind::Batch)
        return std::nullopt;
    if (who.kind == WorkloadKind::Notebook)
        return Remark{RemarkText::NotebookKind, {}};
    if (who.kind == WorkloadKind::Development)
        return Remark{RemarkText::DevelopmentKind, {}};
    if (saysOffHours(who.environment))
        return Remark{RemarkText::EnvironmentOf, {savings::textTerm(who.environment)}};
    if (saysOffHours(who.nameSpace))
        return Remark{RemarkText::NamespaceOf, {savings::textTerm(who.nameSpace)}};
    return std::nullopt;
}

Result<std::unique_ptr<ScheduleCollector>> scheduleCollector(store::FactReader *facts, const ScheduleQuestion &question,
                                                             const insight::TermsOf &terms)
{
    auto told = termsOfPlaced(facts, question.range, terms);
    GPULEDGER_TRY(told);
    return std::unique_ptr<ScheduleCollector>(std::make_unique<ScheduleReader>(question, std::move(*told)));
}

} // namespace gpuledger::services
