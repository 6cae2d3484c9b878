// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/fleetindex.h"
#include "app/model/attribution.h"
#include "app/model/usage.h"

#include <cstdint>
#include <map>
#include <vector>

namespace gpuledger::ledger {

// Who a part of a unit's time belongs to, before owners are looked up.
struct Claim {
    // Which list `index` points into.
    enum class Kind : std::uint8_t { Nobody, Holder, Subject } kind = Kind::Nobody;
    bool inferred = false;
    std::size_t index = 0;
    bool operator==(const Claim &) const = default;
};

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
    };
    struct Share { // a claim's time on the current unit, in ticks of a whole device
        Claim claim;
        std::int64_t observed = 0;
        std::int64_t unobserved = 0;
        model::UsageBucket reading;
        bool sharedEqually = false;
    };
    using Claims = std::vector<std::pair<Claim, std::int64_t>>; // with seconds

    void resolveBucket(const IndexedDevice &device, int bucket, base::TimeRange range, std::int64_t paid);
    void layout(const IndexedDevice &device, base::TimeRange range);
    void resolveExclusive(const IndexedDevice &device, const Unit &unit, base::TimeRange range, std::int64_t paid);
    void resolveShared(const Unit &unit, base::TimeRange range, std::int64_t paid);
    void collectSharers(const Unit &unit, base::TimeRange range);
    void claimsOf(const IndexedDevice &device, const Unit &unit, base::SubjectId subject, base::TimeRange range,
                  std::int64_t seconds);
    void claimsByInference(const IndexedDevice &device, const Unit &unit, base::TimeRange range, std::int64_t seconds);
    std::size_t nearestHolder(const IndexedSubject &subject, base::TimeRange range, base::Seconds &distance) const;
    void fillGap(const Unit &unit, base::TimeRange range, std::int64_t missing);
    bool isShared(const IndexedDevice &device, const Unit &unit, base::TimeRange range) const;
    Share &shareOf(const Claim &claim);
    void emitUnit(const Unit &unit, int bucket, std::int64_t paid);
    void emitPart(int bucket, std::int16_t slice, const Share &share, std::int64_t ticks, bool observed);

    const FleetIndex &m_index;
    std::uint16_t m_threshold;
    std::vector<Part> m_parts;
    // Scratch of the current bucket or unit, kept to avoid allocations.
    std::vector<Sample> m_samples;
    std::vector<const Unit *> m_layout;
    std::vector<Share> m_shares;
    Claims m_claims;
    struct Sharer {
        Claim claim;
        std::vector<base::TimeRange> times;
        std::int64_t weight = 1;
    };
    std::vector<Sharer> m_sharers;
};

} // namespace gpuledger::ledger
