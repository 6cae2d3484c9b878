// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/costview.h"
#include "app/model/settings.h"
#include "app/services/alerts/scopeseries.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// What each account of the bills cost per UTC day, for the forecast: an AWS account, an Azure subscription, a project
// of Google Cloud. From the lines of the cost ledger. Blocking; call from a worker thread.
namespace gpuledger::services {

inline constexpr std::string_view kByProject = "project"; // as budgets, rules and `forecast --by` call it

struct AccountSeries {
    ScopeSeries series; // by id, as `ledger --by account`; "" is GPU time on no bill, which has no account
    std::map<std::string, std::string> names; // of accounts by id, as the newest bill that has one calls them
    std::map<std::string, std::set<std::string>> ids; // of accounts by name

    // The key of `series` for what a budget calls an account: its id or its name. A name that several accounts have
    // stands for all of them: their sum is added to the series. Without such an account, the text itself. Fails with
    // Overflow.
    [[nodiscard]] base::Result<std::string> keyOf(const std::string &nameOrId);
};

struct AccountQuestion {
    base::Day from; // the series begin there, or on the first day of the ledger after it
    base::UtcTime end{}; // the day that contains it is left out: bills have whole days
    const model::Settings &settings;
    const std::vector<store::FetchedRanges> &fetched;
    model::CostView cost = model::CostView::Effective;
};

// GPU cost as the ledger has it: of bills (machines that no telemetry saw included), at an allocator's prices, else by
// the price book; in the currency of the configuration, by the user's exchange rates. As billed: of bills alone. A day
// of an account is unknown before the first and after the newest day with machine time on one of its sources of bills
// (unless that source is no longer configured: then it tells nothing more), and if a rate is missing. A day of what is
// on no bill, and of the total, is unknown if one of all sources of bills lacks it, or if telemetry does, as for
// scopeSeriesOf(); the first also if none of its time has a price. Fails with InvalidArgument (CostView::List),
// InvalidConfig (a rate), Overflow, Storage… codes.
[[nodiscard]] base::Result<AccountSeries> accountSeriesOf(store::CubeReader &cube, const AccountQuestion &question);
// The same for the budgets of the settings: what they call an account is a key, too.
[[nodiscard]] base::Result<ScopeSeries> budgetedAccounts(store::CubeReader &cube, const AccountQuestion &question);

} // namespace gpuledger::services
