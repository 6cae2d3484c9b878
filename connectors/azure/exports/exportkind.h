// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/model/settings.h"
#include "app/ports/costsource.h"
#include "app/ports/secretstore.h"
#include "app/ports/sourcekind.h"
#include "connectors/http/httpclient.h"

#include <memory>

namespace gpuledger::azure {

// The kind `azure-export`: its settings, rights and capabilities.
ports::SourceKind exportKind();

// For the catalogue. `secrets` and `realClock` must outlive the source. Fails with InvalidConfig (a wrong account,
// container, prefix, url or login).
[[nodiscard]] base::Result<std::unique_ptr<ports::CostSource>>
makeExportSource(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &realClock,
                 std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::azure
