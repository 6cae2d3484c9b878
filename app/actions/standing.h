// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/actionenvironment.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::actions {

// How an object that was acted on stands at this moment, and by whom: other people, other desks and people with kubectl
// act on the same objects, and leave their marks there.
struct Standing {
    enum class Kind { Running, Stopped, Gone };
    Kind kind = Kind::Gone;
    std::string field, value; // as JSON; empty when it is gone
    std::optional<model::StopMark> mark; // of whoever stopped it; nothing: nobody left one
    std::optional<std::int64_t> action; // the one of this log that left the mark; nothing: none of it
};

// Asks the platform; changes nothing. `log`: whose marks are known. Blocking; worker threads. Fails with NotFound (no
// source reaches it any more) or as the platform does.
[[nodiscard]] base::Result<Standing> standingOf(const model::TargetRef &target,
                                                const std::vector<model::ActionRecord> &log,
                                                ActionEnvironment &environment, const std::stop_token &stop);

} // namespace gpuledger::actions
