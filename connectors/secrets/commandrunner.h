// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/secret.h"
#include "app/ports/commandconsent.h"

#include <chrono>

namespace gpuledger::connectors {

struct CommandLimits {
    std::chrono::milliseconds time{30'000};
    std::size_t bytes = 1u << 20;
};

// Runs what somebody agreed to and takes what it prints, without the line end of its last line. No shell, no input, no
// terminal, no descriptor but the three standard ones, and only the variables of the plan; its error output is dropped,
// because it could repeat the credential. It and what it started are ended when it takes too long or prints too much.
// Blocks for at most the time of the limits; any thread. Fails with Refused (consent is not given), NotFound (it can't
// be started, prints nothing or fails), Timeout or TooMuch.
[[nodiscard]] base::Result<base::Secret> runCommand(const ports::CommandPlan &plan, CommandLimits limits = {});

} // namespace gpuledger::connectors
