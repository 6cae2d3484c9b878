// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/secretstore.h"
#include "app/ports/sourcecatalog.h"

#include <functional>
#include <stop_token>

namespace gpuledger::cli {

// Parses the arguments, runs the command, prints, and returns the exit status. `cooperative` is told whether the
// command ends by itself when `stop` is requested. Main thread.
int runCommandLine(int argc, char **argv, const ports::SourceCatalog &catalog, ports::SecretStore &secrets,
                   std::stop_token stop, const std::function<void(bool)> &cooperative);

} // namespace gpuledger::cli
