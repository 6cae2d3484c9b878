// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/focus/billfilebytes.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::focus {

struct FoundFile {
    std::filesystem::path path;
    FileStamp stamp;
};

// Files that are one delivery by their names, ascending by path.
struct FoundDelivery {
    std::vector<FoundFile> files;
};

// *.csv, *.csv.gz and *.csv.zst, in any case.
bool isBillName(std::string_view fileName);

// What several parts of one export have in common in their names; the whole name where it is no part. Known are
// "part-00001", "part_0_0001" anywhere in the name, and five or twelve digits behind a dash or underscore at its end.
std::string exportName(std::string_view fileName);

// Every bill below the folder, grouped, the oldest delivery (by its newest file) first. Names that begin with a dot, _,
// ~ or # are passed over, with all that is below them; links are never followed, except for the folder itself. Fails
// with NotFound, Forbidden, TooMuch (kMostEntries) or Cancelled.
[[nodiscard]] base::Result<std::vector<FoundDelivery>> scanFolder(const std::filesystem::path &folder,
                                                                  const std::stop_token &stop);

inline constexpr std::size_t kMostEntries = 200'000; // files and folders, of any kind
inline constexpr int kMostDepth = 16; // folders below the folder

} // namespace gpuledger::focus
