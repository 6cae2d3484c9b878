// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/query/query.h"
#include "app/model/settings.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/values/idlekept.h"

#include <vector>

namespace gpuledger::insight {

// Candidates that did not work in their grace window on at least one of the devices that they hold (whether observed
// enough or not), with the history of these back to their last activity: from the stored list if there is one for this
// instant and these settings, else from a scan of the facts. `at` must be on a bucket boundary. Fails with Storage…
// codes.
[[nodiscard]] base::Result<std::vector<store::IdleCandidate>> findIdleCandidates(store::AttributionReader &facts,
                                                                                 base::UtcTime at, const Filter &filter,
                                                                                 const model::IdleSettings &settings);
// Removes those that the filter does not admit at any time of the window on any device that did not work in it.
[[nodiscard]] base::Result<void> keepMatching(std::vector<store::IdleCandidate> &candidates,
                                              store::AttributionReader &facts, const Filter &filter);

} // namespace gpuledger::insight
