// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gpuledger::cli {

// The script for "bash", "zsh" or "fish", from the commands and options that the parser knows; empty for another shell.
// `sourceKinds` are the values of --kind.
std::string completionScript(const CLI::App &root, const std::string &shell,
                             const std::vector<std::string> &sourceKinds);

} // namespace gpuledger::cli
