// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/spend/reconcile.h"
#include "app/services/sources/syncreport.h"
#include "ui/cli/program/output.h"

#include <string>
#include <vector>

namespace gpuledger::cli {

// How an allocator differs from the ledger, and why.
Json toJson(const insight::AllocationDifference &one);
std::string differenceText(const insight::AllocationDifference &one);

// Days that an allocator has less of than before, of which somebody has to decide; a sentence each.
std::vector<std::string> heldTexts(const insight::Reconciliation &answer);
Json toJson(const std::vector<store::HeldDay> &all);

// What a sync asked an allocator for, and how the ledger of these days differs.
void addAllocations(Json &row, const services::SyncReport &report);
// The same for people, on stderr: what needs to be known always, each day with `verbose`.
void noteAllocations(const Output &out, const services::SyncReport &report, bool verbose);

} // namespace gpuledger::cli
