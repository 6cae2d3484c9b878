// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/focus/billfilebytes.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::focus {

// A bill file, and its stamp when it was found.
struct FoundFile {
    std::filesystem::path path;
    FileStamp stamp;
};

// Files whose names make them one delivery, ascending by path.
struct FoundDelivery {
    std::vector<FoundFile> files;
};

// *.csv, *.csv.gz, *.csv.zst and *.parquet, in any case.
bool isBillName(std::string_view fileName);

// The common part of the names of an export's files; the whole name if the file is not a part. Recognised are
// "part-00001" and "part_0_0001" anywhere in the name, and five or twelve digits after a dash or underscore at its end.
std::string exportName(std::string_view fileName);

// All bills in the folder and below, grouped, the oldest delivery (by its newest file) first. Names that start with a
// dot, _, ~ or # are skipped, including everything below them; links are not followed, except for the folder itself.
// Fails with NotFound, Forbidden, TooMuch (kMostEntries) or Cancelled.
[[nodiscard]] base::Result<std::vector<FoundDelivery>> scanFolder(const std::filesystem::path &folder,
                                                                  const std::stop_token &stop);

inline constexpr std::size_t kMostEntries = 200'000; // files and folders, of any kind
inline constexpr int kMostDepth = 16; // levels below the folder

} // namespace gpuledger::focus
