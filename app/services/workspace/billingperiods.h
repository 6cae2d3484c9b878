// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/monthrecord.h"
#include "app/reports/reportmonth.h"
#include "app/services/workspace/workspaceprivate.h"
#include "app/store/months/monthstore.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::services {

// Which months there are and how each is signed off, as of one moment; and what a month is made of, live or as it was
// closed. For one question: read() first. What it is given must outlive it. One thread. Fails with Overflow and
// Storage… codes.
class BillingPeriods {
public:
    BillingPeriods(store::LedgerStore &cache, const Setup &setup, const ports::SourceCatalog &catalog,
                   base::UtcTime now);

    [[nodiscard]] base::Result<void> read();
    [[nodiscard]] base::Result<std::vector<reports::MonthStatus>> statuses();
    // With objections and the hash of its figures.
    [[nodiscard]] base::Result<reports::MonthStatus> status(const insight::Month &month);
    // Without them, of a month that is open; `figures` of its teams too where `asked`.
    reports::MonthStatus statusOf(const reports::MonthRecord &live, bool asked = false) const;

    bool isClosed(const insight::Month &month) const { return m_closes.contains(month); }
    std::string hashOf(const insight::Month &month) const;
    [[nodiscard]] base::Result<reports::ClosedMonth> closed(const insight::Month &month, store::MonthStore::Rows rows);
    // Of a month that is open; without its workloads, and without the month before.
    [[nodiscard]] base::Result<reports::MonthRecord> live(const insight::Month &month);
    // The month before, as it is told; where it is closed, also as it would be now. Takes as long as the month's
    // statement where it was closed by other rules than those of now.
    [[nodiscard]] base::Result<void> addBefore(reports::MonthRecord &to);
    // To be kept of a month that is closed now. Fails as reportSettingsText() does.
    [[nodiscard]] base::Result<reports::KeptRules> rules() const;
    // All that documents are made of, and how the month stands. `withPast`: also the months before the month before,
    // which only a month that was closed has without being asked for them.
    [[nodiscard]] base::Result<reports::KeptMonth> kept(const insight::Month &month, bool withPast = false);
    // The months before the month before, of a month with the one before it; of closed ones what was closed.
    [[nodiscard]] base::Result<void> addPast(reports::MonthRecord &to);
    [[nodiscard]] base::Result<void> addWorkloads(reports::MonthRecord &to);

private:
    insight::Month current() const;
    void addTeams(reports::MonthStatus &status, const reports::MonthRecord &live, bool asked) const;
    bool hasLines(const insight::Month &month) const { return m_lines.contains(month); }
    // Where adjustments of a closed month are told: the first month after it that is open and has something to show,
    // or that is not over.
    insight::Month openAfter(const insight::Month &closed) const;
    bool hasAdjustments(const insight::Month &month);
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
    std::map<insight::Month, bool> m_lines; // months of which the ledger has lines, and whether these have money
    std::map<insight::Month, store::StoredClose> m_closes;
    std::map<insight::Month, store::StoredReview> m_reviews;
    std::map<insight::Month, std::map<std::string, store::StoredReview>> m_teamReviews;
};

} // namespace gpuledger::services
