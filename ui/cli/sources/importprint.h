// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/ingest/billsync.h"
#include "ui/cli/program/output.h"

namespace gpuledger::cli {

// What an import of bills read, accepted and rejected.
Json toJson(const ports::ImportReport &report);
Json toJson(const ingest::BillOutcome &outcome);
Json toJson(const ports::WaitingBill &file);
// The same as text on stderr: always what needs attention; with `verbose`, also each rejected row and each correction.
void noteImport(const Output &out, const std::string &source, const ingest::BillOutcome &outcome, bool verbose);
// Reports a file that is not read yet, and until when.
void noteWaiting(const Output &out, const std::string &source, const ports::WaitingBill &file,
                 const base::TimeZone &zone);

// What requests cost; less than a cent with five digits, because some cost a thousandth of it.
std::string chargeText(const base::Money &amount);

} // namespace gpuledger::cli
