// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/exports/exportlayout.h"

// The manifests of AWS Data Exports. Pure; any thread.
namespace gpuledger::aws {

// "ROOT/metadata/BILLING_PERIOD=2026-10/…/NAME-Manifest.json", in any case.
std::optional<format::ManifestPlace> manifestPlaceOf(std::string_view key);

// Files are named with the bucket that AWS writes to; in a copy of the bucket, they are at the same place below the
// root. Errors: see format::ExportLayout.
[[nodiscard]] base::Result<format::ExportManifest> exportManifestOf(std::string_view body,
                                                                    const format::ManifestPlace &place);

} // namespace gpuledger::aws
