// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/capacity/fragments.h"

#include <algorithm>
#include <limits>

namespace gpuledger::savings {

namespace {

constexpr base::Seconds kPieceHour{3600};

// Calls visit(hour, part of the range in this hour) for the hours that a range overlaps.
template <typename Visit>
void eachPieceHour(const base::TimeRange &range, base::UtcTime start, std::size_t hours, Visit visit)
{
    const base::TimeRange all{start, start + static_cast<std::int64_t>(hours) * kPieceHour};
    const base::TimeRange part = range.intersect(all);
    for (base::UtcTime at = part.start; at < part.end;) {
        const auto hour = (at - start) / kPieceHour;
        const base::UtcTime end = std::min(part.end, start + (hour + 1) * kPieceHour);
        visit(static_cast<std::size_t>(hour), end - at);
        at = end;
    }
}

// Adds the seconds in which a request of a known or unknown kind waited; `waits` ascend.
void addSeconds(std::vector<WaitingHour> &hours, const std::vector<WaitedFor> &waits, bool isOfKind,
                base::UtcTime start, std::uint16_t WaitingHour::*seconds)
{
    base::UtcTime counted = start; // everything before this is in the sum
    for (const WaitedFor &wait : waits) {
        if (wait.isOfKind != isOfKind)
            continue;
        eachPieceHour({std::max(counted, wait.range.start), wait.range.end}, start, hours.size(),
                      [&](std::size_t hour, base::Seconds length) {
                          hours[hour].*seconds = static_cast<std::uint16_t>(hours[hour].*seconds + length.count());
                      });
        counted = std::max(counted, wait.range.end);
    }
}

} // namespace

std::vector<WaitingHour> waitingHours(std::vector<WaitedFor> waits, std::span<const base::TimeRange> known,
                                      base::UtcTime start, std::size_t hours)
{
    constexpr std::int64_t kMost = std::numeric_limits<std::uint16_t>::max();
    std::vector<WaitingHour> out(hours);
    for (const base::TimeRange &range : known) {
        eachPieceHour(range, start, hours, [&](std::size_t hour, base::Seconds length) {
            out[hour].known = out[hour].known || length == kPieceHour;
        });
    }
    std::sort(waits.begin(), waits.end(),
              [](const WaitedFor &a, const WaitedFor &b) { return a.range.start < b.range.start; });
    for (const WaitedFor &wait : waits) {
        if (!wait.isOfKind)
            continue;
        eachPieceHour(wait.range, start, hours, [&](std::size_t hour, base::Seconds) {
            const auto gpus = static_cast<std::uint16_t>(std::clamp<std::int64_t>(wait.gpus, 1, kMost));
            std::uint16_t &least = out[hour].least;
            least = least == 0 ? gpus : std::min(least, gpus);
        });
    }
    addSeconds(out, waits, true, start, &WaitingHour::seconds);
    addSeconds(out, waits, false, start, &WaitingHour::unknownSeconds);
    for (WaitingHour &hour : out) {
        if (!hour.known)
            hour = {};
    }
    return out;
}

PoolPieces poolPieces(const CapacityPool &pool)
{
    PoolPieces out;
    for (std::size_t i = 0; i < pool.hours; ++i) {
        const WaitingHour waiting = i < pool.waiting.size() ? pool.waiting[i] : WaitingHour{};
        bool isSeen = false;
        for (const CapacityNode &node : pool.nodes) {
            const CapacityHour one = node.hours[i];
            if (!one.present || !one.known)
                continue;
            isSeen = true;
            const std::int64_t free = std::max(0, pool.gpus - one.allocated);
            out.freeSeconds += free * waiting.seconds;
            out.unknownSeconds += free * waiting.unknownSeconds;
            out.tooSmallSeconds += free < waiting.least ? free * waiting.seconds : 0;
        }
        out.hours += isSeen ? 1 : 0;
        out.knownHours += isSeen && waiting.known ? 1 : 0;
        if (isSeen && waiting.least > 0)
            out.smallest = out.smallest == 0 ? waiting.least : std::min<std::int64_t>(out.smallest, waiting.least);
    }
    return out;
}

} // namespace gpuledger::savings
