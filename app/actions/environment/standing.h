// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/environment/actionenvironment.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::actions {

// The current state of an object that was acted on, and who caused it. Colleagues with GPU Ledger or kubectl act on the
// same objects, and GPU Ledger leaves marks on what it stops.
struct Standing {
    enum class Kind { Running, Stopped, Gone };
    Kind kind = Kind::Gone;
    std::string field, value; // as JSON; empty when it is gone
    std::optional<model::StopMark> mark; // left by whoever stopped it; std::nullopt if there is none
    std::optional<std::int64_t> action; // the action of this log that left the mark; std::nullopt if none did
};

// Queries the platform and changes nothing. `log`: actions against which marks are matched. Blocking; call on a worker
// thread. Fails with NotFound if no source reaches the object any more, otherwise with the platform's error.
[[nodiscard]] base::Result<Standing> standingOf(const model::TargetRef &target,
                                                const std::vector<model::ActionRecord> &log,
                                                ActionEnvironment &environment, const std::stop_token &stop);

} // namespace gpuledger::actions
