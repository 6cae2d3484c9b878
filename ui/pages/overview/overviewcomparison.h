// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/overview/overviewviewmodel.h"

#include <QString>

// The overview's texts about the previous period if no comparison is possible: time that was not fetched, or only
// partly, is unknown rather than a change. Pure; GUI thread, because of the locale.
namespace gpuledger::ui {

bool isComparable(const insight::Comparison &comparison);
// Replaces a change on a card: "before: not fetched". Empty if there is a comparison.
QString whyNotCompared(const insight::Comparison &comparison);
// The same beside a chart; the periods of the snapshot must not be comparable.
QString comparisonNote(const OverviewSnapshot &snapshot);
// "1 Oct – 30 Oct"
QString periodBefore(const OverviewSnapshot &snapshot);

} // namespace gpuledger::ui
