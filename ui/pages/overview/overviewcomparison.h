// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/overview/overviewviewmodel.h"

#include <QString>

// What the overview says of the period before where nothing is compared with it: what was not fetched, or only in part,
// is unknown and no change. Pure; GUI thread, because of the locale.
namespace gpuledger::ui {

bool isComparable(const insight::Comparison &comparison);
// In place of a change, on a card: "before: not fetched". Empty where there is a comparison.
QString whyNotCompared(const insight::Comparison &comparison);
// The same beside a chart; the snapshot's periods are not comparable.
QString comparisonNote(const OverviewSnapshot &snapshot);
// "1 Oct – 30 Oct"
QString periodBefore(const OverviewSnapshot &snapshot);

} // namespace gpuledger::ui
