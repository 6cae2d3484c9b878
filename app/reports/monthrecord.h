// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/reports/adjustments.h"
#include "app/reports/history.h"
#include "app/reports/monthstatus.h"
#include "app/reports/statement.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

// All that the documents of a month are made of, and the texts in which it is kept once the month is closed: no
// document of a closed month looks at facts, bills, prices, rules or settings again. Pure; any thread.
namespace gpuledger::reports {

struct MonthRecord {
    insight::Month month;
    base::UtcTime made{}; // of a closed month: when it was closed
    base::Currency report; // of the price book
    base::TimeRange covered; // by telemetry; empty: never fetched
    bool fetchedInPart = false; // more than a little of this month, or of the one before, was never fetched
    insight::LedgerAnswer after, before; // by statementDimensions(): this month, and the one before it
    // Of the month before, where that was closed: what it would be, and the currency of the price book at its close.
    std::optional<RestatedMonth> restated{};
    std::optional<base::Currency> reportBefore{}; // nothing: `report`
    bool knowsBefore = true; // false: it was kept in a form that does not say whether the month before was closed
    insight::LedgerAnswer workloads; // by workloadDimensions()
    std::optional<insight::LedgerAnswer> doubts{}; // by doubtDimensions(); nothing: kept in a form without them
    std::optional<PastMonths> past{}; // of History::past(); nothing: not asked for, or kept in a form without it
    std::vector<MonthAdjustment> adjustments; // of earlier closed months, told in this one
    SharingRules sharing; // as they are, or were when the month was closed
};

// Fails as makeStatement(StatementInput) does.
[[nodiscard]] base::Result<Statement> makeStatement(const MonthRecord &record, const MonthStatus &status, CostView view,
                                                    const std::string &team);

// Stands for the figures of a month: SHA-256 of its texts for bills, rows and adjustments.
std::string figuresHash(const MonthRecord &record);
// The same of each team: of its own rows and adjustments, and of all where costs of others are shared out.
std::map<std::string, std::string> teamHashes(const MonthRecord &record);

// The settings that the figures of a closed month were made by. Values.
struct KeptRules {
    std::string id; // what the ledger calls them: equal for settings that make the same figures
    std::string text; // services/reportsettings.h
};

struct ClosedMonth {
    MonthRecord record;
    std::string by; // empty: unknown
    std::string reason; // may be empty
    std::vector<Objection> objections; // in spite of which it was closed
    std::optional<MonthStatus::Review> review; // of the figures that were closed
    std::optional<KeptRules> rules{}; // nothing: it was closed before rules were kept
};

struct ClosedTexts {
    std::vector<std::string> rows;
    std::size_t figureCount = 0; // the first so many give the ClosedMonth; the others are its ledger, day by day
};

// One day's line of the ledger at a time.
using LineVisitor =
    std::function<base::Result<void>(base::Day, const model::LedgerKey &, const model::LedgerAmounts &)>;
using LineSource = std::function<base::Result<void>(const LineVisitor &)>;
// Rows are JSON arrays that begin with what they are: month (a header with names), bill, sum, adjustment, before, now
// and old-rules (the closed month before, as it would be), past (a line of a month before that), workload, doubt,
// rules, then key and line. Of the workloads those stay that a statement shows. Fails as makeStatement() and `lines`.
[[nodiscard]] base::Result<ClosedTexts> encode(const ClosedMonth &month, const LineSource &lines);
// Of the header.
[[nodiscard]] base::Result<std::size_t> figureCountOf(const std::string &header);
// Of the first rows, so many. Fails with StorageCorrupt, or StorageNewer (another form than this program writes).
[[nodiscard]] base::Result<ClosedMonth> decode(const std::vector<std::string> &figures);

// How a closed month stands. `hash` is that of its rows.
MonthStatus statusOf(const ClosedMonth &month, std::string hash);
// The same from its header alone; nothing where that can't be read.
std::optional<MonthStatus> statusOfHeader(const std::string &header, std::string hash);

} // namespace gpuledger::reports
