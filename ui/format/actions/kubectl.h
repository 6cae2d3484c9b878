// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/action.h"

#include <string>

namespace gpuledger::ui {

// The kubectl command that stops an object in the same way as the program would, for a POSIX shell: every argument is
// quoted where it has to be. It runs in whichever cluster kubectl talks to, and leaves no mark on the object. Empty if
// the object is not of Kubernetes, can't be stopped, or has a name that Kubernetes does not allow. Pure; any thread.
std::string kubectlOf(const model::TargetState &target);

} // namespace gpuledger::ui
