// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace gpuledger::cli {

// The options common to all commands, as typed.
struct GlobalOptions {
    std::string config, data, report, now, tz, from, to;
    std::vector<std::string> teams, clusters, clouds, gpuModels, workloadTypes, environments, nodePools;
    bool demo = false, json = false, csv = false, quiet = false, verbose = false;
};

// Exit statuses, as documented in docs/troubleshooting.md.
inline constexpr int kDone = 0;
inline constexpr int kLook = 1; // done, but the answer needs the user's attention
inline constexpr int kUsage = 2;
inline constexpr int kConfig = 3; // error in the configuration, data file or output
inline constexpr int kSourceFailed = 4;
inline constexpr int kRefused = 5;
inline constexpr int kCancelled = 130;

} // namespace gpuledger::cli
