// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/attribution/cubebuilder.h"

#include "app/ledger/days/ledgerday.h"
#include "app/ledger/rates/expectedrates.h"
#include "app/store/facts/measures.h"
#include "app/store/idle/gapdaycollector.h"
#include "app/store/idle/idledaycollector.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace gpuledger::ledger {

using base::Day;
using base::Result;
using model::UsagePart;
using store::GroupDay;
using store::GroupKey;
using store::Measure;

namespace {

// Sums one day. Groups are found by small integers, so that the key fields of a device and of a holder are looked up
// once.
class DayCube {
public:
    void add(const model::DeviceAttribution &device)
    {
        std::vector<GroupDay *> &groups = groupsOf(device);
        std::int32_t holder = model::kNobody - 1;
        GroupDay *group = nullptr;
        for (const UsagePart &part : device.parts) {
            if (part.holder != holder) {
                holder = part.holder;
                group = &groupFor(device, holder, groups);
            }
            const std::size_t cell = part.bucket / base::kBucketsPerCell;
            store::forEachMeasure(device, part, [&](Measure m, std::int64_t amount) {
                group->cells[static_cast<std::size_t>(m)][cell] += amount;
            });
        }
    }
    const std::map<GroupKey, GroupDay> &groups() const { return m_groups; }

private:
    using DeviceKey = std::tuple<std::string, const model::Node *, std::string, std::string>; // a node has one pool
    using HolderKey = std::tuple<std::string, model::WorkloadKind, std::string>;

    std::vector<GroupDay *> &groupsOf(const model::DeviceAttribution &device)
    {
        DeviceKey key{device.device->cluster, device.node, device.gpuModel, device.nodeOwner};
        if (m_current == nullptr || key != m_currentKey) {
            m_current = &m_byDevice[key];
            m_currentKey = std::move(key);
        }
        return *m_current;
    }

    // 0 for unallocated time.
    std::size_t classOf(const model::DeviceAttribution &device, std::int32_t holder)
    {
        if (holder == model::kNobody)
            return 0;
        const auto index = static_cast<std::size_t>(holder);
        if (index >= m_classOfHolder.size())
            m_classOfHolder.resize(device.holders->size(), 0);
        std::size_t &known = m_classOfHolder[index];
        if (known == 0) {
            const model::AttributedHolder &who = (*device.holders)[index];
            known = m_holderClasses.try_emplace({who.team, who.kind, who.environment}, m_holderClasses.size() + 1)
                        .first->second;
        }
        return known;
    }

    GroupDay &groupFor(const model::DeviceAttribution &device, std::int32_t holder, std::vector<GroupDay *> &groups)
    {
        const std::size_t at = classOf(device, holder);
        if (at >= groups.size())
            groups.resize(at + 1, nullptr);
        if (groups[at] == nullptr)
            groups[at] = &m_groups[store::groupKeyOf(device, holder)];
        return *groups[at];
    }

    std::map<GroupKey, GroupDay> m_groups;
    std::map<DeviceKey, std::vector<GroupDay *>> m_byDevice; // by the holder's class
    std::map<HolderKey, std::size_t> m_holderClasses;
    std::vector<std::size_t> m_classOfHolder; // 0 = not known yet
    DeviceKey m_currentKey;
    std::vector<GroupDay *> *m_current = nullptr;
};

} // namespace

CubeBuilder::CubeBuilder(const LedgerRules &rules)
    : m_rules(rules)
{
}

int CubeBuilder::reachOfBills() const
{
    return kExpectedLookbackDays;
}

std::unique_ptr<store::AttributionReader> CubeBuilder::attribution(store::FactReader &facts) const
{
    return std::make_unique<Attributor>(m_rules, facts);
}

namespace {

// Long lists are processed in runs, so that one index serves many days and memory stays bounded.
constexpr std::size_t kDaysPerRun = 16;

// Calls visit(attributor, day) for each day, ascending.
template <typename Visit>
Result<void> inRuns(const LedgerRules &rules, std::span<const Day> days, store::FactReader &facts, Visit visit)
{
    std::vector<Day> sorted(days.begin(), days.end());
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t begin = 0; begin < sorted.size(); begin += kDaysPerRun) {
        const std::size_t end = std::min(begin + kDaysPerRun, sorted.size());
        Attributor attributor(rules, facts);
        GPULEDGER_TRY(attributor.preload(sorted[begin], sorted[end - 1]));
        for (std::size_t i = begin; i < end; ++i)
            GPULEDGER_TRY(visit(attributor, sorted[i]));
    }
    return {};
}

Result<store::LedgerDay> ledgerOf(Attributor &attributor, LedgerDays &ledger, NodeDays &nodes, Day day,
                                  store::FactReader &facts)
{
    GPULEDGER_TRY(attributor.walk(day, day, {}, [&](const model::DeviceAttribution &device) -> Result<void> {
        nodes.add(device);
        return {};
    }));
    return ledger.linesOf(day, nodes.take(), facts);
}

} // namespace

Result<void> CubeBuilder::rebuild(std::span<const Day> days, store::FactReader &facts, store::CubeWriter &cube)
{
    if (days.empty())
        return {};
    const auto covered = facts.coveredRange();
    GPULEDGER_TRY(covered);
    LedgerDays ledger(m_rules);
    NodeDays nodes({});
    return inRuns(m_rules, days, facts, [&](Attributor &attributor, Day number) -> Result<void> {
        DayCube day;
        store::IdleDayCollector idle(base::floorTo(covered->end, base::kBucket));
        store::GapDayCollector gaps(base::floorTo(covered->end, base::kBucket));
        GPULEDGER_TRY(attributor.walk(number, number, {}, [&](const model::DeviceAttribution &device) -> Result<void> {
            day.add(device);
            idle.add(device);
            gaps.add(device);
            nodes.add(device);
            return {};
        }));
        GPULEDGER_TRY(cube.replaceDay(number, day.groups()));
        GPULEDGER_TRY(cube.replaceIdleDay(number, idle.take()));
        GPULEDGER_TRY(cube.replaceGapDay(number, gaps.take()));
        const auto lines = ledger.linesOf(number, nodes.take(), facts);
        GPULEDGER_TRY(lines);
        GPULEDGER_TRY(cube.replaceFindings(number, ledger.takeFindings()));
        return cube.replaceLedgerDay(number, *lines);
    });
}

Result<void> CubeBuilder::ledgerLines(Day first, Day last, model::LineDetail detail, store::FactReader &facts,
                                      const store::LedgerVisitor &visit, const LedgerPartVisitor &visitPart) const
{
    LedgerDays ledger(m_rules, detail, visitPart);
    NodeDays nodes(detail);
    std::vector<Day> days;
    for (Day day = first; day <= last; ++day.number)
        days.push_back(day);
    return inRuns(m_rules, days, facts, [&](Attributor &attributor, Day day) -> Result<void> {
        const auto lines = ledgerOf(attributor, ledger, nodes, day, facts);
        GPULEDGER_TRY(lines);
        for (const auto &[key, amounts] : *lines)
            GPULEDGER_TRY(visit(day, key, amounts));
        return {};
    });
}

} // namespace gpuledger::ledger
