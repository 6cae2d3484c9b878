// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/ledger/bills/nodeday.h"
#include "app/model/money/ledgerline.h"
#include "app/store/values/billed.h"

#include <functional>

namespace gpuledger::ledger {

// One addition to a line of a day's ledger, and its origin. The additions to a line add up to the line. Valid while the
// visitor runs.
struct LedgerPart {
    base::Day day;
    const model::LedgerKey *key = nullptr;
    model::LedgerAmounts amounts; // what it adds
    const store::BilledItem *bill = nullptr; // null: telemetry, or an allocator
    const NodeDay *node = nullptr; // the machine; null if telemetry saw none
};
using LedgerPartVisitor = std::function<base::Result<void>(const LedgerPart &)>;

} // namespace gpuledger::ledger
