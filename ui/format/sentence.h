// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/error.h"

#include <string>

namespace gpuledger::ui {

// What went wrong and what to do about it, as people are told: the source, the sentence, the remedy. Foreign text in it
// is safe for a terminal; several problems of a configuration are one a line. Pure; any thread.
std::string sentenceFor(const base::Error &error);
// The remedy alone: the error's own, else the usual one for its code; may be empty.
std::string remedyFor(const base::Error &error);

} // namespace gpuledger::ui
