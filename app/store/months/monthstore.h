// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/store/actions/auditlog.h"
#include "app/store/months/monthextract.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::store {

class Database;
struct Connections;

// A user's review of a month, as stored.
struct StoredReview {
    std::string month; // YYYY-MM
    base::UtcTime at{};
    std::string by; // empty: unknown
    std::string figures; // SHA-256 of what was reviewed
};

// A user's review of one team's statement, as stored.
struct StoredTeamReview {
    StoredReview review;
    std::string team; // may be empty: no team
};

// A closed month, without its rows.
struct StoredClose {
    std::string month;
    std::string hash;
    std::string header; // its first row; empty: the row is damaged
};

// A month for which the ledger has lines.
struct StoredMonth {
    std::string month;
    bool hasMoney = false; // it has a line with an amount from a bill or the price book
};

// The ranges that were fetched from a source.
struct FetchedRanges {
    std::string source;
    std::vector<base::TimeRange> ranges; // disjoint, ascending

    // 0..1 of a range; 1 for an empty range.
    double shareOf(base::TimeRange range) const
    {
        base::Seconds sum{0};
        for (const base::TimeRange &one : ranges)
            sum += one.intersect(range).length();
        return range.empty() ? 1 : static_cast<double>(sum.count()) / static_cast<double>(range.length().count());
    }
};

// A month about to be closed.
struct MonthClose {
    std::string month;
    std::vector<std::string> rows; // texts without a line feed; the first is the header
    std::size_t figureCount = 0; // documents are built from this many first rows
};
// The hash stored in month_close: SHA-256 of the figure count in decimal and of the rows, each followed by a line feed.
std::string hashOf(std::int64_t figureCount, const std::vector<std::string> &rows);

// Signed-off months, and the audit log. Writes commit with synchronous=FULL, together with their log entry. Created by
// LedgerStore::months(); the store must outlive it. Thread-safe like the store. Fails with Storage… codes.
class MonthStore {
public:
    explicit MonthStore(Connections &store)
        : m_store(store)
    {
    }

    enum class Outcome {
        Done,
        Changed, // another commit came after that generation: nothing was written
        Closed, // the month is already closed: nothing was written
    };
    [[nodiscard]] base::Result<Outcome> review(const StoredReview &review, const AuditEvent &event,
                                               std::int64_t generation);
    [[nodiscard]] base::Result<Outcome> reviewTeam(const StoredTeamReview &review, const AuditEvent &event,
                                                   std::int64_t generation);
    [[nodiscard]] base::Result<Outcome> close(const MonthClose &month, const AuditEvent &event,
                                              std::int64_t generation);

    // Adds an entry to the log if `isWanted`, called with all existing entries, returns true; else nothing is written.
    [[nodiscard]] base::Result<std::optional<AuditEntry>>
    note(const AuditEvent &event, const std::function<bool(const std::vector<AuditEntry> &)> &isWanted);

    // Each ascending by month.
    [[nodiscard]] base::Result<std::vector<StoredReview>> reviews();
    [[nodiscard]] base::Result<std::vector<StoredTeamReview>> teamReviews();
    [[nodiscard]] base::Result<std::vector<StoredClose>> closes();
    // Months for which the ledger has lines.
    [[nodiscard]] base::Result<std::vector<StoredMonth>> ledgerMonths();

    // The rows of a closed month: those that documents are built from, each verified by its checksum, or all of them,
    // also verified by their hash. Fails with NotFound, and with StorageCorrupt if they are not what was written.
    enum class Rows { Figures, All };
    [[nodiscard]] base::Result<std::vector<std::string>> closedRows(const std::string &month, Rows which);

    [[nodiscard]] base::Result<std::vector<AuditEntry>> audit();
    [[nodiscard]] base::Result<std::vector<FetchedRanges>> fetched();
    // Copies the cache with only that month to the new file `to`: see extractMonth(). Does not block writers;
    // generation() of the copy identifies its state.
    [[nodiscard]] base::Result<void> extract(const MonthCut &cut, const std::filesystem::path &to);

private:
    template <typename Work>
    base::Result<Outcome> write(const std::string &month, std::int64_t generation, const Work &work);

    Connections &m_store;
};

// Checks the rows and hash of each closed month, the chain of the log, and one against the other; for verify().
[[nodiscard]] base::Result<void> checkMonths(Database &database,
                                             const std::function<void(std::string, std::string)> &tell);

} // namespace gpuledger::store
