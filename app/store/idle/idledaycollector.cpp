// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/idle/idledaycollector.h"

#include <algorithm>

namespace gpuledger::store {

using model::GpuState;
using model::UsagePart;

IdleDayCollector::UnitDay &IdleDayCollector::unitFor(const model::DeviceAttribution &device, const UsagePart &part)
{
    const std::pair key(part.holder, part.slice);
    for (const auto &[known, unit] : m_known) {
        if (known == key)
            return *unit;
    }
    const model::AttributedHolder &who = (*device.holders)[static_cast<std::size_t>(part.holder)];
    UnitDay &unit = m_units[{idleKeyOf(who), {device.device->id.value, part.slice}}];
    unit.kind = who.kind;
    unit.fraction = fractionOf(*device.device, part.slice);
    m_known.emplace_back(key, &unit);
    return unit;
}

void IdleDayCollector::add(const model::DeviceAttribution &device)
{
    m_known.clear();
    for (const UsagePart &part : device.parts) {
        if (!isHeld(part) || device.day.start() + (part.bucket + 1) * base::kBucket > m_end)
            continue;
        UnitDay &unit = unitFor(device, part);
        unit.lastPart = part.bucket;
        if (part.state == GpuState::Active) {
            unit.lastActive = static_cast<std::int16_t>(part.bucket);
            unit.since.clear();
        } else if (part.bucket != unit.lastActive) {
            unit.since.push_back(tailPartOf(part));
        }
    }
}

IdleDay IdleDayCollector::take() const
{
    IdleDay day;
    day.reserve(m_units.size());
    for (auto first = m_units.begin(); first != m_units.end();) {
        const IdleHolderKey who = first->first.first;
        std::int16_t lastActive = -1;
        auto last = first;
        for (; last != m_units.end() && last->first.first == who; ++last)
            lastActive = std::max(lastActive, last->second.lastActive);
        for (; first != last; ++first) {
            const UnitDay &unit = first->second;
            TailSum sum, whole;
            for (const TailPart &part : unit.since) {
                if (part.bucket > lastActive)
                    sum.add(part, unit.fraction);
                if (unit.lastActive < 0 && lastActive >= 0)
                    whole.add(part, unit.fraction);
            }
            day.push_back({who, first->first.second, unit.kind, unit.lastActive, unit.lastPart, sum.take(unit.fraction),
                           whole.take(unit.fraction)});
        }
    }
    return day;
}

} // namespace gpuledger::store
