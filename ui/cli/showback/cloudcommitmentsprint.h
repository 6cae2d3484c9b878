// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/services/commitments/cloudcommitments.h"
#include "ui/cli/program/output.h"

#include <string>
#include <vector>

// Prints what clouds say of commitments beside the bill, for `commitments`. Pure; any thread.
namespace gpuledger::cli {

Json cloudCommitmentsJson(const services::CommitmentsAnswer &answer);
// One table, whose column `record` says what a row is about.
std::string cloudCommitmentsCsv(const services::CommitmentsAnswer &answer);
// Without coverage, only the first of the two tables.
std::string cloudCommitmentsText(const services::CommitmentsAnswer &answer, bool bold);

// A source that needs attention: nothing was read of it yet, or its last reading failed.
bool isUnread(const services::CommitmentReading &reading);
// The sentence for it, printable; times are in the zone.
std::string unreadCommitmentsText(const services::CommitmentReading &reading, const base::TimeZone &zone);
// When each other source was read, what was withheld, and what was left out; a line each.
std::vector<std::string> commitmentNotes(const services::CommitmentsAnswer &answer, const base::TimeZone &zone);

} // namespace gpuledger::cli
