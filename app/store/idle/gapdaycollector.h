// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/attribution.h"
#include "app/store/values/gapkept.h"
#include "app/store/values/idlekept.h"

#include <array>
#include <map>
#include <utility>
#include <vector>

namespace gpuledger::store {

// The name under which gaps of a workload are counted: cluster, namespace, and its controller or else its own kind and
// name.
std::string gapWorkload(const model::AttributedHolder &who);

// Collects one day's GapDay from its attributed devices, in any order. One object per day; one thread.
class GapDayCollector {
public:
    // Time from `end` on does not count, as in IdleDayCollector.
    explicit GapDayCollector(base::UtcTime end)
        : m_end(end)
    {
    }
    void add(const model::DeviceAttribution &device);
    GapDay take() const;

private:
    using Buckets = std::array<std::uint8_t, base::kBucketsPerDay>; // what any of its units did, as a set of bits
    struct HolderDay {
        GapGroup group;
        Buckets buckets{};
    };
    HolderDay &holderOf(const model::DeviceAttribution &device, std::int32_t holder);

    base::UtcTime m_end;
    std::map<IdleHolderKey, HolderDay> m_holders;
    std::vector<std::pair<std::int32_t, HolderDay *>> m_known; // of the current device
};

} // namespace gpuledger::store
