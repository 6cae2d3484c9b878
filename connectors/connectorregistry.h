// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/kubecontexts.h"
#include "app/ports/logincommands.h"
#include "app/ports/sourcecatalog.h"

#include <memory>

namespace gpuledger::connectors {

// Every kind of source of this build. The caller owns the catalogue, which is immutable; any thread.
std::unique_ptr<ports::SourceCatalog> makeSourceCatalog();
// Of every kind of source of this build.
std::unique_ptr<ports::LoginCommands> makeLoginCommands();
// Of the kubeconfig files of this computer.
std::unique_ptr<ports::KubeContexts> makeKubeContexts();

} // namespace gpuledger::connectors
