// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/figure.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gpuledger::bench {

// P1, P4 and P14's sync: syncs from a real Prometheus, each in a process of its own, beside curl fetching the same
// answers. `kept` holds the server's blocks from one run to the next; cache folders lie below root. Empty, with a
// sentence on stderr, where Prometheus or curl is not installed.
std::vector<Figure> syncFigures(const std::filesystem::path &root, const std::filesystem::path &kept, bool full);

// The process of one sync: arguments URL FOLDER FROM TO [RECORD], prints what it measured; with RECORD it writes the
// questions into this file, as a configuration of curl.
int syncChild(const std::vector<std::string> &arguments);
inline constexpr const char *kSyncChild = "--sync-child";

} // namespace gpuledger::bench
