// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/money/costview.h"
#include "app/model/money/savingsclaim.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::services {

class Engine;

// Why the bill says nothing about a claim.
enum class ClaimGap : std::uint8_t {
    None,
    NotBilled, // no bill has such costs in the claim's days or in those before
    MissingDays, // a bill that has such costs lacks some of these days, or some of them may still change
    NoRate, // such costs are in a currency without an exchange rate
    NotPaid, // at list prices nothing is paid
};

// What the bill has of the claim's scope on some days.
struct ClaimedCost {
    base::TimeRange days; // whole UTC days
    base::Money cost; // in the claim's currency
    std::optional<double> gpuHours; // of machines on the bill; empty: unknown, of some or of all
};

// A claim beside the bill. Nobody can tell from a bill why it changed: this is what it has before and since, and no
// proof for or against the claim.
struct ClaimRow {
    std::string source;
    model::SavingsClaim claim;
    base::Money saved; // the claimed amount
    ClaimGap gap = ClaimGap::None;
    // The days right before the first claim of this tool for this scope, as many as the claim has; and the claim's own.
    // Empty: see `gap`.
    std::optional<ClaimedCost> before{}, since{};
    std::optional<base::Money> fell{}; // before - since; below zero: the bill rose
};

struct ClaimsAnswer {
    std::vector<ClaimRow> rows; // by source, tool, scope, day and words
};

// Reads the claims of all sources that tell them, and what the ledger has of their scopes on the bill. A bill's newest
// two days may still change, and are as if they were missing. Blocks; call from a worker thread. Fails with NotFound
// (no source tells claims), the errors of ports::ClaimSource::read, Cancelled, Overflow and Storage… codes.
[[nodiscard]] base::Result<ClaimsAnswer> claimedSavings(Engine &engine, model::CostView view,
                                                        const std::stop_token &stop);

} // namespace gpuledger::services
