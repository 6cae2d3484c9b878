// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/claimfinder.h"
#include "app/ledger/fleetindex.h"
#include "app/model/attribution.h"
#include "app/model/usage.h"

#include <cstdint>
#include <vector>

namespace gpuledger::ledger {

// Tells the states of one device's day (definitions.md, State of a device-second): each base bucket's paid seconds are
// split between holders and states, exactly. Holds scratch memory; one object a thread.
class DayResolver {
public:
    DayResolver(const FleetIndex &index, std::uint16_t threshold);

    struct Part {
        model::UsagePart usage; // holder, cost and priced are not filled in
        Claim claim;
    };
    // Parts ascending by (bucket, slice); `day` may lack tracks (then all its paid time is unobserved).
    const std::vector<Part> &resolve(const IndexedDevice &device, base::Day day,
                                     const std::vector<model::UsageTrack> &tracks);

private:
    struct Sample { // one track's bucket
        const model::UsageTrack *track = nullptr;
        const model::UsageBucket *bucket = nullptr;
        std::int64_t observed = 0; // seconds; 0 without an activity value, whatever the bucket says
    };
    struct Share { // a claim's time on the current unit, in ticks of a whole device
        Claim claim;
        std::int64_t observed = 0;
        std::int64_t unobserved = 0;
        model::UsageBucket reading;
        bool shared = false, sharedEqually = false;
    };
    struct Sharer {
        Claim claim;
        std::vector<base::TimeRange> times;
        std::int64_t weight = 1;
        std::int64_t ticks = 0;
        model::UsageBucket reading; // of its own copy of the unit's series
        std::int64_t readSeconds = 0;
    };
    struct SharedReading {
        model::UsageBucket reading;
        std::int64_t observed = 0; // seconds
        bool measured = false; // the exporter tells the holders' own parts
    };

    // Most buckets: one whole device, one series without a gap, the holder of the bucket before.
    struct Steady {
        bool possible = false; // on this device and day
        base::SubjectId subject;
        Claim claim;
        base::TimeRange range; // of the holder's record
    };

    bool mayBeSteady(const IndexedDevice &device) const;
    bool resolveSteady(int bucket, base::TimeRange range, std::int64_t paid);
    void collectSamples(const std::vector<model::UsageTrack> &tracks, int bucket);
    void resolveBucket(const IndexedDevice &device, int bucket, base::TimeRange range, std::int64_t paid);
    void layout(const IndexedDevice &device, base::TimeRange range);
    void layoutSlices(const IndexedDevice &device, base::TimeRange range);
    bool isShared(const IndexedDevice &device, const Unit &unit, base::TimeRange range) const;
    void resolveExclusive(const IndexedDevice &device, const Unit &unit, base::TimeRange range, std::int64_t paid);
    void take(const IndexedDevice &device, const Unit &unit, base::TimeRange range, const Sample &sample,
              std::int64_t seconds);
    void fillGap(const Unit &unit, base::TimeRange range, std::int64_t missing);
    void resolveShared(const Unit &unit, base::TimeRange range, std::int64_t paid);
    SharedReading readShared(const Unit &unit, std::int64_t paid) const;
    void collectSharers(const Unit &unit, base::TimeRange range, std::int64_t observed);
    Sharer &sharerOf(const Claim &claim);
    bool isOf(const Sharer &sharer, const Sample &sample) const;
    bool weighByProcess(const Unit &unit);
    void readOwnCopies(const Unit &unit);
    void splitPresence(base::TimeRange range, bool byMeasure);
    void handOut(const SharedReading &unit, std::int64_t paid, bool byMeasure);
    Share &shareOf(const Claim &claim);
    void emitUnit(const Unit &unit, int bucket, std::int64_t paid);
    void emitPart(int bucket, std::int16_t slice, const Share &share, std::int64_t ticks, bool observed);

    const FleetIndex &m_index;
    ClaimFinder m_finder;
    std::uint16_t m_threshold;
    std::vector<Part> m_parts;
    // Scratch of the current bucket or unit, kept to avoid allocations.
    std::vector<std::size_t> m_next; // parallel to the day's tracks
    std::vector<Sample> m_samples;
    std::vector<const Unit *> m_layout;
    std::vector<Share> m_shares;
    Claims m_claims;
    std::vector<Sharer> m_sharers;
    Steady m_steady;
    std::int64_t m_nobodyTicks = 0; // of the shared unit
};

} // namespace gpuledger::ledger
