// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <string>

namespace gpuledger::connectors {

// A program on disk, before it is run.
struct Program {
    std::string path; // absolute, as found; its last part may be a link
    std::string sha256; // of the content, in hexadecimal
};

// Finds a program by its absolute path, or by its name on PATH, and looks at its content. Any thread. Fails with
// InvalidConfig (a relative path, not UTF-8), NotFound (none there, or it can't be run), Forbidden (others can change
// it or what lies at its path) or TooMuch (above 256 MiB).
[[nodiscard]] base::Result<Program> findProgram(const std::string &name);

} // namespace gpuledger::connectors
