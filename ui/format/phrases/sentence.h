// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/error.h"

#include <string>

namespace gpuledger::ui {

// An error as text for users: the source, what went wrong, and the remedy. Text from outside is made safe for a
// terminal; several configuration problems get one line each. Pure; any thread.
std::string sentenceFor(const base::Error &error);
// The remedy alone: the error's own, else the default for its code; may be empty.
std::string remedyFor(const base::Error &error);

} // namespace gpuledger::ui
