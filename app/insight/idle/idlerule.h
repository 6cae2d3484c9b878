// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/idle/gracechoice.h"

namespace gpuledger::insight {

// The idle rule in use at an instant: as configured, with grace windows measured where none is set; and the past that
// they were measured from.
struct IdleRule {
    model::IdleSettings settings;
    store::GraceChoices grace; // where each window comes from
    store::GapPast past; // of the whole days before; empty if nothing is stored under these rules
};

// Depends on the stored gaps of the days before the day of `at` only. Fails with Storage… codes.
[[nodiscard]] base::Result<IdleRule> idleRuleAt(store::AttributionReader &facts, base::UtcTime at,
                                                const model::IdleSettings &configured);

} // namespace gpuledger::insight
