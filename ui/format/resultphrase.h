// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/actionresult.h"
#include "app/actions/marks.h"
#include "ui/format/phrase.h"

#include <string>

// What is said of how an action or a mark ended (see phrase.h). Pure; any thread.
namespace gpuledger::ui {

// Says nothing where nothing is known.
Phrase textOf(const actions::ActionResult &result);

// The same in English as the command line has it: with the names of the check that failed, as they are in JSON.
std::string plainText(const actions::ActionResult &result);
std::string plainText(const model::ActionRecord &record);
// Of one that is over or was put off.
std::string plainText(const actions::MarkEvent &event);

} // namespace gpuledger::ui
