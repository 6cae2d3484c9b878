// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/waiting.h"

#include <stop_token>

namespace gpuledger::ports {

// A TelemetrySource that can tell what waits for GPUs is one of these as well (dynamic_cast finds out). Threads as
// TelemetrySource; nothing of the answer is stored.
class WaitingSource {
public:
    virtual ~WaitingSource() = default;
    // As it was at `at`, which may lie in the past. Fails as TelemetrySource::fetch does; a server that lacks the
    // metrics is no failure, its answer says that nothing is known.
    [[nodiscard]] virtual base::Result<model::WaitingFacts> waitingAt(base::UtcTime at, std::stop_token stop) = 0;
};

} // namespace gpuledger::ports
