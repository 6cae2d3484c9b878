// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/reports/statement/adjustments.h"
#include "app/reports/statement/history.h"
#include "app/reports/statement/monthstatus.h"
#include "app/reports/statement/statementinput.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

// Everything that the documents of a month are built from, and the texts in which it is stored once the month is
// closed: no document of a closed month looks at facts, bills, prices, rules or settings again. Pure; any thread.
namespace gpuledger::reports {

// The inputs of a month's documents.
struct MonthRecord {
    insight::Month month;
    base::UtcTime made{}; // for a closed month: when it was closed
    base::Currency report; // of the price book
    base::TimeRange covered; // by telemetry; empty: never fetched
    bool fetchedInPart = false; // a noticeable part of this month, or of the preceding one, was never fetched
    insight::LedgerAnswer after, before; // by statementDimensions(): this month, and the preceding one
    // For a closed preceding month: what it would be now, and the currency of the price book at its close.
    std::optional<RestatedMonth> restated{};
    std::optional<base::Currency> reportBefore{}; // std::nullopt: `report`
    bool knowsBefore = true; // false: the stored form does not say whether the preceding month was closed
    insight::LedgerAnswer workloads; // by workloadDimensions()
    std::optional<insight::LedgerAnswer> doubts{}; // by doubtDimensions(); std::nullopt: the stored form does not have
                                                   // them
    std::optional<insight::LedgerAnswer> possible{}; // possibleOwners(); std::nullopt: likewise
    std::optional<PastMonths> past{}; // months of History::past(); std::nullopt: not requested, or the stored form does
                                      // not have them
    std::vector<MonthAdjustment> adjustments; // of earlier closed months, reported in this one
    SharingRules sharing; // the current rules, or those when the month was closed
};

// Fails like makeStatement(StatementInput).
[[nodiscard]] base::Result<Statement> makeStatement(const MonthRecord &record, const MonthStatus &status, CostView view,
                                                    const std::string &team);

// Identifies the figures of a month: SHA-256 of its texts for bills, rows and adjustments.
std::string figuresHash(const MonthRecord &record);
// The same for each team: of its own rows and adjustments, and of everything if costs of others are shared out.
std::map<std::string, std::string> teamHashes(const MonthRecord &record);

// The settings that the figures of a closed month were computed with. Values.
struct KeptRules {
    std::string id; // the ledger's fingerprint: equal for settings that yield the same figures
    std::string text; // services/reportsettings.h
};

// A month as it was closed.
struct ClosedMonth {
    MonthRecord record;
    std::string by; // empty: unknown
    std::string reason; // may be empty
    std::vector<Objection> objections; // despite which it was closed
    std::optional<MonthStatus::Review> review; // the review of the figures that were closed
    std::optional<KeptRules> rules{}; // std::nullopt: it was closed before rules were stored
};

// A closed month as rows of text, in the form in which it is stored.
struct ClosedTexts {
    std::vector<std::string> rows;
    std::size_t figureCount = 0; // this many first rows encode the ClosedMonth; the others are its ledger, day by day
};

// Receives one line of a day's ledger at a time.
using LineVisitor =
    std::function<base::Result<void>(base::Day, const model::LedgerKey &, const model::LedgerAmounts &)>;
using LineSource = std::function<base::Result<void>(const LineVisitor &)>;
// Rows are JSON arrays that start with their kind: month (a header with names), bill, sum, adjustment, before, now and
// old-rules (the closed preceding month, as it would be now), past (a line of a month before that), workload, doubt,
// possible, rules, then key and line. Only those workloads are stored that a statement shows. Fails like
// makeStatement() and `lines`.
[[nodiscard]] base::Result<ClosedTexts> encode(const ClosedMonth &month, const LineSource &lines);
// Reads the figure count from the header.
[[nodiscard]] base::Result<std::size_t> figureCountOf(const std::string &header);
// Reads the first rows, up to the figure count. Fails with StorageCorrupt, or StorageNewer (a form that this program
// does not write).
[[nodiscard]] base::Result<ClosedMonth> decode(const std::vector<std::string> &figures);

// The status of a closed month. `hash` is that of its rows.
MonthStatus statusOf(const ClosedMonth &month, std::string hash);
// The same from its header alone; std::nullopt if that cannot be read.
std::optional<MonthStatus> statusOfHeader(const std::string &header, std::string hash);

} // namespace gpuledger::reports
