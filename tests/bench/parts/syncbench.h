// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/figure.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gpuledger::bench {

// P1, P4 and the sync of P14: syncs from a real Prometheus, each in a process of its own, compared with curl fetching
// the same answers. `kept` holds the server's blocks from one run to the next; cache folders are created below `root`.
// Empty, with a message on stderr, if Prometheus or curl is not installed.
std::vector<Figure> syncFigures(const std::filesystem::path &root, const std::filesystem::path &kept, bool full);

// The process of a sync: arguments URL FOLDER FROM TO [RECORD]. Prints what it measured; if RECORD is given, writes the
// requests into this file, as a configuration of curl.
int syncChild(const std::vector<std::string> &arguments);
inline constexpr const char *kSyncChild = "--sync-child";

} // namespace gpuledger::bench
