// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"

namespace gpuledger::reports {

// Adds an amount to a sum. Fails like Money::plus(), and then changes nothing.
inline base::Result<void> addTo(base::Money &sum, const base::Money &amount)
{
    const auto all = sum.plus(amount);
    GPULEDGER_TRY(all);
    sum = *all;
    return {};
}

} // namespace gpuledger::reports
