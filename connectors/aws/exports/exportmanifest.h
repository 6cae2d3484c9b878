// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The manifests of AWS Data Exports. Pure; any thread.
namespace gpuledger::aws {

// What the key of a manifest says: "ROOT/metadata/BILLING_PERIOD=2026-10/…/NAME-Manifest.json", in any case.
struct ManifestPlace {
    std::string root; // key of the folder of the export, without a slash at its end
    std::string period; // "2026-10"
};
// std::nullopt: not the key of a manifest.
std::optional<ManifestPlace> manifestPlaceOf(std::string_view key);

// The files of one month, in one execution of the export.
struct ExportManifest {
    std::vector<std::string> keys; // ascending, each once, below the root of the export
    bool isUsageReport = false; // CUR 2.0 by its columns
};
// Files are named with the bucket that AWS writes to; in a copy of the bucket, they are at the same place below the
// root. Fails with Parse (not a manifest, no files, or a file outside the export) or TooMuch (kMostExportFiles).
[[nodiscard]] base::Result<ExportManifest> exportManifestOf(std::string_view body, const ManifestPlace &place);

inline constexpr std::size_t kMostExportFiles = 10'000;

} // namespace gpuledger::aws
