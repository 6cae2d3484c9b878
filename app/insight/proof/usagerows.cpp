// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/proof/usagerows.h"

#include "app/insight/query/measuresums.h"
#include "app/store/facts/measures.h"

#include <algorithm>
#include <utility>

namespace gpuledger::insight {

namespace {

constexpr std::size_t kWait = 4 * Proof::kMostRows; // rows that are buffered before the longest are chosen

std::string deviceName(const model::DeviceAttribution &device, std::int16_t slice)
{
    return slice < 0 ? device.device->uuid
                     : device.device->uuid + ':' + device.device->slices[static_cast<std::size_t>(slice)].gpuInstance;
}

UsageRow rowOf(const model::DeviceAttribution &device, const model::UsagePart &part, base::Currency currency)
{
    UsageRow row;
    row.cluster = device.device->cluster;
    row.node = device.node ? device.node->name : std::string();
    row.device = deviceName(device, part.slice);
    row.state = std::string(model::toString(part.state));
    row.team = device.nodeOwner;
    if (part.holder != model::kNobody) {
        const model::AttributedHolder &who = (*device.holders)[static_cast<std::size_t>(part.holder)];
        row.holder = workloadName(who.nameSpace, who.ownerKind, who.ownerName, who.name, who.what);
        row.team = who.team;
    }
    if (part.priced) {
        row.rate = base::Money(device.rate.nanosPerHour(), currency);
        row.priceSource = device.priceSource;
    }
    return row;
}

bool isLonger(const UsageRow &a, const UsageRow &b)
{
    return std::tuple(-a.time.ticks, a.range.start, std::string_view(a.device), std::string_view(a.holder))
        < std::tuple(-b.time.ticks, b.range.start, std::string_view(b.device), std::string_view(b.holder));
}

} // namespace

void UsageRows::add(const model::DeviceAttribution &device, const model::UsagePart &part)
{
    const bool held = part.holder != model::kNobody;
    const auto *who = held ? &(*device.holders)[static_cast<std::size_t>(part.holder)] : nullptr;
    Key key{device.device->id.value,
            part.slice,
            who ? who->holder.value : -1,
            who ? who->subject.value : -1,
            static_cast<int>(part.state),
            part.priced ? device.rate.nanosPerHour() : -1,
            part.priced ? device.priceSource : std::string()};
    const base::UtcTime start = device.day.start() + part.bucket * base::kBucket;
    Open &open = m_open[std::move(key)];
    if (open.row.range.empty() || open.row.range.end < start) {
        close(open);
        open.row = rowOf(device, part, m_currency);
        open.row.range.start = start;
    }
    open.row.range.end = start + base::kBucket;
    open.ticks += part.ticks;
    open.nanos += part.priced ? part.costNanos : 0;
    store::forEachMeasure(device, part, [&](store::Measure measure, std::int64_t amount) {
        open.sum += measure == m_sum ? amount : 0;
        const bool seenIdle = m_over == store::Measure::ActiveTicks && measure == store::Measure::IdleTicks;
        open.over += measure == m_over || seenIdle ? amount : 0;
    });
    if (part.priced)
        m_prices[{device.priceSource, device.rate.nanosPerHour()}] += part.ticks;
}

void UsageRows::close(Open &open)
{
    if (open.row.range.empty())
        return;
    open.row.time = {open.ticks};
    if (open.row.rate)
        open.row.cost = base::Money(open.nanos, m_currency);
    if (open.over > 0)
        open.row.reading = static_cast<double>(open.sum) / static_cast<double>(open.over);
    m_rows.push_back(std::move(open.row));
    open = {};
    if (m_rows.size() >= kWait)
        drop();
}

// Keeps the longest rows.
void UsageRows::drop()
{
    if (m_rows.size() <= Proof::kMostRows)
        return;
    const auto end = m_rows.begin() + static_cast<std::ptrdiff_t>(Proof::kMostRows);
    std::nth_element(m_rows.begin(), end, m_rows.end(), isLonger);
    for (auto it = end; it != m_rows.end(); ++it) {
        ++m_leftOut;
        m_leftOutTicks += it->time.ticks;
        m_leftOutNanos += it->cost ? it->cost->nanos() : 0;
    }
    m_rows.erase(end, m_rows.end());
}

void UsageRows::moveTo(Proof &proof)
{
    for (auto &[key, open] : m_open)
        close(open);
    drop();
    std::sort(m_rows.begin(), m_rows.end(), [](const UsageRow &a, const UsageRow &b) {
        return std::tuple(a.range.start, std::string_view(a.device), std::string_view(a.holder), a.range.end)
            < std::tuple(b.range.start, std::string_view(b.device), std::string_view(b.holder), b.range.end);
    });
    proof.usage = std::move(m_rows);
    proof.leftOut = m_leftOut;
    proof.leftOutTime = {m_leftOutTicks};
    if (m_leftOut > 0)
        proof.leftOutAmount = base::Money(m_leftOutNanos, m_currency);
    for (const auto &[price, ticks] : m_prices)
        proof.prices.push_back({base::Money(price.second, m_currency), price.first, {ticks}});
}

} // namespace gpuledger::insight
