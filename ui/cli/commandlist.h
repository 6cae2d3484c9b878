// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

#include <memory>
#include <vector>

namespace gpuledger::cli {

// All verbs, in the order of the help. `root` is used by completion.
std::vector<std::unique_ptr<Command>> makeCommands(const CLI::App &root);

} // namespace gpuledger::cli
