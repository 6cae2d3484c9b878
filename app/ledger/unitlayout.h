// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/unitshares.h"

#include <vector>

namespace gpuledger::ledger {

// Which units of a device there are in a bucket: the whole device, or the slices it is cut into then. Holds scratch
// memory; one object a thread.
class UnitLayout {
public:
    // Valid until the next call; never empty.
    const std::vector<const Unit *> &of(const IndexedDevice &device, const Samples &samples, base::TimeRange range);

private:
    void addSlices(const IndexedDevice &device, const Samples &samples, base::TimeRange range);

    std::vector<const Unit *> m_units;
};

} // namespace gpuledger::ledger
