// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace gpuledger::services {

// The user under whose rights this process runs, as the operating system calls it; empty: it has no name for it.
std::string userName();

} // namespace gpuledger::services
