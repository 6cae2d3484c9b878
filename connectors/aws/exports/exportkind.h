// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/model/settings.h"
#include "app/ports/costsource.h"
#include "app/ports/sourcekind.h"
#include "connectors/http/httpclient.h"

#include <memory>

namespace gpuledger::aws {

// The kind `aws-export`: its settings, rights and capabilities.
ports::SourceKind exportKind();

// For the catalogue. `realClock` must outlive the source. Fails with InvalidConfig (no sigv4, no region, a wrong url,
// bucket or prefix).
[[nodiscard]] base::Result<std::unique_ptr<ports::CostSource>>
makeExportSource(const model::SourceSettings &settings, const base::Clock &realClock,
                 std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::aws
