// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/check.h"
#include "app/actions/limits.h"
#include "app/actions/standing.h"
#include "app/model/action.h"
#include "app/model/actionrecord.h"
#include "ui/format/phrase.h"

// What is said of stopping and bringing back (see phrase.h). Pure; any thread.
namespace gpuledger::ui {

Phrase nameOf(actions::CheckName name); // "Still idle"
// What came of it: "still idle", or why not.
Phrase textOf(const actions::Check &check);
Phrase textOf(model::Loss loss); // what is gone after a stop
Phrase textOf(const model::Caution &caution);
Phrase textOf(model::ActionState state); // "verified"
// What a stop does to the object: "spec.replicas from 2 to 0".
Phrase effectOf(const model::TargetState &target);
// How it is brought back.
Phrase undoOf(const model::TargetState &target);
// Why the number has to be typed; says nothing where it need not.
Phrase textOf(const actions::BlastRadius &blast, const model::ActionLimits &limits);
// How it stands at the platform now; without the time of its mark.
Phrase textOf(const actions::Standing &standing);
Phrase textOf(model::Lease::Kind kind); // "kept until"
std::string targetText(const model::TargetRef &target); // "Deployment chat/llm-serving"; foreign text

} // namespace gpuledger::ui
