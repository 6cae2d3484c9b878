// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/model/fleet/attribution.h"
#include "app/model/settings.h"
#include "app/store/values/cube.h"
#include "app/store/values/gapkept.h"

#include <compare>
#include <optional>
#include <string>
#include <vector>

// What is stored for the idle list: for each day, what every holder did on every unit, from which the time since the
// last activity is summed without reading usage, and the candidates at the end of the fetched data. Plain values.
namespace gpuledger::store {

// Identifies a holder: the scheduler's record and the name in the labels, one of which may be 0.
struct IdleHolderKey {
    std::int64_t holder = 0, subject = 0;
    auto operator<=>(const IdleHolderKey &) const = default;
};
inline IdleHolderKey idleKeyOf(const model::AttributedHolder &who)
{
    return {who.holder.value, who.subject.value};
}

// Identifies what was held: a device or a slice of it.
struct IdleUnitKey {
    std::int64_t device = 0;
    std::int16_t slice = -1;
    auto operator<=>(const IdleUnitKey &) const = default;
};

// A holder's time on one unit in a UTC day after the last activity that the holder had that day on any unit.
struct IdleTail {
    std::uint16_t first = 0; // its first bucket
    double idleSeconds = 0; // wall-clock
    std::int64_t wastedNanos = 0; // of the idle time with a price
    bool unobserved = false; // part of it was not observed
    bool unpriced = false; // part of its idle time has no price
    bool operator==(const IdleTail &) const = default;
};

// What one holder did on one unit in a UTC day.
struct IdleUnitDay {
    IdleHolderKey who;
    IdleUnitKey unit;
    model::WorkloadKind kind = model::WorkloadKind::Unknown;
    std::int16_t lastActive = -1; // bucket of the last activity on this unit; -1 = none that day
    std::uint16_t lastPart = 0; // last bucket in which it was held
    std::optional<IdleTail> tail;
    // The whole day, of a unit that did not work that day while another unit of the holder did; a day that was stored
    // by an older version has none.
    std::optional<IdleTail> whole = {};
    bool operator==(const IdleUnitDay &) const = default;
};
using IdleDay = std::vector<IdleUnitDay>; // ascending by (who, unit)

// The dimensions of a unit's time that filters may use.
struct IdlePlace {
    GroupKey group;
    std::string node, device;
    bool operator==(const IdlePlace &) const = default;
};

// One device or slice that a candidate holds, as observed up to the instant.
struct IdleUnit {
    std::string uuid, gpuInstance, gpuModel, node;
    base::DeviceId device;
    double fraction = 0; // of a device, including sharing
    bool priced = false;
    base::Rate rate; // of the whole device
    double restingW = 0;
    model::ActivitySignal signal = model::ActivitySignal::None;
    // Over the whole grace window, regardless of what was observed; wall-clock seconds:
    double windowSeconds = 0, observedSeconds = 0;
    bool activeInWindow = false;
    double peakActivity = 0; // maximum of the bucket means, 0..1
    std::int64_t memoryMib = -1; // newest; -1 = not reported
    bool memoryChanged = false; // by more than 5 % within the window
    double powerW = -1; // newest; -1 = not reported
    bool sharedEqually = false;
    std::vector<IdlePlace> places; // distinct places and owners in the window
    // Since the candidate's last activity; 0 if it was active in the window:
    double idleSeconds = 0; // wall-clock
    std::int64_t wastedNanos = 0; // of the idle time with a price
    bool unobservedSince = false, unpricedSince = false;
};

// A holder that holds devices at the instant, is older than its grace window, and did not work in it on at least one of
// its units. The others have `activeInWindow`: they tell how much of what it holds is idle.
struct IdleCandidate {
    model::AttributedHolder who;
    base::UtcTime since{}; // end of the last active bucket of the units that did not work, else its start
    std::vector<IdleUnit> units;
};

base::Seconds graceOf(const model::IdleSettings &settings, model::WorkloadKind kind);
base::Seconds longestGrace(const model::IdleSettings &settings);

// Reads the stored idle data, from the state of the cache that its owner pinned. Fails with Storage… codes only.
class IdleReader {
public:
    virtual ~IdleReader() = default;
    // Empty if nothing was held.
    [[nodiscard]] virtual base::Result<IdleDay> day(base::Day day) = 0;
    // std::nullopt if they were stored for another instant or for other grace windows.
    [[nodiscard]] virtual base::Result<std::optional<std::vector<IdleCandidate>>>
    candidates(base::UtcTime at, const model::IdleSettings &settings) = 0;
    // How gaps ended in the kGapDays days before `day`; empty if nothing is stored.
    [[nodiscard]] virtual base::Result<GapPast> gapPast(base::Day) { return GapPast{}; }
};

} // namespace gpuledger::store
