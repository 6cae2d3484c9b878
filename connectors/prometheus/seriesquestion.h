// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/telemetrysource.h"
#include "connectors/prometheus/query/queryrunner.h"

namespace gpuledger::prometheus {

// Evaluates a user's expression. The user is waiting for the answer, so it is retried for a few seconds only. Uses up
// the connection. Fails as ports::TelemetrySource::series() says.
[[nodiscard]] base::Result<ports::SeriesAnswer> askSeries(Connection &connection, const ports::SeriesQuestion &question,
                                                          std::stop_token stop);

} // namespace gpuledger::prometheus
