// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/sqlite/database.h"
#include "app/store/values/gapkept.h"

// The stored gaps. All functions fail with Storage… codes; those that write are called inside the writer's transaction.
namespace gpuledger::store {

// Drops the stored past if this day is part of it and has changed.
[[nodiscard]] base::Result<void> putGapDay(Database &database, base::Day day, const GapDay &gaps);
// True if the stored day is the same.
[[nodiscard]] base::Result<bool> holdsGapDay(Database &database, base::Day day, const GapDay &expected);
[[nodiscard]] base::Result<GapDay> gapDay(Database &database, base::Day day);
// What the kGapDays days before `day` add up to: as stored, else counted from the stored days.
[[nodiscard]] base::Result<GapPast> gapPast(Database &database, base::Day day);
// Stores that, unless it is stored already, and removes what is stored for any other day.
[[nodiscard]] base::Result<void> keepGapPast(Database &database, base::Day day);
// True if each stored past is what the stored days add up to.
[[nodiscard]] base::Result<bool> holdsGapPast(Database &database);

} // namespace gpuledger::store
