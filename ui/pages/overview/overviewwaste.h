// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/overview/overviewviewmodel.h"

#include <QString>

#include <cstdint>

namespace gpuledger::ui {

// The cost of GPUs that did no work: held but idle, or held by nobody. Nano-units of the overview's currency. Pure.
struct OverviewWaste {
    std::int64_t idle = 0, unallocated = 0;

    std::int64_t sum() const { return idle + unallocated; }
    static OverviewWaste of(const insight::CostByState &cost) { return {cost.idle, cost.unallocated}; }
    static OverviewWaste of(const insight::SpendDay &day);
    static OverviewWaste of(const insight::Spend &spend); // all days
};

// The next three: GUI thread, because of the locale.
// "idle $83,905, unallocated $270,977".
QString overviewWasteText(const OverviewSnapshot &snapshot, const OverviewWaste &waste);
// "stopping saves $3,652 to $22,169 a month"; empty if it saves nothing, or if the list of what is idle now is not
// known.
QString overviewSavingText(const OverviewSnapshot &snapshot);
// A whole amount below a figure that names the currency: a code such as USD is left out, a symbol such as $ stays.
QString withoutCode(std::int64_t nanos, base::Currency currency);

} // namespace gpuledger::ui
