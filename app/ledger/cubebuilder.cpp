// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/cubebuilder.h"

#include "app/store/measures.h"

#include <algorithm>
#include <utility>

namespace gpuledger::ledger {

using base::Day;
using base::Result;
using model::UsagePart;
using store::GroupDay;
using store::GroupKey;
using store::Measure;

namespace {

class DayCube {
public:
    void add(const model::DeviceAttribution &device)
    {
        m_groupOf.clear();
        for (const UsagePart &part : device.parts)
            add(device, part);
    }
    const std::map<GroupKey, GroupDay> &groups() const { return m_groups; }

private:
    GroupDay &groupFor(const model::DeviceAttribution &device, std::int32_t holder)
    {
        for (const auto &[h, group] : m_groupOf) {
            if (h == holder)
                return *group;
        }
        GroupDay &group = m_groups[store::groupKeyOf(device, holder)];
        m_groupOf.emplace_back(holder, &group);
        return group;
    }

    void add(const model::DeviceAttribution &device, const UsagePart &part)
    {
        GroupDay &group = groupFor(device, part.holder);
        const std::size_t cell = part.bucket / base::kBucketsPerCell;
        store::forEachMeasure(device, part, [&](Measure m, std::int64_t amount) {
            group.cells[static_cast<std::size_t>(m)][cell] += amount;
        });
    }

    std::map<GroupKey, GroupDay> m_groups;
    std::vector<std::pair<std::int32_t, GroupDay *>> m_groupOf; // of the current device
};

} // namespace

CubeBuilder::CubeBuilder(const LedgerRules &rules, std::string fingerprint)
    : m_rules(rules)
    , m_fingerprint(std::move(fingerprint))
{
}

Result<void> CubeBuilder::rebuild(std::span<const Day> days, store::FactReader &facts, store::CubeWriter &cube)
{
    if (days.empty())
        return {};
    std::vector<Day> sorted(days.begin(), days.end());
    std::sort(sorted.begin(), sorted.end());
    // Long lists go in runs, so that one index serves many days and memory stays bounded.
    constexpr std::size_t kDaysPerRun = 16;
    for (std::size_t begin = 0; begin < sorted.size(); begin += kDaysPerRun) {
        const std::size_t end = std::min(begin + kDaysPerRun, sorted.size());
        Attributor attributor(m_rules, facts);
        GPULEDGER_TRY(attributor.preload(sorted[begin], sorted[end - 1]));
        for (std::size_t i = begin; i < end; ++i) {
            DayCube day;
            GPULEDGER_TRY(
                attributor.walk(sorted[i], sorted[i], {}, [&](const model::DeviceAttribution &device) -> Result<void> {
                    day.add(device);
                    return {};
                }));
            GPULEDGER_TRY(cube.replaceDay(sorted[i], day.groups()));
        }
    }
    return {};
}

} // namespace gpuledger::ledger
