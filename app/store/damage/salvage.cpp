// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/damage/salvage.h"

#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "app/store/actions/actionstore.h"
#include "app/store/damage/pagerepair.h"
#include "app/store/damage/schemacheck.h"
#include "app/store/damage/verifier.h"
#include "app/store/months/monthstore.h"
#include "app/store/sqlite/cachefile.h"
#include "app/store/sqlite/migrations.h"
#include "app/store/sqlite/pagevfs.h"

#include <SQLiteCpp/Exception.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <fstream>
#include <span>
#include <variant>

#include <fcntl.h>
#include <unistd.h>

namespace gpuledger::store {

using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

constexpr std::size_t kPageSize = 8192; // the page size that Database uses for new files
constexpr std::size_t kMostByBit = 16, kMostByByte = 2; // number of pages: one takes milliseconds, or seconds
constexpr std::chrono::minutes kCheckLimit{10};
constexpr std::size_t kMostMonths = 1200, kLongestMonth = 16;

// Each table refers only to those before it.
constexpr std::array kKeptTables{"month_close", "closed_row", "month_review", "team_review",
                                 "audit_entry", "action",     "action_step",  "lease"};

// The months are carried over even if one of these groups is damaged.
struct OtherTable {
    const char *name;
    const char *rows;
};
// What price lists offered.
constexpr std::array kPriceTables{
    OtherTable{"price_list", "SELECT * FROM price_list"},
    OtherTable{"price_quote", "SELECT * FROM price_quote WHERE list IN (SELECT id FROM price_list) ORDER BY id"}};
// How days on bills grew, which no bill says afterwards.
constexpr std::array kGrowthTables{OtherTable{"bill_growth", "SELECT * FROM bill_growth"}};
// What sources keep that nobody can tell them again (ports::kLastingMemory).
constexpr std::array kMemoryTables{
    OtherTable{"meta", "SELECT * FROM meta WHERE key LIKE 'told:%' || char(10) || 'lasting %'"}};
// What alerts did, and what people were told.
constexpr std::array kAlertTables{OtherTable{"alert_state", "SELECT * FROM alert_state"},
                                  OtherTable{"alert_change", "SELECT * FROM alert_change"},
                                  OtherTable{"alert_message", "SELECT * FROM alert_message"},
                                  OtherTable{"alert_told", "SELECT * FROM alert_told"},
                                  OtherTable{"alert_silence", "SELECT * FROM alert_silence"},
                                  OtherTable{"alert_ack", "SELECT * FROM alert_ack"}};

using Value = std::variant<std::monostate, std::int64_t, std::string>;
struct Rows {
    std::vector<std::string> columns;
    std::vector<std::vector<Value>> rows;
};

// Throws SQLite::Exception, like everything that follows.
std::vector<std::string> columnsOf(SQLite::Statement &s)
{
    std::vector<std::string> columns;
    for (int c = 0; c < s.getColumnCount(); ++c)
        columns.emplace_back(s.getColumnName(c));
    return columns;
}

std::vector<Value> rowOf(SQLite::Statement &s)
{
    std::vector<Value> row;
    for (int c = 0; c < s.getColumnCount(); ++c) {
        const SQLite::Column value = s.getColumn(c);
        if (value.isNull())
            row.emplace_back();
        else if (value.isInteger())
            row.emplace_back(value.getInt64());
        else
            row.emplace_back(value.getString());
    }
    return row;
}

Rows rowsOf(SQLite::Database &from, const std::string &query)
{
    SQLite::Statement s(from, query);
    Rows all{columnsOf(s), {}};
    while (s.executeStep())
        all.rows.push_back(rowOf(s));
    return all;
}

SQLite::Statement insertInto(SQLite::Database &to, const std::string &table, const std::vector<std::string> &columns)
{
    std::string names, values;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        names += (c ? ", " : "") + columns[c];
        values += (c ? ", ?" : "?") + std::to_string(c + 1);
    }
    return {to, "INSERT INTO " + table + " (" + names + ") VALUES (" + values + ")"};
}

void putRow(SQLite::Statement &s, const std::vector<Value> &row)
{
    for (std::size_t c = 0; c < row.size(); ++c) {
        const int at = static_cast<int>(c) + 1;
        if (const auto *number = std::get_if<std::int64_t>(&row[c]))
            s.bind(at, *number);
        else if (const auto *text = std::get_if<std::string>(&row[c]))
            s.bind(at, *text);
        else
            s.bind(at);
    }
    s.exec();
    s.reset();
}

void put(SQLite::Database &to, const std::string &table, const Rows &all)
{
    SQLite::Statement s = insertInto(to, table, all.columns);
    for (const auto &row : all.rows)
        putRow(s, row);
}

// Row by row: a list may have a million of them.
void copyRows(SQLite::Database &from, const std::string &query, SQLite::Database &to, const std::string &table)
{
    SQLite::Statement rows(from, query);
    SQLite::Statement s = insertInto(to, table, columnsOf(rows));
    while (rows.executeStep())
        putRow(s, rowOf(rows));
}

std::uint64_t numberAt(const std::string &page, std::size_t at, std::size_t bytes)
{
    std::uint64_t number = 0;
    for (std::size_t i = at; i < std::min(at + bytes, page.size()); ++i)
        number = number << 8U | static_cast<unsigned char>(page[i]);
    return number;
}

// The first page, and the pages below it that hold the rest of the schema (SQLite's file format, b-tree pages).
std::vector<std::uint64_t> pagesOfSchema(const std::string &first)
{
    constexpr std::size_t kTree = 100, kCells = kTree + 3, kLast = kTree + 8, kPlaces = kTree + 12;
    constexpr std::uint64_t kInterior = 5;
    std::vector<std::uint64_t> all{1};
    if (numberAt(first, kTree, 1) != kInterior)
        return all;
    for (std::uint64_t i = 0, cells = std::min<std::uint64_t>(numberAt(first, kCells, 2), kPageSize / 4); i < cells;
         ++i)
        all.push_back(numberAt(first, numberAt(first, kPlaces + 2 * i, 2), 4));
    all.push_back(numberAt(first, kLast, 4));
    return all;
}

bool has(SQLite::Database &database, const std::string &table)
{
    SQLite::Statement s(database, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1");
    s.bind(1, table);
    return s.executeStep();
}

// The tables of one group, or none of them. The pages were verified by their checksums as they were read.
Result<void> carryOthers(const std::filesystem::path &copy, std::span<const OtherTable> tables, const std::string &what,
                         Database &cache)
{
    Transaction transaction(cache);
    GPULEDGER_TRY(transaction.beginWrite());
    bool isRead = false; // what fails afterwards is not the damaged file
    try {
        SQLite::Database from(copy.string(), SQLite::OPEN_READONLY, 0, pageVfs());
        for (const OtherTable &table : tables) {
            if (has(from, table.name))
                copyRows(from, table.rows, cache.sqlite(), table.name);
        }
        isRead = true;
    } catch (const SQLite::Exception &e) {
        // A full disk is a failure.
        const base::Error error = cache.lastError("recovering " + what);
        if (error.code != ErrorCode::Storage && error.code != ErrorCode::Internal)
            return fail(error);
        base::log::warning("store", "the history of " + what + " was not recovered: " + e.what());
    }
    if (isRead)
        GPULEDGER_TRY(transaction.commit());
    return {};
}

} // namespace

Salvage::Salvage(const std::filesystem::path &damaged)
{
    m_copy = damaged.string() + ".salvage";
    if (!copy(damaged))
        removeCopy();
}

Salvage::~Salvage()
{
    removeCopy();
}

void Salvage::removeCopy()
{
    std::error_code ignored;
    for (const char *suffix : {"", "-wal", "-shm"}) {
        if (!m_copy.empty())
            std::filesystem::remove(m_copy.string() + suffix, ignored);
    }
    m_copy.clear();
}

// The log first, like setAside().
bool Salvage::copy(const std::filesystem::path &damaged)
{
    namespace fs = std::filesystem;
    for (const char *suffix : {"-wal", ""}) {
        const fs::path from = damaged.string() + suffix, to = m_copy.string() + suffix;
        std::error_code error;
        if (!fs::exists(from, error))
            continue;
        if (!createPrivateFile(to) || !fs::copy_file(from, to, fs::copy_options::overwrite_existing, error))
            return false;
        fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write, error);
        if (error)
            return false;
    }
    return true;
}

void Salvage::correctPages()
{
    std::ifstream in(m_copy, std::ios::binary);
    std::string page(kPageSize, '\0');
    std::vector<std::uint64_t> damaged;
    std::uint64_t pages = 0;
    while (in.read(page.data(), static_cast<std::streamsize>(page.size()))) {
        if (!pageHolds(page, ++pages))
            damaged.push_back(pages);
    }
    // All pages damaged: created by a version without checksums. Too many damaged: more than a single bit or byte is
    // wrong.
    if ((damaged.size() == pages && pages > 1) || damaged.size() > kMostByBit)
        return;
    std::fstream file(m_copy, std::ios::binary | std::ios::in | std::ios::out);
    for (const std::uint64_t number : damaged) {
        const auto offset = static_cast<std::streamoff>((number - 1) * kPageSize);
        if (!file.seekg(offset).read(page.data(), static_cast<std::streamsize>(page.size())))
            return;
        if (repairPage(page, number, Effort::Bits)
            || (damaged.size() <= kMostByByte && repairPage(page, number, Effort::Bytes)))
            file.seekp(offset).write(page.data(), static_cast<std::streamsize>(page.size()));
    }
}

bool Salvage::isWhole()
{
    const auto look = lookAt(m_copy);
    if (!look || look->kind != FileLook::Kind::Ours)
        return false;
    auto opened = Database::open(m_copy, Database::Mode::Writer);
    if (!opened)
        return false;
    Database &database = **opened;
    database.setCheckpointOnClose(false);
    const auto findings = quickLook(database, kCheckLimit);
    if (!findings || !findings->finished || !findings->problems.empty())
        return false;
    bool holds = true;
    const auto tell = [&](const std::string &, const std::string &) { holds = false; };
    const auto version = database.scalar("PRAGMA user_version");
    if (!version || version->value_or(0) == 0 || !checkSchema(database, tell) || !holds)
        return false;
    // Without checksums this is the only check possible, which is sufficient for facts but not for what users did.
    if (!look->hasChecksums && version->value_or(0) >= kChecksumsSince)
        return false;
    return database.emptyLog() && database.execute("PRAGMA synchronous=FULL").has_value();
}

bool Salvage::correct()
{
    if (m_copy.empty())
        return false;
    correctPages();
    const bool whole = isWhole();
    base::log::info("store",
                    whole ? "the damaged cache could be corrected" : "the damage is too large to be corrected");
    return whole;
}

Result<void> Salvage::moveTo(const std::filesystem::path &cache)
{
    std::error_code error;
    const int fd = ::open(m_copy.c_str(), O_RDONLY | O_CLOEXEC);
    const bool synced = fd >= 0 && ::fsync(fd) == 0;
    if (fd >= 0)
        ::close(fd);
    if (!synced)
        return fail(ErrorCode::Storage, m_copy.string() + ": the corrected cache could not be written to the disk");
    for (const char *suffix : {"-wal", "-shm"})
        std::filesystem::remove(m_copy.string() + suffix, error);
    std::filesystem::rename(m_copy, cache, error);
    if (error)
        return fail(ErrorCode::Storage,
                    cache.string() + ": the corrected cache could not be put in place: " + error.message());
    m_copy.clear();
    return {};
}

// Gives the schema pages checksums that match their content: otherwise two wrong bytes in the first page would make
// every other page unreadable. The other pages are still verified by their own checksums, and what is read from them
// has to agree with the chain of the log.
void Salvage::sealSchema()
{
    std::fstream file(m_copy, std::ios::binary | std::ios::in | std::ios::out);
    std::string page(kPageSize, '\0');
    const auto read = [&](std::uint64_t number) {
        return file.seekg(static_cast<std::streamoff>((number - 1) * kPageSize))
            .read(page.data(), static_cast<std::streamsize>(page.size()))
            .good();
    };
    if (!read(1) || !saysChecksums(reinterpret_cast<const unsigned char *>(page.data())))
        return;
    for (const std::uint64_t number : pagesOfSchema(page)) {
        if (number == 0 || !read(number)) {
            file.clear();
            continue;
        }
        const std::uint64_t sum = pageSum(std::string_view(page).substr(0, kPageSize - kPageSumBytes), number);
        std::memcpy(page.data() + (kPageSize - kPageSumBytes), &sum, sizeof sum);
        file.seekp(static_cast<std::streamoff>((number - 1) * kPageSize))
            .write(page.data(), static_cast<std::streamsize>(page.size()));
    }
}

Result<bool> Salvage::carryInto(Database &cache)
{
    if (m_copy.empty())
        return false;
    sealSchema();
    std::vector<std::pair<std::string, Rows>> all;
    try {
        SQLite::Database from(m_copy.string(), SQLite::OPEN_READONLY, 0, pageVfs());
        for (const char *table : kKeptTables) {
            if (has(from, table))
                all.emplace_back(table, rowsOf(from, std::string("SELECT * FROM ") + table));
        }
        all.emplace_back("meta", rowsOf(from, "SELECT * FROM meta WHERE key = 'audit_head'"));
    } catch (const SQLite::Exception &e) {
        base::log::warning("store", std::string("nothing can be recovered from the damaged cache: ") + e.what());
        return false;
    }
    Transaction transaction(cache);
    GPULEDGER_TRY(cache.execute("PRAGMA synchronous=FULL"));
    GPULEDGER_TRY(transaction.beginWrite());
    try {
        for (const auto &[table, rows] : all)
            put(cache.sqlite(), table, rows);
    } catch (const SQLite::Exception &e) {
        // Data that cannot be inserted because they are inconsistent are damaged; a full disk is a failure.
        const base::Error error = cache.lastError("recovering signed-off months");
        if (error.code != ErrorCode::Storage && error.code != ErrorCode::Internal)
            return fail(error);
        base::log::warning("store", std::string("the damaged cache contradicts itself: ") + e.what());
        return false;
    }
    bool holds = true;
    const auto tell = [&](const std::string &where, const std::string &what) {
        base::log::warning("store", "nothing was recovered from the damaged cache: " + where + ": " + what);
        holds = false;
    };
    GPULEDGER_TRY(checkMonths(cache, tell));
    GPULEDGER_TRY(checkActions(cache, tell));
    if (!holds)
        return false;
    GPULEDGER_TRY(transaction.commit());
    GPULEDGER_TRY(carryOthers(m_copy, kPriceTables, "price lists", cache));
    GPULEDGER_TRY(carryOthers(m_copy, kGrowthTables, "growing bills", cache));
    GPULEDGER_TRY(carryOthers(m_copy, kAlertTables, "alerts", cache));
    GPULEDGER_TRY(carryOthers(m_copy, kMemoryTables, "what sources saw", cache));
    GPULEDGER_TRY(cache.execute("PRAGMA synchronous=NORMAL"));
    return true;
}

// For information only, never relied on, so damaged pages are read as well.
std::optional<HeldRecords> Salvage::held()
{
    if (m_copy.empty())
        return std::nullopt;
    HeldRecords held;
    const auto guarded = [&](const auto &read) {
        try {
            read();
        } catch (const SQLite::Exception &) {
            held.complete = false;
        }
    };
    try {
        SQLite::Database from(m_copy.string(), SQLite::OPEN_READONLY);
        from.exec("PRAGMA writable_schema=ON"); // continues even if part of the schema cannot be read
        if (!has(from, "meta"))
            return std::nullopt;
        const auto count = [&](const std::string &table, std::int64_t &to) {
            guarded([&] { to += from.execAndGet("SELECT count(*) FROM " + table).getInt64(); });
        };
        guarded([&] {
            for (auto &row : rowsOf(from, "SELECT month FROM month_close ORDER BY month").rows) {
                if (const auto *month = std::get_if<std::string>(&row[0]);
                    month && held.closedMonths.size() < kMostMonths)
                    held.closedMonths.push_back(base::printable(*month, kLongestMonth));
            }
        });
        count("month_review", held.reviews);
        if (has(from, "team_review"))
            count("team_review", held.reviews);
        count("audit_entry", held.auditEntries);
        count("action", held.actions);
        count("lease", held.leases);
    } catch (const SQLite::Exception &) {
        return std::nullopt;
    }
    return held;
}

} // namespace gpuledger::store
