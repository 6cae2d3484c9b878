// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/savings/savingssnapshot.h"
#include "ui/viewmodels/shell/latestquery.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::ui {

// What could be saved per month of 730 hours in the whole fleet, and what accepted proposals saved, as the Overview
// shows it. Immutable.
struct OverviewSavings {
    TimeChoice time; // what was asked
    model::CostView cost = model::CostView::Effective;
    base::Currency currency; // of the report
    std::optional<savings::MoneyBand> perMonth; // nothing counted twice; std::nullopt: nothing counts in that currency
    int otherCurrencies = 0; // in which something counts too
    bool isTooYoung = false; // nothing counts, and the past has less than 14 days
    // The sum of p50 of the accepted proposals that were measured, per month; std::nullopt: none was, or not known.
    std::optional<base::Money> realized;
    std::optional<base::Money> projected; // of the same proposals; std::nullopt: not known of all
    std::vector<std::string> sources;
    base::Seconds age{}; // of the data
};

// Computes it with the usual assumptions; call from a worker thread. Fails as SavingsDesk does; what accepted proposals
// saved is left out if it can't be measured.
LatestQuery<OverviewSavings>::Answer askOverviewSavings(const SavingsDesk &desk, base::Currency currency,
                                                        const Scope &scope, const std::stop_token &stop);

} // namespace gpuledger::ui
