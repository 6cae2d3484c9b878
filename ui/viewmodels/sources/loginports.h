// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/kubecontexts.h"
#include "app/ports/logincommands.h"

namespace gpuledger::ui {

// What is asked about the ways into a platform; all of it outlives whoever holds this. Null: nothing can be asked, and
// no program runs.
struct LoginPorts {
    ports::CommandConsent *consent = nullptr;
    const ports::LoginCommands *commands = nullptr;
    const ports::KubeContexts *contexts = nullptr;
};

} // namespace gpuledger::ui
