// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/spend/ledgerquery.h"
#include "app/reports/statement/statement.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

// What a statement is made of: rows of the ledger by given dimensions. Values and pure functions; any thread.
namespace gpuledger::reports {

std::vector<insight::LedgerDimension> statementDimensions();
std::vector<insight::LedgerDimension> workloadDimensions();
std::vector<insight::LedgerDimension> doubtDimensions(); // start with statementDimensions()

// Indexes into the keys of a row by doubtDimensions(); the first five also by statementDimensions().
struct StatementKey {
    enum : std::size_t { Team, Category, State, Origin, GpuModel, Cluster, Sharing, PriceDate };
};
// Indexes into the keys of a row by workloadDimensions().
struct WorkloadKey {
    enum : std::size_t { Team, NameSpace, Workload, State };
};

// Whether a row by statementDimensions() is an estimate of an allocator or the price book, on no bill; and its amount.
bool isEstimate(const insight::LedgerRow &row);
base::Money estimateOf(const insight::LedgerRow &row);
bool isDoubtful(const insight::LedgerRow &row); // by doubtDimensions(): split equally, or an estimate at a dated list
                                                // price

// A closed month as it would be now, by statementDimensions().
struct RestatedMonth {
    insight::LedgerAnswer now; // from the current facts by the current rules
    std::optional<insight::LedgerAnswer> byOldRules; // from the current facts by the rules of the close; std::nullopt:
                                                     // unknown
};

// The inputs of makeStatement().
struct StatementInput {
    insight::Month month;
    CostView view = CostView::Billed;
    base::UtcTime now{};
    std::string team; // empty: all
    base::TimeRange covered; // by telemetry; empty: never fetched
    const insight::LedgerAnswer &after, &before; // by statementDimensions(), of all teams
    const insight::LedgerAnswer &workloads; // by workloadDimensions(), of the month
    std::vector<MonthAdjustment> adjustments{}; // of closed months, all teams
    MonthStatus status{};
    SharingRules sharing{};
    const RestatedMonth *restated = nullptr; // of the preceding month if that is closed; then `before` is what was
                                             // closed
    bool knowsBefore = true; // false: it is unknown whether the preceding month was closed
    const insight::LedgerAnswer *doubts = nullptr; // by doubtDimensions(), of the month; null: unknown
    const insight::LedgerAnswer *possible = nullptr; // possibleOwners() of the month; null: unknown
    bool fetchedInPart = false; // a noticeable part of the month, or of the preceding one, was never fetched

    base::Money costOf(const insight::LedgerRow &row) const; // of a bill, in the view
    base::Money amountOf(const insight::LedgerRow &row) const; // the same, or the estimate
    // The rows that the month is compared with: the preceding month, by the same facts and rules.
    const std::vector<insight::LedgerRow> &comparedRows() const;
    bool isComparable() const;
};

} // namespace gpuledger::reports
