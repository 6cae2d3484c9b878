// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace gpuledger::cli {

// What every command takes, as typed.
struct GlobalOptions {
    std::string config, data, report, now, tz, from, to;
    std::vector<std::string> teams, clusters, clouds, gpuModels, workloadTypes, environments;
    bool demo = false, json = false, csv = false, quiet = false, verbose = false;
};

// Exit status, as documented in cli.md.
inline constexpr int kDone = 0;
inline constexpr int kLook = 1; // done, and the answer needs somebody to look
inline constexpr int kUsage = 2;
inline constexpr int kConfig = 3; // configuration, data file or output
inline constexpr int kSourceFailed = 4;
inline constexpr int kRefused = 5;
inline constexpr int kCancelled = 130;

} // namespace gpuledger::cli
