// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/plan.h"

#include <optional>
#include <string>

namespace gpuledger::actions {

// What was true when it was confirmed: the checks and the figures of the idle list, as a JSON object.
std::string evidenceOf(const PlannedStop &stop);
// The checks in such an object; empty where there are none.
std::vector<Check> checksIn(const std::string &evidence);
// A check for the log, in English; the window words it in the user's language (ui/format).
std::string sentenceOf(const Check &check);
// The check that such a sentence is about, so that it can be said in another language; nothing: it is another sentence.
std::optional<Check> checkInSentence(const std::string &sentence);

} // namespace gpuledger::actions
