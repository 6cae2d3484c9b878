// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/fleet/waiting.h"

#include <stop_token>

namespace gpuledger::ports {

// A TelemetrySource that can report what waits for GPUs also implements this interface (checked with dynamic_cast); a
// platform that can is created by SourceCatalog::createWaiting(). Threads as for TelemetrySource; nothing of the answer
// is stored.
class WaitingSource {
public:
    virtual ~WaitingSource() = default;
    // The state at `at`, which may be in the past: a source that only knows the present then fails with Unsupported.
    // Fails like TelemetrySource::fetch; missing metrics, or a list that the server withholds, are not an error: the
    // answer names what is missing.
    [[nodiscard]] virtual base::Result<model::WaitingFacts> waitingAt(base::UtcTime at, std::stop_token stop) = 0;
};

} // namespace gpuledger::ports
