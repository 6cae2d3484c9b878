// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/run/actionresult.h"
#include "app/actions/run/marks.h"
#include "ui/format/phrases/phrase.h"

#include <string>

// Phrases for how an action or a mark ended (see phrase.h). Pure; any thread.
namespace gpuledger::ui {

// An empty phrase if the outcome is unknown.
Phrase textOf(const actions::ActionResult &result);

// The same in the English of the command line, with the names of failed checks as in JSON.
std::string plainText(const actions::ActionResult &result);
std::string plainText(const model::ActionRecord &record);
// For a mark that ended or was postponed.
std::string plainText(const actions::MarkEvent &event);

} // namespace gpuledger::ui
