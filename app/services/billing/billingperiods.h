// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/files/reportmonth.h"
#include "app/reports/months/monthrecord.h"
#include "app/services/engine/engine.h"
#include "app/store/months/monthstore.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::services {

// The months that exist and how each is signed off, as of one moment; and the inputs of a month, live or as it was
// closed. For a single query: call read() first. The constructor's arguments must outlive it. One thread. Fails with
// Overflow and Storage… codes.
class BillingPeriods {
public:
    BillingPeriods(store::LedgerStore &cache, const Setup &setup, const ports::SourceCatalog &catalog,
                   base::UtcTime now);

    [[nodiscard]] base::Result<void> read();
    [[nodiscard]] base::Result<std::vector<reports::MonthStatus>> statuses();
    // With objections and the hash of its figures.
    [[nodiscard]] base::Result<reports::MonthStatus> status(const insight::Month &month);
    // Without objections, for an open month; also with the teams' `figures` if `asked`.
    reports::MonthStatus statusOf(const reports::MonthRecord &live, bool asked = false) const;

    bool isClosed(const insight::Month &month) const { return m_closes.contains(month); }
    std::string hashOf(const insight::Month &month) const;
    [[nodiscard]] base::Result<reports::ClosedMonth> closed(const insight::Month &month, store::MonthStore::Rows rows);
    // For an open month; without its workloads, and without the preceding month.
    [[nodiscard]] base::Result<reports::MonthRecord> live(const insight::Month &month);
    // Adds the preceding month as it is reported; if it is closed, also as it would be now. Takes as long as the
    // month's statement if it was closed by rules other than the current ones.
    [[nodiscard]] base::Result<void> addBefore(reports::MonthRecord &to);
    // The rules to store for a month that is closed now. Fails like reportSettingsText().
    [[nodiscard]] base::Result<reports::KeptRules> rules() const;
    // Everything that documents are built from, and the status of the month. `withPast`: also the months before the
    // preceding one, which otherwise only a closed month has.
    [[nodiscard]] base::Result<reports::KeptMonth> kept(const insight::Month &month, bool withPast = false);
    // Adds the months before the preceding one to a month that has the preceding one; closed ones as they were closed.
    [[nodiscard]] base::Result<void> addPast(reports::MonthRecord &to);
    [[nodiscard]] base::Result<void> addWorkloads(reports::MonthRecord &to);

private:
    insight::Month current() const;
    void addTeams(reports::MonthStatus &status, const reports::MonthRecord &live, bool asked) const;
    bool hasLines(const insight::Month &month) const { return m_lines.contains(month); }
    // The month in which adjustments of a closed month are reported: the first month after it that is open and has
    // something to show, or that is not over.
    insight::Month openAfter(const insight::Month &closed) const;
    base::Result<std::vector<reports::MonthAdjustment>> adjustments(const insight::Month &month);
    base::Result<reports::MonthFigures> liveFigures(const insight::Month &month);
    base::Result<insight::LedgerAnswer> rows(const insight::Month &month, std::vector<insight::LedgerDimension> by);
    base::Result<std::optional<insight::LedgerAnswer>> rowsByRules(const insight::Month &month,
                                                                   const std::optional<reports::KeptRules> &rules,
                                                                   const insight::LedgerAnswer &now);
    base::Result<std::vector<reports::Objection>> objections(const insight::Month &month, bool hasFigures);
    base::Result<std::vector<store::FetchedRanges>> fetched();

    store::LedgerStore &m_cache;
    const Setup &m_setup;
    const ports::SourceCatalog &m_catalog;
    base::UtcTime m_now;
    std::map<insight::Month, bool> m_lines; // months for which the ledger has lines, and whether these have amounts
    std::map<insight::Month, store::StoredClose> m_closes;
    std::map<insight::Month, store::StoredReview> m_reviews;
    std::map<insight::Month, std::map<std::string, store::StoredReview>> m_teamReviews;
    std::optional<reports::MonthRecord> m_live; // the month asked for last: its status and its close need the same
};

} // namespace gpuledger::services
