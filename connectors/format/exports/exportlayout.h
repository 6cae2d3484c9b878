// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/ports/finding.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::format {

// What the key of a manifest says.
struct ManifestPlace {
    std::string root; // key of the folder of the export, without a slash at its end
    std::string period; // "2026-10"
};

// The files of one month, in one run of the export.
struct ExportManifest {
    std::vector<std::string> keys; // ascending, each once
    std::string otherTable{}; // what the files are in place of FOCUS: "the actual costs"; empty: FOCUS
};

inline constexpr std::size_t kMostExportFiles = 10'000; // of one manifest

// How one cloud lays out the files of an export, and what it calls things. The texts are literals. Value type.
struct ExportLayout {
    const char *store; // "Amazon S3"
    const char *service; // "AWS Data Exports"
    const char *manifestForm; // what keys of manifests look like, for people
    const char *kept; // prefix of what the ledger keeps for this kind of export; never changes
    base::Remedy whereIsIt, chooseFocus; // if there is no export, and if it is another table or format
    std::vector<std::string> rights; // what reading needs, after "may"
    ports::FindingText refused; // what a test says of one that is missing

    // std::nullopt: not the key of a manifest.
    std::optional<ManifestPlace> (*placeOf)(std::string_view key);
    // Fails with Parse (not a manifest, no files, or a file outside the export) or TooMuch (kMostExportFiles).
    base::Result<ExportManifest> (*manifestOf)(std::string_view body, const ManifestPlace &place);
};

// A segment "." or "..", which a client or a server may resolve.
bool hasDotSegment(std::string_view key);
// "2026-10".
bool isPeriod(std::string_view text);

} // namespace gpuledger::format
