// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/time/gputime.h"
#include "app/base/time/time.h"
#include "app/insight/spend/month.h"
#include "app/model/money/allocation.h"
#include "app/model/money/ledgerline.h"
#include "app/store/values/heldday.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Reconciles a month's bill with the ledger, and lists what to review before the month is closed.
namespace gpuledger::insight {

// How a part of the bill, or of the GPU time, relates to the other.
enum class ReconcileKind {
    Matched, // GPU cost of machines that telemetry saw, by match
    Unobserved, // GPU machines on the bill that telemetry never saw
    UnknownType, // the same, of a type that the price list lacks: its GPU model is unknown, and its GPU time unless
                 // the bill has it
    NotBilled, // GPU time of a provider whose bill has no line for it; `priced` is the price-book cost
    Adjustment, // billed minus the price-book cost of the same time
    Priced, // GPU time that no bill covers, at the price book's prices; not on any bill
    Allocated, // GPU time that no bill covers, at an allocator's prices; not on any bill
    AllocatedAdjustment, // allocated minus the price-book cost of the same time
    EffectiveZero, // billed usage for which the bill gives effective cost 0; the bill's figures are kept
    NotGpu, // everything on the bill that is not GPU time, by category
    Unexplained,
};
std::string_view toString(ReconcileKind kind); // "matched", "unobserved", "not-billed", …

// The amounts of one kind, in one currency.
struct ReconcileLine {
    ReconcileKind kind{};
    std::string detail; // match, category or provider
    std::optional<base::Money> billed, effective; // of the bill; std::nullopt: the line has none
    std::optional<base::Money> priced; // of the price book; std::nullopt: no price
    std::optional<base::Money> allocated; // of the allocator; std::nullopt: none
    std::optional<base::GpuTime> gpuTime; // std::nullopt: none, or unknown
    std::uint64_t lines = 0; // of the bill, if they were counted
};

// Totals of one currency.
struct ReconcileTotal {
    base::Currency currency;
    base::Money billBilled, billEffective; // from the bill's own lines
    base::Money ledgerBilled, ledgerEffective; // from the ledger's
    base::Money differenceBilled, differenceEffective; // ledger minus bill: 0
    base::Money unexplainedBilled, unexplainedEffective;
    std::vector<ReconcileLine> lines;
};

// What bills say of GPU machines of a type that the price list lacks; see ReconcileKind::UnknownType.
struct UnknownGpuType {
    std::string cloud, type; // the type in lower case; empty: the bill does not name it
    base::Money billed, effective;
};

// Where an allocator disagrees, summed over the days of the month.
struct AllocationDifference {
    model::AllocationFinding finding; // `nodes` counts each of them once per day
    std::int64_t days = 0;
    std::optional<base::Money> difference; // ours minus theirs; std::nullopt: one of them is unknown
};

// A month's bills compared with its ledger.
struct Reconciliation {
    Month month;
    std::vector<ReconcileTotal> totals; // ascending by currency; empty: no bill
    std::vector<ReconcileLine> telemetry; // Priced, NotBilled, Allocated and its adjustment
    // Ascending by currency, cloud and type; only if requested. Contained in the totals.
    std::vector<UnknownGpuType> unknownTypes;
    std::vector<AllocationDifference> allocators; // ascending by the finding's key
    // Days for which an allocator now has less than what is stored: the user has to decide. Ascending by source and
    // day.
    std::vector<store::HeldDay> held;
    bool holds() const; // no difference, nothing unexplained
    bool hasUnknownTypes() const;
};

} // namespace gpuledger::insight
