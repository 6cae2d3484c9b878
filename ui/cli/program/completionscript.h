// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace gpuledger::cli {

// The script for "bash", "zsh" or "fish", from the commands and options that the parser knows; empty for another shell.
std::string completionScript(const CLI::App &root, const std::string &shell);

} // namespace gpuledger::cli
