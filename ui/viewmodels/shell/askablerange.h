// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/workspace/workspace.h"

namespace gpuledger::ui {

// What a page can be asked for: from the first moment of the data to now, also where the data end before; of a report,
// to the end of its month. The same end as that of the command line. Empty where nothing was fetched (`covered` is
// empty). Pure; any thread.
base::TimeRange askableRange(const services::Workspace &workspace, base::TimeRange covered);

} // namespace gpuledger::ui
