// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/attribution/unitshares.h"

namespace gpuledger::ledger {

// Splits a bucket of a unit that only one holder at a time can have: first by samples, then by the scheduler's records.
// Holds scratch memory; use one object per thread.
class ExclusiveUnit {
public:
    // `index` must outlive this object.
    explicit ExclusiveUnit(const FleetIndex &index)
        : m_index(index)
        , m_finder(index)
    {
    }
    // Adds `paid` seconds to the shares; may reorder the samples.
    void resolve(const IndexedDevice &device, const Unit &unit, Samples &samples, base::TimeRange range,
                 std::int64_t paid, Shares &shares);

private:
    void take(const IndexedDevice &device, const Unit &unit, base::TimeRange range, const Sample &sample,
              std::int64_t seconds, Shares &shares);
    void fillGap(const Unit &unit, base::TimeRange range, std::int64_t missing, Shares &shares);

    const FleetIndex &m_index;
    ClaimFinder m_finder;
    Claims m_claims;
};

} // namespace gpuledger::ledger
