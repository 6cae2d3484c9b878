// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/spend/reconcile.h"
#include "app/services/sources/syncreport.h"
#include "ui/cli/program/output.h"

#include <string>
#include <vector>

namespace gpuledger::cli {

// How an allocator's data differ from the ledger, and why.
Json toJson(const insight::AllocationDifference &one);
std::string differenceText(const insight::AllocationDifference &one);

// Days for which an allocator has less data than before and the user has to decide; one sentence each.
std::vector<std::string> heldTexts(const insight::Reconciliation &answer);
Json toJson(const std::vector<store::HeldDay> &all);

// The days requested from an allocator in a sync, and how the ledger differs from its answers.
void addAllocations(Json &row, const services::SyncReport &report);
// The same as text on stderr: always what needs attention; with `verbose`, each day.
void noteAllocations(const Output &out, const services::SyncReport &report, bool verbose);

} // namespace gpuledger::cli
