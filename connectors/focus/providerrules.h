// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/focus/rowcells.h"

namespace gpuledger::focus {

// Where the columns are that only some providers have. One per file.
struct ProviderColumns {
    explicit ProviderColumns(const ColumnMap &columns);
    int labels, tags, projectLabels, credits, subscription, consumptionModel; // Google
    int skuDetails; // Microsoft
};

// What the exports of AWS, Microsoft, Google and Oracle do otherwise than FOCUS says, put right where that is certain
// and noted in any case. Called when every column of the line is set; costs are never changed, only told unknown.
void applyProviderRules(ProviderKind kind, const ProviderColumns &own, const RowCells &cells, model::BillLine &line);

} // namespace gpuledger::focus
