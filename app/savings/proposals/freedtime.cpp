// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/proposals/freedtime.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>

namespace gpuledger::savings {

using base::GpuTime;

namespace {

__extension__ using FreedWide = __int128;

constexpr std::int64_t kFreedHour = 3600;
constexpr std::size_t kFreedDay = 24;

// By hour of the demand. An hour that begins within two of these is split, rounded up.
void addFreed(const FreedTime &part, base::UtcTime start, std::vector<FreedWide> &taken)
{
    const std::int64_t offset = (part.start - start).count();
    const std::int64_t first = offset >= 0 ? offset / kFreedHour : -((-offset + kFreedHour - 1) / kFreedHour);
    const std::int64_t late = offset - first * kFreedHour; // seconds of an hour that lie in the next one
    const auto add = [&taken](std::int64_t hour, FreedWide ticks) {
        if (hour >= 0 && hour < static_cast<std::int64_t>(taken.size()))
            taken[static_cast<std::size_t>(hour)] += ticks;
    };
    for (std::size_t i = 0; i < part.hours.size(); ++i) {
        const FreedWide ticks = std::max<std::int64_t>(part.hours[i].ticks, 0);
        const std::int64_t hour = first + static_cast<std::int64_t>(i);
        if (late == 0) {
            add(hour, ticks);
            continue;
        }
        add(hour, (ticks * (kFreedHour - late) + kFreedHour - 1) / kFreedHour);
        add(hour + 1, (ticks * late + kFreedHour - 1) / kFreedHour);
    }
}

// In proportion to what each hour has. Returns what these hours do not have.
FreedWide takeEvenly(std::span<std::optional<GpuTime>> hours, FreedWide excess)
{
    FreedWide all = 0;
    for (const auto &hour : hours)
        all += hour ? hour->ticks : 0;
    if (excess <= 0)
        return 0;
    for (auto &hour : hours) {
        if (!hour || hour->ticks <= 0)
            continue;
        const FreedWide part = excess >= all ? FreedWide{hour->ticks} : (hour->ticks * excess + all - 1) / all;
        hour->ticks -= static_cast<std::int64_t>(part);
    }
    return std::max<FreedWide>(excess - all, 0);
}

} // namespace

bool takeFreed(std::span<const FreedTime *const> parts, std::span<const std::string> devices, base::UtcTime start,
               HourlyDemand &demand)
{
    const std::set<std::string_view> own(devices.begin(), devices.end());
    std::vector<FreedWide> taken(demand.size(), 0);
    std::set<std::string_view> takenOnce;
    bool any = false;
    for (const FreedTime *part : parts) {
        if (std::none_of(part->devices.begin(), part->devices.end(),
                         [&](const std::string &device) { return own.contains(device); }))
            continue;
        any = true;
        if (!part->once.empty() && !takenOnce.insert(part->once).second)
            continue;
        addFreed(*part, start, taken);
    }
    if (!any)
        return false;
    FreedWide left = 0;
    for (std::size_t day = 0; day < demand.size(); day += kFreedDay) {
        const std::size_t count = std::min(kFreedDay, demand.size() - day);
        FreedWide excess = 0;
        for (std::size_t i = day; i < day + count; ++i) {
            auto &hour = demand[i];
            if (!hour)
                continue;
            const auto part = static_cast<std::int64_t>(std::min<FreedWide>(hour->ticks, taken[i]));
            hour->ticks -= std::max<std::int64_t>(part, 0);
            excess += taken[i] - part;
        }
        left += takeEvenly(std::span(demand).subspan(day, count), excess);
    }
    takeEvenly(demand, left);
    return true;
}

} // namespace gpuledger::savings
