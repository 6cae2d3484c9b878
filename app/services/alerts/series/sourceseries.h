// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"
#include "app/services/alerts/ruleseries.h"
#include "app/store/values/syncstate.h"

namespace gpuledger::services {

// For the metric SourceLate: the hours since the last successful sync of each source of the configuration that may be
// read, every quarter hour since that sync, within `range`, which ends now. It is never unknown: a source that was
// never synced counts from the begin of the range, and a sync later than now (the clock was ahead) as one of now. How
// late a source was before its last sync is not stored. Pure; any thread.
RuleSeries sourceSeriesOf(const std::vector<model::SourceSettings> &sources,
                          const std::vector<store::SyncState> &states, base::TimeRange range);

} // namespace gpuledger::services
