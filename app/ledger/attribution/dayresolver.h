// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/attribution/exclusiveunit.h"
#include "app/ledger/attribution/sharedunit.h"
#include "app/ledger/attribution/unitlayout.h"
#include "app/model/fleet/attribution.h"
#include "app/model/fleet/usage.h"

#include <cstdint>
#include <vector>

namespace gpuledger::ledger {

// Determines the states of one device's day: the paid seconds of each base bucket are split exactly between holders and
// states. Holds scratch memory; use one object per thread.
class DayResolver {
public:
    DayResolver(const FleetIndex &index, std::uint16_t threshold);

    struct Part {
        model::UsagePart usage; // holder, cost and priced are not set
        Claim claim;
    };
    // Parts ascending by (bucket, slice). `day` may have no tracks; then all its paid time is unobserved.
    const std::vector<Part> &resolve(const IndexedDevice &device, base::Day day,
                                     const std::vector<model::UsageTrack> &tracks);

private:
    // The common case: one whole device, one series without a gap, the same holder as in the bucket before.
    struct Steady {
        bool possible = false; // on this device and day
        const model::UsageTrack *track = nullptr;
        Claim claim;
        base::TimeRange range; // in which the track's samples belong to that claim
    };

    bool mayBeSteady(const IndexedDevice &device) const;
    bool steadyClaim(const IndexedDevice &device, const model::UsageTrack &track, base::TimeRange range);
    int resolveRun(const IndexedDevice &device, base::Day day, const std::vector<model::UsageTrack> &tracks, int first);
    void collectSamples(const std::vector<model::UsageTrack> &tracks, int bucket);
    void resolveBucket(const IndexedDevice &device, int bucket, base::TimeRange range, std::int64_t paid);
    void emitUnit(const Unit &unit, int bucket, std::int64_t paid);
    void emitReading(int bucket, std::int16_t slice, const Claim &claim, const model::UsageBucket &reading,
                     std::int64_t ticks);
    void emitPart(int bucket, std::int16_t slice, const Share &share, std::int64_t ticks, bool observed);

    const FleetIndex &m_index;
    ExclusiveUnit m_exclusive;
    SharedUnit m_shared;
    UnitLayout m_layout;
    std::uint16_t m_threshold;
    std::vector<Part> m_parts;
    // Scratch of the current bucket or unit, reused to avoid allocations.
    std::vector<std::size_t> m_next; // parallel to the day's tracks
    Samples m_samples;
    Shares m_shares;
    Steady m_steady;
};

} // namespace gpuledger::ledger
