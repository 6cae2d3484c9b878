// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/attribution.h"
#include "app/store/facts/factreader.h"

#include <functional>
#include <span>

namespace gpuledger::store {

// Resolved device time, computed from the facts on demand (drill-downs, idle list). Implemented by app/ledger; one
// object a thread.
class AttributionReader {
public:
    virtual ~AttributionReader() = default;
    using Visitor = std::function<base::Result<void>(const model::DeviceAttribution &)>;
    // Visits every paid device and day of [first, last], ascending by (day, device), a day in which the device's node
    // or an owner rule changes in several pieces; `devices` empty = all. Fails with Storage… codes or what the visitor
    // returned.
    [[nodiscard]] virtual base::Result<void> walk(base::Day first, base::Day last,
                                                  std::span<const base::DeviceId> devices, const Visitor &visit) = 0;
    // The facts that it resolves, for what it does not tell (labels); null where there are none. Lives as long as the
    // reader.
    virtual FactReader *facts() { return nullptr; }
    // What is kept for the idle list under the same rules and of the same state of the cache; null where nothing is.
    // Lives as long as the reader.
    [[nodiscard]] virtual base::Result<IdleReader *> kept() { return nullptr; }
};

} // namespace gpuledger::store
