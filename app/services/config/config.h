// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"
#include "app/ports/sourcekind.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// The configuration file (YAML) as values. Pure functions but for readConfigFile; any thread.
namespace gpuledger::services {

inline constexpr std::size_t kMaxConfigBytes = 1u << 20;
inline constexpr int kMaxConfigNodes =
    100'000; // counted through aliases, so that a small file can't stand for a huge one
inline constexpr int kMaxConfigDepth = 64;

// One thing that is wrong. Never carries the value of a credential.
struct ConfigProblem {
    int line = 0; // from 1; 0: the file as a whole
    int column = 0; // from 1
    std::string key; // "sources[0].auth.token"; empty: the file as a whole
    std::string text; // what is wrong and what would be right
};

struct ParsedConfig {
    model::Settings settings; // only to be used when there are no problems
    std::vector<ConfigProblem> problems; // all of the file, ascending by place
};

// Relative paths are below `folder` (the file's own folder), "~/" is the user's home. `kinds` are the kinds of source
// that there are, with the settings that each takes; of a text without sources, none are needed.
ParsedConfig parseConfig(std::string_view text, const std::filesystem::path &folder, const ports::SourceKinds &kinds);

// "config.yaml:3:7: sources[0].kind: …"
std::string describe(const ConfigProblem &problem, const std::string &fileName);

// Fails with NotFound (no such file), InvalidConfig (unreadable, too large, or wrong: all problems, one a line).
[[nodiscard]] base::Result<model::Settings> readConfigFile(const std::filesystem::path &file,
                                                           const ports::SourceKinds &kinds);

// The commented sample: it parses, and shows every key.
std::string_view sampleConfig();

} // namespace gpuledger::services
