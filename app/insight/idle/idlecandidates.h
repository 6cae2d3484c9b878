// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/query/query.h"
#include "app/model/settings.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/values/idlekept.h"

#include <vector>

namespace gpuledger::insight {

// Candidates without any activity in their grace window (whether seen enough or not), with their history back to the
// last activity: as kept, where they are kept for this instant and these settings, else from a scan of the facts. `at`
// on a bucket boundary. Fails with Storage… codes.
[[nodiscard]] base::Result<std::vector<store::IdleCandidate>> findIdleCandidates(store::AttributionReader &facts,
                                                                                 base::UtcTime at, const Filter &filter,
                                                                                 const model::IdleSettings &settings);

} // namespace gpuledger::insight
