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
    m_piece.device = device.device;
    m_piece.node = device.node;
    m_piece.day = device.day;
    m_piece.gpuModel = device.gpuModel;
    m_piece.nodeOwner = device.nodeOwner;
    m_piece.spans.clear();
    m_piece.holds.clear();
    m_piece.uses.clear();
    m_uses.clear();
    for (const UsagePart &part : device.parts) {
        const int hour = part.bucket / kHourBuckets;
        if (hour != m_hour)
            endHour(device);
        m_hour = hour;
        addPart(part);
    }
    endHour(device);
    endUses(device);
    m_out.add(m_piece);
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

void HourRecorder::endHour(const model::DeviceAttribution &device)
{
    const int hour = std::exchange(m_hour, -1);
    if (hour < 0)
        return;
    const std::size_t first = m_piece.holds.size();
    for (Holding &one : m_holdings) {
        one.sum.holder = m_out.indexOf((*device.holders)[static_cast<std::size_t>(one.holder)]);
        m_piece.holds.push_back(one.sum);
    }
    HourSpan *const last = m_piece.spans.empty() ? nullptr : &m_piece.spans.back();
    const std::size_t count = m_holdings.size();
    const auto holds = m_piece.holds.begin();
    const auto at = [&](std::size_t i) { return holds + static_cast<std::ptrdiff_t>(i); };
    if (last && last->first + last->count == hour && last->line == m_line && last->holds == count
        && std::equal(at(first), m_piece.holds.end(), at(last->firstHold))) {
        ++last->count;
        m_piece.holds.resize(first);
    } else {
        m_piece.spans.push_back({static_cast<std::uint8_t>(hour), 1, m_line, first, count});
    }
    m_line = {};
    m_holdings.clear();
}

void HourRecorder::endUses(const model::DeviceAttribution &device)
{
    for (auto &[holder, sum] : m_uses) {
        HolderUse &use = m_piece.uses.emplace_back();
        use.holder = m_out.indexOf((*device.holders)[static_cast<std::size_t>(holder)]);
        use.sliced = sum.sliced;
        use.unobserved = sum.unobserved.ticks;
        use.memoryUnknown = sum.memoryUnknown.ticks;
        use.coarse = sum.coarse.ticks;
        use.loads.assign(sum.loads.begin(), sum.loads.end());
    }
}

} // namespace gpuledger::services
