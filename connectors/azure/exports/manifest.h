// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/exports/exportlayout.h"

// The manifests of exports of Azure Cost Management. Pure; any thread.
namespace gpuledger::azure {

// "ROOT/20261001-20261031/…/manifest.json": the folder is named after the first and the last day. std::nullopt also for
// an export of a part of a month or of several.
std::optional<format::ManifestPlace> manifestPlaceOf(std::string_view key);

// Blobs are named with their path in the container that Azure writes to; in a copy, they are at the same place below
// the root. Errors: see format::ExportLayout.
[[nodiscard]] base::Result<format::ExportManifest> exportManifestOf(std::string_view body,
                                                                    const format::ManifestPlace &place);

} // namespace gpuledger::azure
