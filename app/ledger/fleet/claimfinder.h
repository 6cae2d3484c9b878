// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/fleet/fleetindex.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace gpuledger::ledger {

// Who a part of a unit's time belongs to, before owners are looked up.
struct Claim {
    // The list that `index` points into.
    enum class Kind : std::uint8_t { Nobody, Holder, Subject } kind = Kind::Nobody;
    bool inferred = false;
    std::size_t index = 0;
    bool operator==(const Claim &) const = default;
};
using Claims = std::vector<std::pair<Claim, std::int64_t>>; // with seconds

// Matches exporter labels with the scheduler's records. Only reads the index; any thread.
class ClaimFinder {
public:
    // `index` must outlive this object.
    explicit ClaimFinder(const FleetIndex &index)
        : m_index(index)
    {
    }
    // Attributes the seconds that a series with this subject (0 = none) reported in the range; the claims add up to
    // `seconds`. Overwrites `out`.
    void find(const IndexedDevice &device, const Unit &unit, base::SubjectId subject, base::TimeRange range,
              std::int64_t seconds, Claims &out) const;
    // The claim of a subject that no scheduler record covers in this range: the nearest record, the name itself where
    // there are no scheduler records, or Nobody (the exporter's own scrape target).
    Claim withoutRecord(std::size_t subject, base::TimeRange range) const;
    // A holder with a scheduler record, on a unit where it was placed.
    Claim ofHolder(std::size_t holder) const { return {Claim::Kind::Holder, !m_index.holders[holder].placed, holder}; }
    bool schedulerSpeaks(const std::string &cluster, base::TimeRange range) const;

private:
    void inferred(const IndexedDevice &device, const Unit &unit, base::TimeRange range, std::int64_t seconds,
                  Claims &out) const;
    std::size_t nearestHolder(const IndexedSubject &subject, base::TimeRange range, base::Seconds &distance) const;

    const FleetIndex &m_index;
};

} // namespace gpuledger::ledger
