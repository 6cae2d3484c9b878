// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/kubecontexts.h"
#include "app/ports/logincommands.h"
#include "app/ports/noticetarget.h"
#include "app/ports/secretstore.h"
#include "app/ports/sourcecatalog.h"

#include <memory>

namespace gpuledger::connectors {

// The catalogue of all source kinds in this build. The caller owns it; it is immutable; any thread.
std::unique_ptr<ports::SourceCatalog> makeSourceCatalog();
// The login commands of all source kinds in this build.
std::unique_ptr<ports::LoginCommands> makeLoginCommands();
// The contexts in this computer's kubeconfig files.
std::unique_ptr<ports::KubeContexts> makeKubeContexts();
// The targets that alerts are sent to; `secrets` must outlive them.
std::unique_ptr<ports::NoticeTargets> makeNoticeTargets(ports::SecretStore &secrets);

} // namespace gpuledger::connectors
