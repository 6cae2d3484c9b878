// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Changes to the configuration file that keep everything else in it byte for byte, comments and line ends included.
// Pure functions but for addSourceToFile; any thread.
namespace gpuledger::services {

// A source as a user gives it, part by part; checked like the file itself. Empty parts are left out.
struct NewSource {
    using Parts = std::vector<std::pair<std::string, std::string>>;
    std::string name, kind, url, path, cluster, clusterLabel;
    Parts auth; // "type", "token" …; a credential only by reference
    std::string ca;
    Parts headers;
    std::string timeout, firstSync, every;
    std::vector<std::string> rights;
    Parts options; // keys of the kind
};

// The settings that it would be. Fails with InvalidArgument: each problem with its key; a credential is never repeated.
[[nodiscard]] base::Result<model::SourceSettings> checkNewSource(const NewSource &source,
                                                                 const std::filesystem::path &folder);

// `text` with the source behind the others, written in the way that the list of sources is. Empty text gives a whole
// configuration. Fails with InvalidConfig (the text is wrong as it is), Refused (the name is taken) or Unsupported (the
// list is written so that it can't be added to without changing the rest).
[[nodiscard]] base::Result<std::string> withSource(std::string_view text, const NewSource &source,
                                                   const std::filesystem::path &file);

// Adds it to the file, whole or not at all; a missing file is made (mode 0600, its folder 0700). Fails as above, and
// with StorageFull, StorageReadOnly or StorageBusy (somebody changed the file meanwhile).
[[nodiscard]] base::Result<void> addSourceToFile(const std::filesystem::path &file, const NewSource &source);

} // namespace gpuledger::services
