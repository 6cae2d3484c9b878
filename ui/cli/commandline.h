// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/session.h"
#include "ui/cli/program/signalwatcher.h"

#include <functional>
#include <stop_token>

namespace gpuledger::cli {

// Parses the arguments, runs the command, prints, and returns the exit status. `ending` is called with how the command
// ends when `stop` is requested. Main thread.
int runCommandLine(int argc, char **argv, const Ports &ports, std::stop_token stop,
                   const std::function<void(Ending)> &ending);

} // namespace gpuledger::cli
