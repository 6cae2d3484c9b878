// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/damage/setaside.h"
#include "ui/format/phrases/phrase.h"

// Phrases about a damaged cache that was set aside, shown until the user confirms it (see phrase.h). Pure; any thread.
namespace gpuledger::ui {

Phrase textOf(const store::SetAside &damage);

} // namespace gpuledger::ui
