// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/money/cloudbudget.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ports {

struct BudgetList {
    std::vector<model::CloudBudget> budgets; // in the cloud's order
    std::uint64_t withoutMoney = 0; // left out, because they limit hours or shares
    std::uint64_t rejected = 0; // left out, because they can't be read
};

// A source of the budgets that are set up at a cloud. They are read whenever they are asked for; nothing of them is
// stored. Blocking; call from a worker thread; one call at a time per object; a stop request ends it with Cancelled.
class BudgetSource {
public:
    virtual ~BudgetSource() = default;
    virtual const std::string &name() const = 0; // of the source
    // All budgets that the account may see. Fails with Forbidden, Unauthorized, Parse, TooMuch, Cancelled, or as the
    // connection does.
    [[nodiscard]] virtual base::Result<BudgetList> read(std::stop_token stop) = 0;
};

} // namespace gpuledger::ports
