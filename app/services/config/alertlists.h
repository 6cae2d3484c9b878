// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/ports/sourcekind.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// What the configuration says about alerts, as a file of its own: the lists targets, routes, alerts, budgets and
// events. Values are written as they are in the file, so that secrets stay references. Pure; any thread.
namespace gpuledger::services {

// These lists of a configuration as YAML, one entry a line, without comments. Fails with InvalidConfig.
[[nodiscard]] base::Result<std::string> exportedAlerts(std::string_view text, const std::filesystem::path &file,
                                                       const ports::SourceKinds &kinds);

enum class ImportMode {
    Merge, // entries of the same name become those of the file, and new ones are added
    Replace, // a list that the file has becomes that of the file
};
struct ImportedEntry {
    enum class What { Added, Changed, Removed };
    What what = What::Added;
    std::string list; // "alerts"
    std::string name; // of a budget: "team vision, month"; of a route: "team vision, severity critical"
};
struct ImportedAlerts {
    std::string text; // the new configuration
    std::vector<ImportedEntry> entries; // that differ
    std::size_t unchanged = 0; // entries of the file that are the same already
};
// `text` with the lists of another file; everything else keeps its bytes, and so does an entry that does not change.
// Fails with InvalidConfig: the configuration, the file, or what would become of both is invalid (all problems by
// line); and with Unsupported: a list is written in a way that can't be changed alone.
[[nodiscard]] base::Result<ImportedAlerts> withImportedAlerts(std::string_view text, const std::filesystem::path &file,
                                                              std::string_view imported,
                                                              const std::filesystem::path &importedFile,
                                                              ImportMode mode, const ports::SourceKinds &kinds);

} // namespace gpuledger::services
