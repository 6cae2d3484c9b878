// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <string>

namespace gpuledger::services {
class Workspace;
}

namespace gpuledger::cli {

class Session;

// alerts export-rules. Writes two files for each source into `folder`, which is made if it is missing; or, without a
// folder, the rules to stdout. Fails as AlertService::exportedRules() and with InvalidArgument, StorageFull,
// StorageReadOnly.
[[nodiscard]] base::Result<int> exportRules(Session &session, services::Workspace &workspace,
                                            const std::string &folder);

} // namespace gpuledger::cli
