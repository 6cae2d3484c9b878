// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/queue/waiting.h"
#include "ui/format/phrases/phrase.h"

#include <string>

// Phrases about jobs that wait for GPUs. Pure; any thread.
namespace gpuledger::ui {

Phrase nameOf(insight::Blocker blocker); // "no CPU left on the node"
// What would serve the job, or what keeps it waiting, as one clause.
Phrase reasonOf(const insight::WaitingItem &item);
// What could not be checked because no metric reports it; an empty phrase if everything was checked.
Phrase uncheckedOf(const insight::WaitingItem &item);
// Why a source can't report what waits, or what it needs to report more; an empty phrase if nothing is missing.
Phrase gapOf(const insight::WaitingList::Source &source);
// The kind of GPU: the requested model, else the resource name as in manifests ("nvidia.com/gpu").
std::string gpuKindOf(const model::WaitingWork &work);
// The idle workloads that would serve the job: "jlee-0, cuda-test".
std::string serversOf(const insight::WaitingItem &item);
// "Job/train-7", "Pod/x", or the name of the queue.
std::string workloadOf(const model::WaitingWork &work);

} // namespace gpuledger::ui
