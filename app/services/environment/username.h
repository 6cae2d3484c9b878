// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace gpuledger::services {

// The name of the user that this process runs as, according to the operating system; empty: it has no name.
std::string userName();

} // namespace gpuledger::services
