// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/alerts/ruleseries.h"

namespace gpuledger::services {

// The series of any metric: see the function of its family for what each reading is, and when it is unknown. Daily
// metrics (Budget and Forecast only per project) also have the readings of up to 14 days before `question.range`.
// Blocking; call from a worker thread. Fails with Storage… codes, Overflow, InvalidArgument.
[[nodiscard]] base::Result<RuleSeries> metricSeriesOf(View &view, const alerts::Rule &rule,
                                                      const SeriesQuestion &question, const model::Settings &settings);

} // namespace gpuledger::services
