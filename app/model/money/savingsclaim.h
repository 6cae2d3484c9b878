// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/decimal.h"
#include "app/base/money/money.h"
#include "app/base/time/time.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::model {

// What another tool claims to have saved. All texts are printable. Plain values.
struct SavingsClaim {
    std::string tool, what; // its name, and its words for what it did; may be empty
    // Of which costs: names of ledger dimensions ("cluster") and their values; ascending; empty: all.
    std::vector<std::pair<std::string, std::string>> scope;
    base::Day first, last; // of the claim, UTC
    base::Decimal saved;
    std::optional<base::Currency> currency; // empty: that of reports

    bool operator==(const SavingsClaim &) const = default;
};

} // namespace gpuledger::model
