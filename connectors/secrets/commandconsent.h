// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/commandconsent.h"

#include <filesystem>
#include <memory>

namespace gpuledger::connectors {

// Keeps what was agreed to in `file` (mode 0600; its folder is made when somebody agrees). A file that others can
// change counts for nothing. The caller owns the object; any thread, any number of processes.
std::unique_ptr<ports::CommandConsent> makeCommandConsent(std::filesystem::path file);

} // namespace gpuledger::connectors
