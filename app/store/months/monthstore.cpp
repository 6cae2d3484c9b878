// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/months/monthstore.h"

#include "app/base/crypto/sha256.h"
#include "app/base/remedy.h"
#include "app/store/sqlite/checksum.h"
#include "app/store/sqlite/durable.h"

namespace gpuledger::store {

using base::fail;
using base::Result;

namespace {

constexpr std::size_t kMonthLength = 7; // "2026-10"

std::int64_t checksumOf(const std::string &month, std::int64_t number, const std::string &content)
{
    return checksum(month + '\n' + content, number);
}

tl::unexpected<base::Error> damaged(const std::string &month, const std::string &what)
{
    return fail(base::ErrorCode::StorageCorrupt,
                "the closed month " + month + " is damaged: " + what + "; its statement is not shown",
                base::Remedy::RestoreDataFolder);
}

Result<bool> isClosed(Database &database, const std::string &month)
{
    Statement s = database.statement("SELECT 1 FROM month_close WHERE month = ?1");
    return s.bind(1, month).step();
}

Result<void> insertClose(Database &database, const MonthClose &month)
{
    Statement close =
        database.statement("INSERT INTO month_close (month, figure_count, row_count, hash) VALUES (?1, ?2, ?3, ?4)");
    const auto figures = static_cast<std::int64_t>(month.figureCount);
    close.bind(1, month.month).bind(2, figures).bind(3, static_cast<std::int64_t>(month.rows.size()));
    close.bind(4, hashOf(figures, month.rows));
    GPULEDGER_TRY(close.run());
    Statement row =
        database.statement("INSERT INTO closed_row (month, number, content, checksum) VALUES (?1, ?2, ?3, ?4)");
    for (std::size_t i = 0; i < month.rows.size(); ++i) {
        const auto number = static_cast<std::int64_t>(i);
        row.bind(1, month.month).bind(2, number).bind(3, month.rows[i]);
        GPULEDGER_TRY(row.bind(4, checksumOf(month.month, number, month.rows[i])).run());
    }
    return {};
}

// The month after that of this day.
base::Day nextMonth(base::Day day)
{
    using namespace std::chrono;
    const year_month_day date{sys_days(days(day.number))};
    const sys_days next = date.year() / date.month() / 1 + months(1);
    return {static_cast<std::int32_t>(next.time_since_epoch().count())};
}

} // namespace

std::string hashOf(std::int64_t figureCount, const std::vector<std::string> &rows)
{
    base::Sha256 hash;
    hash.add(std::to_string(figureCount) + '\n');
    for (const std::string &row : rows) {
        hash.add(row);
        hash.add("\n");
    }
    return hash.hex();
}

template <typename Work>
Result<MonthStore::Outcome> MonthStore::write(const std::string &month, std::int64_t generation, const Work &work)
{
    using Answer = std::pair<Outcome, bool>;
    return durably<Outcome>(m_store, [&](Database &writer) -> Result<Answer> {
        const auto closed = isClosed(writer, month);
        GPULEDGER_TRY(closed);
        if (*closed)
            return Answer(Outcome::Closed, false);
        const auto now = writer.scalar("SELECT value FROM meta WHERE key = 'generation'");
        GPULEDGER_TRY(now);
        if (*now != generation)
            return Answer(Outcome::Changed, false);
        GPULEDGER_TRY(work(writer));
        return Answer(Outcome::Done, true);
    });
}

Result<std::optional<AuditEntry>> MonthStore::note(const AuditEvent &event,
                                                   const std::function<bool(const std::vector<AuditEntry> &)> &isWanted)
{
    using Entry = std::optional<AuditEntry>;
    return durably<Entry>(m_store, [&](Database &writer) -> Result<std::pair<Entry, bool>> {
        const auto log = readAudit(writer);
        GPULEDGER_TRY(log);
        if (!isWanted(*log))
            return std::pair(Entry(), false);
        auto entry = appendAudit(writer, event);
        GPULEDGER_TRY(entry);
        return std::pair(Entry(std::move(*entry)), true);
    });
}

Result<MonthStore::Outcome> MonthStore::review(const StoredReview &review, const AuditEvent &event,
                                               std::int64_t generation)
{
    return write(review.month, generation, [&](Database &database) -> Result<void> {
        Statement s = database.statement(
            "INSERT INTO month_review (month, reviewed_at, reviewed_by, figures) VALUES (?1, ?2, ?3, ?4)"
            " ON CONFLICT (month) DO UPDATE SET reviewed_at = excluded.reviewed_at, reviewed_by = excluded.reviewed_by,"
            " figures = excluded.figures");
        s.bind(1, review.month).bind(2, base::toUnix(review.at)).bind(3, review.by).bind(4, review.figures);
        GPULEDGER_TRY(s.run());
        GPULEDGER_TRY(appendAudit(database, event));
        return {};
    });
}

Result<MonthStore::Outcome> MonthStore::reviewTeam(const StoredTeamReview &one, const AuditEvent &event,
                                                   std::int64_t generation)
{
    return write(one.review.month, generation, [&](Database &database) -> Result<void> {
        Statement s = database.statement(
            "INSERT INTO team_review (month, team, reviewed_at, reviewed_by, figures) VALUES (?1, ?2, ?3, ?4, ?5)"
            " ON CONFLICT (month, team) DO UPDATE SET reviewed_at = excluded.reviewed_at,"
            " reviewed_by = excluded.reviewed_by, figures = excluded.figures");
        s.bind(1, one.review.month).bind(2, one.team).bind(3, base::toUnix(one.review.at));
        s.bind(4, one.review.by).bind(5, one.review.figures);
        GPULEDGER_TRY(s.run());
        GPULEDGER_TRY(appendAudit(database, event));
        return {};
    });
}

Result<MonthStore::Outcome> MonthStore::close(const MonthClose &month, const AuditEvent &event, std::int64_t generation)
{
    return write(month.month, generation, [&](Database &database) -> Result<void> {
        GPULEDGER_TRY(insertClose(database, month));
        GPULEDGER_TRY(appendAudit(database, event));
        return {};
    });
}

Result<std::vector<StoredReview>> MonthStore::reviews()
{
    const auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    std::vector<StoredReview> all;
    Statement s = (*session)->database().statement(
        "SELECT month, reviewed_at, reviewed_by, figures FROM month_review ORDER BY month");
    GPULEDGER_TRY(s.each([&] { all.push_back({s.text(0), base::fromUnix(s.integer(1)), s.text(2), s.text(3)}); }));
    return all;
}

Result<std::vector<StoredTeamReview>> MonthStore::teamReviews()
{
    const auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    std::vector<StoredTeamReview> all;
    Statement s = (*session)->database().statement(
        "SELECT month, reviewed_at, reviewed_by, figures, team FROM team_review ORDER BY month, team");
    GPULEDGER_TRY(s.each([&] {
        all.push_back({{s.text(0), base::fromUnix(s.integer(1)), s.text(2), s.text(3)}, s.text(4)});
    }));
    return all;
}

Result<std::vector<StoredClose>> MonthStore::closes()
{
    const auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    std::vector<StoredClose> all;
    Statement s = (*session)->database().statement(
        "SELECT c.month, c.hash, ifnull(r.content, ''), ifnull(r.checksum, 0) FROM month_close c"
        " LEFT JOIN closed_row r ON r.month = c.month AND r.number = 0 ORDER BY c.month");
    GPULEDGER_TRY(s.each([&] {
        StoredClose &close = all.emplace_back(StoredClose{s.text(0), s.text(1), s.text(2)});
        if (checksumOf(close.month, 0, close.header) != s.integer(3))
            close.header.clear();
    }));
    return all;
}

Result<std::vector<StoredMonth>> MonthStore::ledgerMonths()
{
    const auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    Database &database = (*session)->database();
    // One step per month: there are many lines, but few months.
    Statement next = database.statement("SELECT min(day) FROM ledger_line WHERE day >= ?1");
    Statement money = database.statement("SELECT 1 FROM ledger_line WHERE day >= ?1 AND day < ?2"
                                         " AND (billed <> 0 OR effective <> 0 OR priced <> 0) LIMIT 1");
    std::vector<StoredMonth> all;
    std::int64_t from = std::numeric_limits<std::int32_t>::min();
    for (;;) {
        std::optional<std::int64_t> day;
        GPULEDGER_TRY(next.bind(1, from).each([&] { day = next.optionalInteger(0); }));
        if (!day)
            return all;
        const base::Day first{static_cast<std::int32_t>(*day)};
        from = nextMonth(first).number;
        bool hasMoney = false;
        GPULEDGER_TRY(money.bind(1, *day).bind(2, from).each([&] { hasMoney = true; }));
        all.push_back({base::toRfc3339(first.start()).substr(0, kMonthLength), hasMoney});
    }
}

Result<std::vector<std::string>> MonthStore::closedRows(const std::string &month, Rows which)
{
    const auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    Database &database = (*session)->database();
    Statement close = database.statement("SELECT figure_count, row_count, hash FROM month_close WHERE month = ?1");
    const auto there = close.bind(1, month).step();
    GPULEDGER_TRY(there);
    if (!*there)
        return fail(base::ErrorCode::NotFound, month + " is not closed");
    const std::int64_t figures = close.integer(0), count = which == Rows::Figures ? figures : close.integer(1);
    const std::string hash = close.text(2);
    std::vector<std::string> rows;
    Statement s = database.statement(
        "SELECT number, content, checksum FROM closed_row WHERE month = ?1 AND number < ?2 ORDER BY number");
    GPULEDGER_TRY(s.bind(1, month).bind(2, count).each([&]() -> Result<void> {
        std::string content = s.text(1);
        const auto expected = static_cast<std::int64_t>(rows.size());
        if (s.integer(0) != expected || s.integer(2) != checksumOf(month, expected, content))
            return damaged(month, "row " + std::to_string(expected) + " is not what was written");
        rows.push_back(std::move(content));
        return {};
    }));
    if (static_cast<std::int64_t>(rows.size()) != count || rows.empty())
        return damaged(month, "rows are missing");
    if (which == Rows::All && hashOf(figures, rows) != hash)
        return damaged(month, "its hash is not that of its rows");
    return rows;
}

Result<std::vector<AuditEntry>> MonthStore::audit()
{
    const auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    return readAudit((*session)->database());
}

Result<std::vector<FetchedRanges>> MonthStore::fetched()
{
    const auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    std::vector<FetchedRanges> all;
    Statement s = (*session)->database().statement("SELECT name, range_start, range_end FROM sync_range r JOIN source s"
                                                   " ON s.id = r.source ORDER BY name, range_start");
    GPULEDGER_TRY(s.each([&] {
        if (all.empty() || all.back().source != s.text(0))
            all.push_back({s.text(0), {}});
        all.back().ranges.push_back({base::fromUnix(s.integer(1)), base::fromUnix(s.integer(2))});
    }));
    return all;
}

Result<void> MonthStore::extract(const MonthCut &cut, const std::filesystem::path &to)
{
    auto database = m_store.readers->take();
    GPULEDGER_TRY(database);
    return extractMonth(**database, cut, to);
}

} // namespace gpuledger::store
