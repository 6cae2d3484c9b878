// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/crypto/secret.h"
#include "app/base/result.h"
#include "app/ports/commandconsent.h"

#include <chrono>

namespace gpuledger::connectors {

// How long a program may run, and how much it may print.
struct CommandLimits {
    std::chrono::milliseconds time{30'000};
    std::size_t bytes = 1u << 20;
};

// Runs a command that the user has consented to and returns its output without the final line end. No shell, no input,
// no terminal, no descriptors except the three standard ones, and only the variables of the plan; its error output is
// discarded, because it could repeat the credential. The program and its children are killed if it takes too long or
// prints too much. Blocks for at most the time in the limits; any thread. Fails with Refused (no consent), NotFound (it
// cannot be started, prints nothing or fails), Timeout or TooMuch.
[[nodiscard]] base::Result<base::Secret> runCommand(const ports::CommandPlan &plan, CommandLimits limits = {});

} // namespace gpuledger::connectors
