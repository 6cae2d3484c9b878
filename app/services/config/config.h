// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"
#include "app/ports/sourcekind.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// Reads the configuration file (YAML) into values. Pure functions except readConfigFile; any thread.
namespace gpuledger::services {

inline constexpr std::size_t kMaxConfigBytes = 1u << 20;
inline constexpr int kMaxConfigNodes =
    100'000; // counted through aliases, so that a small file can't expand into a huge one
inline constexpr int kMaxConfigDepth = 64;

// One error in the file. Never contains the value of a credential.
struct ConfigProblem {
    int line = 0; // from 1; 0: the file as a whole
    int column = 0; // from 1
    std::string key; // "sources[0].auth.token"; empty: the file as a whole
    std::string text; // what is wrong and how to fix it
};

struct ParsedConfig {
    model::Settings settings; // valid only if there are no problems
    std::vector<ConfigProblem> problems; // all problems of the file, ascending by position
};

// Parses a configuration. Relative paths are resolved against `folder` (the file's own folder), "~/" against the user's
// home. `kinds` are the supported source kinds with their settings; a text without sources needs none.
ParsedConfig parseConfig(std::string_view text, const std::filesystem::path &folder, const ports::SourceKinds &kinds);

// Parses a file with nothing but the lists targets, routes, alerts, budgets and events (and version), for a
// configuration with the settings `into`: its currency counts, and rules may name its targets.
ParsedConfig parseAlertLists(std::string_view text, const std::filesystem::path &folder, const model::Settings &into);

// "config.yaml:3:7: sources[0].kind: …"
std::string describe(const ConfigProblem &problem, const std::string &fileName);

// Fails with NotFound (no such file) or InvalidConfig (unreadable, too large, or invalid: all problems, one per line).
[[nodiscard]] base::Result<model::Settings> readConfigFile(const std::filesystem::path &file,
                                                           const ports::SourceKinds &kinds);

// A sample with comments, which parses and shows every key. Its sources are made from `kinds`, with the help of each
// setting; lines that begin with "#- " are examples.
std::string sampleConfig(const ports::SourceKinds &kinds);

} // namespace gpuledger::services
