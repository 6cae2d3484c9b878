// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time.h"
#include "app/model/settings.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/facts/factreader.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::insight {

// Which item of an idle list, as the list tells it.
struct EvidenceQuery {
    std::string id;
    std::string cluster;
    std::vector<std::string> devices; // UUIDs, with ":<instance>" for a slice
    base::UtcTime at{}; // of the list
};

// What one holder's devices did in its hands, one value a base bucket: what an idle item's verdict stands on. A bucket
// is null when one of the devices that report this reading at all did not report it then: a part is never taken for the
// whole. Attribution tells no memory or power of time whose activity was not observed.
struct Evidence {
    base::TimeRange range; // whole buckets, the last day at most; empty: the holder held nothing in it
    std::vector<std::optional<double>> activity; // 0..1, highest of its devices
    std::vector<std::optional<double>> memoryMib; // sum
    std::vector<std::optional<double>> powerW; // sum
    double threshold = 0; // of activity
    std::optional<double> memoryTotalMib; // null: the size of some device or slice is not known
    std::optional<double> restingW; // with nothing running; null: not known of all, or slices of devices
    model::ActivitySignal signal = model::ActivitySignal::None; // the newest
    int devices = 0; // that were found and held
    int activityDevices = 0, memoryDevices = 0, powerDevices = 0; // of these, how many report it
    std::string priceSource; // of the newest day; of several prices the first; empty: unpriced
};

inline constexpr base::Seconds kEvidenceSpan = base::kDay;

// Reads only the days and devices of the item. Blocking; worker threads. Fails with Storage… codes.
[[nodiscard]] base::Result<Evidence> evidenceOf(store::FactReader &facts, store::AttributionReader &attribution,
                                                const EvidenceQuery &query, const model::IdleSettings &settings);

} // namespace gpuledger::insight
