// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/attribution/unitshares.h"

#include <vector>

namespace gpuledger::ledger {

// Determines the units of a device in a bucket: the whole device, or the slices it is partitioned into at that time.
// Holds scratch memory; use one object per thread.
class UnitLayout {
public:
    // Valid until the next call; never empty.
    const std::vector<const Unit *> &of(const IndexedDevice &device, const Samples &samples, base::TimeRange range);

private:
    void addSlices(const IndexedDevice &device, const Samples &samples, base::TimeRange range);

    std::vector<const Unit *> m_units;
};

} // namespace gpuledger::ledger
