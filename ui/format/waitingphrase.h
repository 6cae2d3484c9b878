// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/queue/waiting.h"
#include "ui/format/phrase.h"

#include <string>

// What is said about jobs that wait for GPUs. Pure; any thread.
namespace gpuledger::ui {

Phrase nameOf(insight::Blocker blocker); // "no CPU left on the node"
// What would serve it, or what keeps it waiting, as one clause.
Phrase reasonOf(const insight::WaitingItem &item);
// What of it was not looked at, because no metric tells it; says nothing where all was.
Phrase uncheckedOf(const insight::WaitingItem &item);
// Why a source can't tell what waits, or what it would tell more; says nothing where nothing is missing.
Phrase gapOf(const insight::WaitingList::Source &source);
// The kind of GPU: the model that it selects, else the resource as manifests spell it ("nvidia.com/gpu").
std::string gpuKindOf(const model::WaitingWork &work);
// The idle workloads that would serve it: "jlee-0, cuda-test".
std::string serversOf(const insight::WaitingItem &item);
// "Job/train-7", "Pod/x" or the name of the queue.
std::string workloadOf(const model::WaitingWork &work);

} // namespace gpuledger::ui
