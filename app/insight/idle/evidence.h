// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/money/costview.h"
#include "app/model/settings.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/facts/factreader.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::insight {

// Identifies an item of an idle list, with the values from that list.
struct EvidenceQuery {
    std::string id;
    std::string cluster;
    std::vector<std::string> devices; // UUIDs, with ":<instance>" for a slice
    base::UtcTime at{}; // of the list
    std::optional<base::UtcTime> since{}; // idle since; null: unknown
    model::CostView cost = model::CostView::Effective; // of its price
};

// What one holder's devices did while it held them, one value per step: the basis of an idle item's verdict. A bucket
// is unknown if one of the devices that report this reading at all did not report it then: a part is never taken for
// the whole. A step is null if less than half of its buckets are known, else the highest of them. Attribution reports
// no memory or power for time whose activity was not observed.
struct Evidence {
    base::TimeRange range; // whole buckets; empty: the holder held nothing in it
    base::Seconds step = base::kBucket; // one or more base buckets; the first step may be shorter
    std::vector<std::optional<double>> activity; // 0..1, maximum over its devices
    std::vector<std::optional<double>> memoryMib; // sum
    std::vector<std::optional<double>> powerW; // sum
    std::optional<double> lastActivity, lastMemoryMib, lastPowerW; // of the last bucket
    double threshold = 0; // of activity
    std::optional<double> memoryTotalMib; // null: the size of some device or slice is unknown
    std::optional<double> restingW; // with nothing running; null: not known for all, or the devices are slices
    model::ActivitySignal signal = model::ActivitySignal::None; // the newest
    int devices = 0; // found and held
    int activityDevices = 0, memoryDevices = 0, powerDevices = 0; // how many of them report it
    std::string priceSource; // of the newest day; if there are several prices, the first; empty: no price
};

inline constexpr base::Seconds kEvidenceSpan = base::kDay; // at least
inline constexpr base::Seconds kEvidenceBefore{6 * 3600}; // so that its last activity is visible
inline constexpr base::Seconds kLongestEvidence = 92 * base::kDay;
inline constexpr std::size_t kMostEvidenceSteps = 600;

// From a day before `at`, or from six hours before `since` if that is earlier. Reads only the days and devices of the
// item. Blocking; call from a worker thread. Fails with Storage… codes.
[[nodiscard]] base::Result<Evidence> evidenceOf(store::FactReader &facts, store::AttributionReader &attribution,
                                                const EvidenceQuery &query, const model::IdleSettings &settings);

} // namespace gpuledger::insight
