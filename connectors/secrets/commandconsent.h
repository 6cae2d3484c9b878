// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/commandconsent.h"

#include <filesystem>
#include <memory>

namespace gpuledger::connectors {

// Records the user's consents in `file` (mode 0600; its folder is created with the first consent). A file that others
// can change is ignored. The caller owns the object; any thread, any number of processes.
std::unique_ptr<ports::CommandConsent> makeCommandConsent(std::filesystem::path file);

} // namespace gpuledger::connectors
