// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/spend/reconcile.h"
#include "app/services/alerts/ruleseries.h"
#include "app/store/values/billed.h"

#include <set>

// The metrics that are about bills.
namespace gpuledger::services {

// (|unexplained| + |ledger - bill|) / |bill|, of the billed cost; of several currencies, the largest. std::nullopt: no
// bill, or one of 0. Pure.
std::optional<double> unexplainedShare(const insight::Reconciliation &month);

// For the metric Reconciliation: a reading at the end of each whole UTC day of `question.range`, of the newest month
// that had been over for ledger::kOpenBillDays then, as its bill is now: how it was reconciled in the past is not
// stored. Unknown if that month has no bill. Reads the ledger of each month once. Fails with Storage… codes, Overflow.
[[nodiscard]] base::Result<RuleSeries> reconciliationSeriesOf(const SeriesQuestion &question, base::Currency report);

// Collects what was paid for commitments and not used. One thread.
class UnusedCommitments {
public:
    explicit UnusedCommitments(base::Currency report)
        : m_report(report)
    {
    }
    // Fails with Overflow.
    [[nodiscard]] base::Result<void> add(base::Day day, const store::BilledItem &item);
    // A reading at the end of each whole UTC day of `range` up to the last one that is known, by id of the commitment:
    // 0 if all of it was used. Unknown where the account has no usage on the bill, in its newest ledger::kOpenBillDays
    // days, and if the commitment is billed in another currency than the report's.
    RuleSeries take(base::TimeRange range) const;

private:
    struct Commitment {
        std::string account;
        bool isInReportCurrency = true;
        std::map<base::Day, std::int64_t> unused; // nanos
    };
    base::Currency m_report;
    std::map<std::string, std::set<base::Day>> m_days; // with usage, by billing account
    std::map<std::string, Commitment> m_commitments;
};

// For the metric CommitmentUnused: the effective cost, from the bills of `question.range`. Fails with Storage… codes,
// Overflow.
[[nodiscard]] base::Result<RuleSeries> unusedSeriesOf(View &view, const SeriesQuestion &question,
                                                      base::Currency report);

} // namespace gpuledger::services
