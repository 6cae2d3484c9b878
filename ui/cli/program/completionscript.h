// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace gpuledger::cli {

// The script for "bash", "zsh" or "fish", generated from the parser's commands and options; empty for another shell.
std::string completionScript(const CLI::App &root, const std::string &shell);

} // namespace gpuledger::cli
