// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/waiting.h"

#include <stop_token>

namespace gpuledger::ports {

// Reports the jobs that wait for GPUs. TelemetrySource::waiting() hands it out where telemetry has them,
// SourceCatalog::createWaiting() makes it for a platform. Threads as TelemetrySource; nothing of the answer is stored.
class WaitingSource {
public:
    virtual ~WaitingSource() = default;
    // As it was at `at`, which may lie in the past: what only knows the present fails with Unsupported then. Fails as
    // TelemetrySource::fetch does; a server that lacks the metrics, or withholds a list, is no failure: its answer says
    // what is missing.
    [[nodiscard]] virtual base::Result<model::WaitingFacts> waitingAt(base::UtcTime at, std::stop_token stop) = 0;
};

} // namespace gpuledger::ports
