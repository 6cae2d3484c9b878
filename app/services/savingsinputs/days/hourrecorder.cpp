// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/days/hourrecorder.h"

#include "app/services/savingsinputs/rightsizeuse.h"
#include "app/store/idle/idletail.h"

#include <algorithm>
#include <utility>

namespace gpuledger::services {

using model::GpuState;
using model::UsagePart;

namespace {

bool addRecorded(std::int64_t &sum, std::int64_t amount)
{
    return !__builtin_add_overflow(sum, amount, &sum);
}

} // namespace

void HourRecorder::add(const model::DeviceAttribution &device)
{
    m_spans.clear();
    m_holds.clear();
    m_uses.clear();
    m_known.clear();
    for (const UsagePart &part : device.parts) {
        const int hour = part.bucket / kHourBuckets;
        if (hour != m_hour)
            endHour(device);
        m_hour = hour;
        addPart(part);
    }
    endHour(device);
    putPiece(device);
}

std::optional<std::string> HourRecorder::take()
{
    return m_fits ? std::optional(m_out.take()) : std::nullopt;
}

void HourRecorder::addPart(const UsagePart &part)
{
    const std::int64_t cost = part.priced ? part.costNanos : 0;
    const bool isHeld = store::isHeld(part);
    bool used = false;
    if (part.ticks != 0) {
        m_line.ticks += part.ticks;
        m_line.unallocated += part.state == GpuState::Unallocated ? part.ticks : 0;
        m_line.unseen += part.state == GpuState::UnobservedFree ? part.ticks : 0;
        m_fits = addRecorded(m_line.cost, cost) && m_fits;
        m_fits = addRecorded(m_line.base, part.listed ? std::min(cost, part.listNanos) : cost) && m_fits;
        m_line.unpriced = m_line.unpriced || !part.priced;
        if (isHeld)
            used = addSizedUse(useOf(part.holder), part);
        else
            m_line.foreign = m_line.foreign || isUsedByOthers(part, m_threshold);
    }
    if (!isHeld)
        return;
    HourHold &sum = holdingOf(part, used).sum;
    sum.buckets = static_cast<std::uint16_t>(sum.buckets | 1U << (part.bucket % kHourBuckets));
    sum.ticks += part.ticks;
    sum.active += part.state == GpuState::Active ? part.ticks : 0;
    sum.unobserved += part.state == GpuState::UnobservedHeld ? part.ticks : 0;
    m_fits = addRecorded(sum.cost, cost) && m_fits;
    if (part.state == GpuState::Idle)
        m_fits = addRecorded(sum.idleCost, cost) && m_fits;
}

HourRecorder::Holding &HourRecorder::holdingOf(const UsagePart &part, bool used)
{
    for (Holding &one : m_holdings) {
        if (one.holder == part.holder && one.paid == (part.ticks != 0) && one.sum.used == used
            && one.sum.priced == part.priced)
            return one;
    }
    Holding &one = m_holdings.emplace_back();
    one.holder = part.holder;
    one.paid = part.ticks != 0;
    one.sum.used = used;
    one.sum.priced = part.priced;
    return one;
}

savings::RightSizeWorkload &HourRecorder::useOf(std::int32_t holder)
{
    for (auto &[known, use] : m_uses) {
        if (known == holder)
            return use;
    }
    return m_uses.emplace_back(holder, savings::RightSizeWorkload()).second;
}

std::uint32_t HourRecorder::storedIndexOf(std::int32_t holder, const model::DeviceAttribution &device)
{
    for (const auto &[known, index] : m_known) {
        if (known == holder)
            return index;
    }
    const std::uint32_t index = m_out.indexOf((*device.holders)[static_cast<std::size_t>(holder)]);
    m_known.emplace_back(holder, index);
    return index;
}

void HourRecorder::endHour(const model::DeviceAttribution &device)
{
    const int hour = std::exchange(m_hour, -1);
    if (hour < 0)
        return;
    const std::size_t first = m_holds.size();
    for (Holding &one : m_holdings) {
        one.sum.holder = storedIndexOf(one.holder, device);
        m_holds.push_back(one.sum);
    }
    HourSpan *const last = m_spans.empty() ? nullptr : &m_spans.back();
    const std::size_t count = m_holdings.size();
    const auto holds = m_holds.begin();
    const auto at = [&](std::size_t i) { return holds + static_cast<std::ptrdiff_t>(i); };
    if (last && last->first + last->count == hour && last->line == m_line && last->holds == count
        && std::equal(at(first), m_holds.end(), at(last->firstHold))) {
        ++last->count;
        m_holds.resize(first);
    } else {
        m_spans.push_back({static_cast<std::uint8_t>(hour), 1, m_line, first, count});
    }
    m_line = {};
    m_holdings.clear();
}

void HourRecorder::putPiece(const model::DeviceAttribution &device)
{
    std::vector<HourLoad> loads;
    for (const auto &[holder, sum] : m_uses)
        loads.insert(loads.end(), sum.loads.begin(), sum.loads.end());
    std::vector<HolderUse> uses;
    const HourLoad *load = loads.data();
    for (const auto &[holder, sum] : m_uses) {
        HolderUse &use = uses.emplace_back();
        use.holder = storedIndexOf(holder, device);
        use.sliced = sum.sliced;
        use.unobserved = sum.unobserved.ticks;
        use.memoryUnknown = sum.memoryUnknown.ticks;
        use.coarse = sum.coarse.ticks;
        use.loads = {load, sum.loads.size()};
        load += sum.loads.size();
    }
    m_out.add({device.device, device.node, device.day, device.gpuModel, device.nodeOwner, m_spans, m_holds, uses, {}});
}

} // namespace gpuledger::services
