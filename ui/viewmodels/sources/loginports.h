// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/kubecontexts.h"
#include "app/ports/logincommands.h"

namespace gpuledger::ui {

// The services for logging in to platforms. They must outlive the object that holds this struct. If they are null, they
// can't be queried and no program is run.
struct LoginPorts {
    ports::CommandConsent *consent = nullptr;
    const ports::LoginCommands *commands = nullptr;
    const ports::KubeContexts *contexts = nullptr;
};

} // namespace gpuledger::ui
