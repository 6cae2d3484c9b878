// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/idle/idletail.h"

#include <map>
#include <utility>
#include <vector>

namespace gpuledger::store {

// Collects one day's IdleDay from its attributed devices, in any order, except that the pieces of a device must be
// ascending. One object per day; one thread.
class IdleDayCollector {
public:
    // Time from `end` on does not count: a query at the end of the fetched data is cut to its bucket.
    explicit IdleDayCollector(base::UtcTime end)
        : m_end(end)
    {
    }
    void add(const model::DeviceAttribution &device);
    IdleDay take() const;

private:
    struct UnitDay {
        model::WorkloadKind kind = model::WorkloadKind::Unknown;
        double fraction = 1;
        std::int16_t lastActive = -1;
        std::uint16_t lastPart = 0;
        std::vector<TailPart> since; // parts after its own last activity
    };
    UnitDay &unitFor(const model::DeviceAttribution &device, const model::UsagePart &part);

    base::UtcTime m_end;
    std::map<std::pair<IdleHolderKey, IdleUnitKey>, UnitDay> m_units;
    std::vector<std::pair<std::pair<std::int32_t, std::int16_t>, UnitDay *>> m_known; // of the current device
};

} // namespace gpuledger::store
