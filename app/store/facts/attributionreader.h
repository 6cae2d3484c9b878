// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/fleet/attribution.h"
#include "app/store/facts/factreader.h"

#include <functional>
#include <span>

namespace gpuledger::store {

// Provides attributed device time, computed from the facts on demand (drill-downs, idle list). Implemented by
// app/ledger; use one object per thread.
class AttributionReader {
public:
    virtual ~AttributionReader() = default;
    using Visitor = std::function<base::Result<void>(const model::DeviceAttribution &)>;
    // Visits every paid device and day of [first, last], ascending by (day, device); a day in which the device's node
    // or an owner rule changes is visited in several pieces. Empty `devices` = all. Fails with Storage… codes or with
    // the visitor's error.
    [[nodiscard]] virtual base::Result<void> walk(base::Day first, base::Day last,
                                                  std::span<const base::DeviceId> devices, const Visitor &visit) = 0;
    // The underlying facts, for what attribution does not contain (labels); null if there are none. Lives as long as
    // the reader.
    virtual FactReader *facts() { return nullptr; }
    // True if the costs are those of the roll-up and of kept(); false: another view of cost, which is not stored.
    virtual bool hasStoredCost() const { return true; }
    // The idle data stored under the same rules for the same state of the cache; null if there are none. Lives as long
    // as the reader.
    [[nodiscard]] virtual base::Result<IdleReader *> kept() { return nullptr; }
};

} // namespace gpuledger::store
