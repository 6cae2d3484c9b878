// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"
#include "connectors/demo/fleetplan.h"

namespace gpuledger::demo {

// Reads `seed`, `gpus` (1 to 20,000; also under the name `scale`) and `days` (1 to 400) from a source's settings. Fails
// with InvalidConfig.
[[nodiscard]] base::Result<Options> optionsOf(const model::SourceSettings &settings);

} // namespace gpuledger::demo
