// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/environment/standing.h"
#include "app/actions/plan/check.h"
#include "app/actions/plan/limits.h"
#include "app/model/action.h"
#include "app/model/actionrecord.h"
#include "ui/format/phrases/phrase.h"

// Phrases about stops and undos (see phrase.h). Pure; any thread.
namespace gpuledger::ui {

Phrase nameOf(actions::CheckName name); // "Still idle"
// The outcome of a check: "still idle", or why it failed.
Phrase textOf(const actions::Check &check);
Phrase textOf(model::Loss loss); // what is lost by a stop
Phrase textOf(const model::Caution &caution);
Phrase textOf(model::ActionState state); // "verified"
// What a stop does to the object: "spec.replicas from 2 to 0".
Phrase effectOf(const model::TargetState &target);
// How it can be restored.
Phrase undoOf(const model::TargetState &target);
// Why the number of objects has to be typed; an empty phrase if it does not.
Phrase textOf(const actions::BlastRadius &blast, const model::ActionLimits &limits);
// The current state at the platform, without the time of the mark.
Phrase textOf(const actions::Standing &standing);
Phrase textOf(model::Lease::Kind kind); // "kept until"
std::string targetText(const model::TargetRef &target); // "Deployment chat/llm-serving"; foreign text

} // namespace gpuledger::ui
