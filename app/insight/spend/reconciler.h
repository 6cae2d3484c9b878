// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/spend/reconcile.h"
#include "app/store/values/billed.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace gpuledger::insight {

// How a ledger line is reported, and its detail; std::nullopt: lines of allocators, which are summed by source.
std::optional<std::pair<ReconcileKind, std::string>> reconcileLineOf(const model::LedgerKey &key);

// Sums the lines of GPU machines whose type the price list lacks; they must be in detail by instance type.
class UnknownTypes {
public:
    // Fails with Overflow.
    [[nodiscard]] base::Result<void> add(const model::LedgerKey &key, const model::LedgerAmounts &amounts);
    std::vector<UnknownGpuType> take() const;

private:
    std::map<std::tuple<base::Currency, std::string, std::string>, model::LedgerAmounts> m_sums;
};

// Sums the lines of a month by how they are reported, and compares them with the bills. One object per month; one
// thread.
class Reconciler {
public:
    // `report` is the currency of the price book.
    explicit Reconciler(base::Currency report)
        : m_report(report)
    {
    }
    // Fails with Overflow.
    [[nodiscard]] base::Result<void> add(const model::LedgerKey &key, const model::LedgerAmounts &amounts);
    // Adds what the ledger of one day found about an allocator.
    void add(const model::AllocationFinding &finding);
    // `bills` as recomputed from their lines; the caller sets the month. Fails with Overflow.
    [[nodiscard]] base::Result<Reconciliation> take(const store::BillTotals &bills,
                                                    const std::vector<store::EffectiveZero> &zeros);

private:
    using Kind = std::pair<ReconcileKind, std::string>; // the kind and its detail
    struct Currency {
        store::BillAmounts bill;
        model::LedgerAmounts ledger, unexplained;
        model::LedgerAmounts compared; // both billed and priced
        std::map<Kind, model::LedgerAmounts> lines;
    };
    base::Result<ReconcileTotal> totalOf(base::Currency code, const Currency &sums,
                                         const std::vector<store::EffectiveZero> &zeros) const;
    ReconcileLine lineOf(base::Currency code, const Kind &kind, const model::LedgerAmounts &amounts) const;

    base::Currency m_report;
    std::map<base::Currency, Currency> m_currencies;
    base::Result<void> addAllocated(const model::LedgerKey &key, const model::LedgerAmounts &amounts);
    base::Result<void> takeAllocated(std::vector<ReconcileLine> &lines) const;
    struct Allocated { // of one currency and source
        model::LedgerAmounts all, compared; // both allocated and priced
    };
    using FindingKey =
        std::tuple<std::string, std::string, model::AllocationReason, model::AllocationProduct, base::Currency>;

    std::map<Kind, model::LedgerAmounts> m_telemetry;
    std::map<std::pair<base::Currency, std::string>, Allocated> m_allocated;
    std::map<FindingKey, AllocationDifference> m_differences;
};

} // namespace gpuledger::insight
