// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/query/query.h"
#include "app/model/settings.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/values/idlekept.h"

#include <vector>

namespace gpuledger::insight {

// Candidates without any activity in their grace window (whether observed enough or not), with their history back to
// the last activity: from the stored list if there is one for this instant and these settings, else from a scan of the
// facts. `at` must be on a bucket boundary. Fails with Storage… codes.
[[nodiscard]] base::Result<std::vector<store::IdleCandidate>> findIdleCandidates(store::AttributionReader &facts,
                                                                                 base::UtcTime at, const Filter &filter,
                                                                                 const model::IdleSettings &settings);

} // namespace gpuledger::insight
