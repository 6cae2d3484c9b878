// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <string>

namespace gpuledger::connectors {

// A program on disk, before it is run.
struct Program {
    std::string path; // absolute, as found; its last component may be a link
    std::string sha256; // of the content, in hexadecimal
};

// Finds a program by its absolute path or by its name on PATH, and reads its content. Any thread. Fails with
// InvalidConfig (a relative path, or not UTF-8), NotFound (missing or not executable), Forbidden (others can change it
// or a folder above it) or TooMuch (above 256 MiB).
[[nodiscard]] base::Result<Program> findProgram(const std::string &name);

} // namespace gpuledger::connectors
