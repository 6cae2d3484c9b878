// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"
#include "connectors/demo/fleet/fleetplan.h"

namespace gpuledger::demo {

// Reads `seed`, `gpus` (1 to 20,000; also under the name `scale`), `days` (1 to 400), `months` (0 to 36) and `ending`
// (0 to 60) from a source's settings. Fails with InvalidConfig.
[[nodiscard]] base::Result<Options> optionsOf(const model::SourceSettings &settings);

} // namespace gpuledger::demo
