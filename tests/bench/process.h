// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace gpuledger::bench {

struct Finished {
    int status = -1; // exit status; 128 + signal if a signal ended it
    std::string output; // its stdout
};

// Runs a program found in PATH and waits for it; it inherits our stderr.
Finished runProgram(const std::vector<std::string> &arguments);
// Path of this program.
std::string ownProgram();
bool installed(const std::string &program);

} // namespace gpuledger::bench
