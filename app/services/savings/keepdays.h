// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/money/costview.h"

#include <stop_token>

namespace gpuledger::services {

class Engine;

// Walks the days that overlap the range and are not stored yet, newest first, and stores them: what is asked then reads
// hours instead of parts, and takes no more memory than with stored days. Does nothing where another program writes, or
// for costs that are not stored, and where nothing can be stored. Blocking. Fails with Cancelled and Storage… codes;
// what was stored until then stays.
[[nodiscard]] base::Result<void> storeMissingDays(Engine &engine, base::TimeRange range, model::CostView cost,
                                                  const std::stop_token &stop);

} // namespace gpuledger::services
