// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/ids.h"
#include "app/base/time/time.h"
#include "app/model/fleet/attribution.h"
#include "app/savings/rightsize/rightsize.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

// A device's attributed UTC day by hour: what all collectors of savings need of it, without its buckets. Plain values.
// Ticks are base::GpuTime ticks, money is in nano-units.
namespace gpuledger::services {

inline constexpr int kHourBuckets = 12;
inline constexpr std::uint16_t kAllHourBuckets = (1U << kHourBuckets) - 1;

// All paid time of the device in one hour.
struct HourLine {
    std::int64_t ticks = 0, unallocated = 0, unseen = 0; // the last two are parts: Unallocated, UnobservedFree
    // Of what has a price: at the device's rate, and that or the price book's, whichever is less.
    std::int64_t cost = 0, base = 0;
    bool unpriced = false; // in part
    bool foreign = false; // used without a claim, or that may be: isUsedByOthers()
    bool operator==(const HourLine &) const = default;
};

// What a holder had of the device in one hour, in one way.
struct HourHold {
    std::uint32_t holder = 0; // index into HourPiece::holders
    std::uint16_t buckets = 0; // of the hour; bit 0 is the first
    bool used = false; // addSizedUse()
    bool priced = false;
    // 0: not paid. The last two are parts: Active, UnobservedHeld.
    std::int64_t ticks = 0, active = 0, unobserved = 0;
    std::int64_t cost = 0, idleCost = 0; // the latter in the Idle state
    bool operator==(const HourHold &) const = default;
};

// Hours that follow each other and are alike.
struct HourSpan {
    std::uint8_t first = 0, count = 0; // hours of the day
    HourLine line;
    std::size_t firstHold = 0, holds = 0; // of HourPiece::holds: those of one hour
};

using HourLoad = std::pair<savings::RightSizeLoad, std::int64_t>; // with ticks

// What a holder used of the device in all of the piece, as addSizedUse() adds it up.
struct HolderUse {
    std::uint32_t holder = 0;
    bool sliced = false;
    std::int64_t unobserved = 0, memoryUnknown = 0, coarse = 0;
    std::span<const HourLoad> loads = {}; // ascending
};

// One visit of an AttributionReader. Names as in model::DeviceAttribution. It only refers to what it tells.
struct HourPiece {
    const model::Device *device = nullptr;
    const model::Node *node = nullptr; // may be null
    base::Day day;
    std::string_view gpuModel, nodeOwner;
    std::span<const HourSpan> spans; // ascending
    std::span<const HourHold> holds; // of the spans, in the order in which they began
    std::span<const HolderUse> uses; // in the order in which the holders appear
    std::span<const model::AttributedHolder> holders; // of the day; without times, node and uid

    std::span<const HourHold> holdsOf(const HourSpan &span) const { return holds.subspan(span.firstHold, span.holds); }
    const model::AttributedHolder &holderAt(std::uint32_t index) const { return holders[index]; }
};

} // namespace gpuledger::services
