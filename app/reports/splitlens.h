// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money.h"
#include "app/base/result.h"
#include "app/insight/spend/ledgerquery.h"
#include "app/insight/spend/reconcile.h"
#include "app/reports/statement.h"

#include <array>
#include <string>
#include <vector>

// The split lens: what each team is charged for the machines with GPUs of a month under every split policy. Pure
// functions of the ledger's answers; any thread.
namespace gpuledger::reports {

inline constexpr std::array kSplitPolicies{model::SplitPolicy::GpuFirst, model::SplitPolicy::Aws,
                                           model::SplitPolicy::OpenCost, model::SplitPolicy::Fixed};
using BySplitPolicy = std::array<base::Money, kSplitPolicies.size()>; // parallel to kSplitPolicies

struct LensTeam {
    std::string team;
    // What its GPUs cost, bills and estimate together, and of machines that can't be split all that they cost.
    BySplitPolicy cost;
    BySplitPolicy unsplit; // of it, because the vCPUs or the memory of the machine are not known

    // Against the policy of the statements.
    base::Money difference(std::size_t policy) const
    {
        return base::Money(cost[policy].nanos() - cost[0].nanos(), cost[0].currency());
    }
};

// Of one currency. For every policy: teams + cpu + memory == total, exactly.
struct CurrencyLens {
    base::Currency currency;
    std::vector<LensTeam> teams; // dearest first under gpu-first
    BySplitPolicy cpu, memory; // who used them telemetry does not tell
    BySplitPolicy unsplit; // in the teams' costs
    base::Money total; // what the machines cost
};

struct SplitLens {
    insight::Month month;
    CostView view = CostView::Billed;
    std::vector<CurrencyLens> currencies; // ascending; of the ledger as it is now, also where the month is closed
};

// What the ledger is asked for, once for each policy.
insight::LedgerQuery lensQuery(const insight::Month &month, model::SplitPolicy policy);

// `answers` are parallel to kSplitPolicies. Fails with Overflow, and with Internal where they are not of one state of
// the ledger.
[[nodiscard]] base::Result<SplitLens>
makeSplitLens(const insight::Month &month, CostView view,
              const std::array<insight::LedgerAnswer, kSplitPolicies.size()> &answers);

} // namespace gpuledger::reports
