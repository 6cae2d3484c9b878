// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/ids.h"
#include "app/model/fleet/attribution.h"
#include "app/model/money/costterms.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// A machine on the UTC day that is being read; internal to rightsizefacts. One thread.
namespace gpuledger::services {

inline constexpr std::uint16_t kSizedBuckets = 12; // of an hour
inline constexpr std::size_t kSizedHours = 24; // of a day
using DayBuckets = std::bitset<kSizedHours * kSizedBuckets>;

// What a holder has of a device in one hour.
struct SizedPart {
    std::int64_t holder = 0, ticks = 0;
    std::int32_t workload = 0;
    std::uint16_t device = 0; // of the machine
    std::uint16_t buckets = 0; // bit 0 is the first of the hour
    std::uint8_t hour = 0; // of the day
    bool used = false, priced = false;

    bool isLike(const SizedPart &other) const
    {
        return device == other.device && workload == other.workload && holder == other.holder && hour == other.hour
            && used == other.used && priced == other.priced;
    }
    // In what SizedCounts counts.
    bool isSameAnHourLater(const SizedPart &before) const
    {
        return device == before.device && workload == before.workload && holder == before.holder
            && buckets == before.buckets && used == before.used;
    }
};

struct SizedMachine {
    std::string cluster, type;
    std::int32_t market = -1;
    model::Recovery terms = model::Recovery::Unknown;
    bool spot = false;
    std::vector<base::DeviceId> devices; // of the day, as the rest
    std::vector<std::array<std::int64_t, kSizedHours>> ticks; // by device
    std::array<std::int64_t, kSizedHours> cost{}, base{};
    std::array<bool, kSizedHours> foreign{}; // used by work without a claim, or that may be
    std::array<bool, kSizedHours> unpriced{}; // in part
    std::vector<SizedPart> parts;

    std::uint16_t indexOf(base::DeviceId device)
    {
        const auto at = std::find(devices.begin(), devices.end(), device);
        if (at != devices.end())
            return static_cast<std::uint16_t>(at - devices.begin());
        devices.push_back(device);
        ticks.emplace_back().fill(0);
        return static_cast<std::uint16_t>(devices.size() - 1);
    }
    void add(const SizedPart &part)
    {
        if (parts.empty() || !parts.back().isLike(part)) {
            parts.push_back(part);
            return;
        }
        parts.back().buckets |= part.buckets;
        parts.back().ticks += part.ticks;
    }
    void clearDay()
    {
        devices.clear();
        ticks.clear();
        cost.fill(0);
        base.fill(0);
        foreign.fill(false);
        unpriced.fill(false);
        parts.clear();
    }
};

} // namespace gpuledger::services
