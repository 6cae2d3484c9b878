// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/insight/spend/ledgerquery.h"
#include "app/insight/spend/reconcile.h"
#include "app/reports/statement/statement.h"

#include <array>
#include <string>
#include <vector>

// Compares split policies: what each team is charged for the GPU machines of a month under every policy. Pure functions
// of the ledger's answers; any thread.
namespace gpuledger::reports {

inline constexpr std::array kSplitPolicies{model::SplitPolicy::GpuFirst, model::SplitPolicy::Aws,
                                           model::SplitPolicy::OpenCost, model::SplitPolicy::Fixed};
using BySplitPolicy = std::array<base::Money, kSplitPolicies.size()>; // parallel to kSplitPolicies

// One team's cost under every split policy.
struct LensTeam {
    std::string team;
    // The cost of its GPUs, bills and estimates combined; for machines that cannot be split, their whole cost.
    BySplitPolicy cost;
    BySplitPolicy unsplit; // the part of it where the machine's vCPUs or memory are unknown

    // Difference from the policy used in statements.
    base::Money difference(std::size_t policy) const
    {
        return base::Money(cost[policy].nanos() - cost[0].nanos(), cost[0].currency());
    }
};

// In one currency. For every policy: teams + cpu + memory == total, exactly.
struct CurrencyLens {
    base::Currency currency;
    std::vector<LensTeam> teams; // the most expensive under gpu-first first
    BySplitPolicy cpu, memory; // telemetry does not report who used them
    BySplitPolicy unsplit; // contained in the teams' costs
    base::Money total; // cost of the machines
};

// A month's comparison of split policies.
struct SplitLens {
    insight::Month month;
    CostView view = CostView::Billed;
    std::vector<CurrencyLens> currencies; // ascending; from the current ledger, even if the month is closed
};

// The ledger query, to be made once per policy.
insight::LedgerQuery lensQuery(const insight::Month &month, model::SplitPolicy policy);

// `answers` are parallel to kSplitPolicies. Fails with Overflow, and with Internal if they are not from one state of
// the ledger.
[[nodiscard]] base::Result<SplitLens>
makeSplitLens(const insight::Month &month, CostView view,
              const std::array<insight::LedgerAnswer, kSplitPolicies.size()> &answers);

} // namespace gpuledger::reports
