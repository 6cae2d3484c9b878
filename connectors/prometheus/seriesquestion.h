// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/telemetrysource.h"
#include "connectors/prometheus/queryrunner.h"

namespace gpuledger::prometheus {

// Asks for what an expression of the user gives. Somebody waits for it: it is tried again for a few seconds only. Uses
// up the connection. Fails as ports::TelemetrySource::series() says.
[[nodiscard]] base::Result<ports::SeriesAnswer> askSeries(Connection &connection, const ports::SeriesQuestion &question,
                                                          std::stop_token stop);

} // namespace gpuledger::prometheus
