// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/fleetindex.h"

#include <cstdint>
#include <utility>
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
using Claims = std::vector<std::pair<Claim, std::int64_t>>; // with seconds

// Matches what labels say with the scheduler's records. Reads the index only; any thread.
class ClaimFinder {
public:
    // `index` must outlive it.
    explicit ClaimFinder(const FleetIndex &index)
        : m_index(index)
    {
    }
    // Whose the seconds are that a series with this subject (0: none) reported within the range; they add up to
    // `seconds`. `out` is overwritten.
    void find(const IndexedDevice &device, const Unit &unit, base::SubjectId subject, base::TimeRange range,
              std::int64_t seconds, Claims &out) const;
    // The claim of a subject that no record names in this range: the record close by, the name itself where no
    // scheduler speaks, or nobody (the exporter's own target).
    Claim withoutRecord(std::size_t subject, base::TimeRange range) const;
    // A holder with a record, on a unit that it was placed on.
    Claim ofHolder(std::size_t holder) const { return {Claim::Kind::Holder, !m_index.holders[holder].placed, holder}; }
    bool schedulerSpeaks(const std::string &cluster, base::TimeRange range) const;

private:
    void inferred(const IndexedDevice &device, const Unit &unit, base::TimeRange range, std::int64_t seconds,
                  Claims &out) const;
    std::size_t nearestHolder(const IndexedSubject &subject, base::TimeRange range, base::Seconds &distance) const;

    const FleetIndex &m_index;
};

} // namespace gpuledger::ledger
