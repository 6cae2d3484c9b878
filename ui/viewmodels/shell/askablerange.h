// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

namespace gpuledger::services {
class ConfigService;
}

namespace gpuledger::ui {

// The range that a page can query: from the start of the data to now, even if the data end earlier; for a report, to
// the end of its month. The command line uses the same end. Empty if nothing was fetched (`covered` is empty). Pure;
// any thread.
base::TimeRange askableRange(const services::ConfigService &config, base::TimeRange covered);

} // namespace gpuledger::ui
