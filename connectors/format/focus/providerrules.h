// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/focus/rowcells.h"

namespace gpuledger::focus {

// The positions of provider-specific columns. One per file.
struct ProviderColumns {
    explicit ProviderColumns(const ColumnMap &columns);
    int labels, tags, projectLabels, credits, subscription, consumptionModel; // Google
    int skuDetails; // Microsoft
};

// Handles where the exports of AWS, Microsoft, Google and Oracle deviate from FOCUS: corrects what is certain and notes
// every deviation. Called after all columns of the line are set; costs are never changed, only marked unknown.
void applyProviderRules(ProviderKind kind, const ProviderColumns &own, const RowCells &cells, model::BillLine &line);

} // namespace gpuledger::focus
