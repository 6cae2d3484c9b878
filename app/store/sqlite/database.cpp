// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/sqlite/database.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/store/sqlite/pagevfs.h"

#include <sqlite3.h>
#include <SQLiteCpp/Exception.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace gpuledger::store {

using base::Error;
using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

constexpr std::chrono::seconds kMaxWaitForOther{30};
constexpr std::chrono::milliseconds kMaxPause{50};
// KiB; there are several readers, and the system caches the file too
constexpr int kWriterCache = 16384, kReaderCache = 4096;
constexpr int kMaxIdleLog = 1 << 20; // bytes of the log that stay on disk after a checkpoint
constexpr std::uintmax_t kFullBelow = 65536; // bytes

base::Hint hintFor(ErrorCode code, const std::string &file)
{
    switch (code) {
    case ErrorCode::StorageFull:
        return "free some space on the disk of " + file + ", then sync again; the data stored so far is kept";
    case ErrorCode::StorageReadOnly:
        return "allow writing to " + file + " and its folder, or choose another data folder";
    case ErrorCode::StorageBusy:
        return "another program is writing to " + file + "; wait until it has finished, then try again";
    case ErrorCode::StorageCorrupt:
        return "run \"gpuledger-cli verify\"; if it finds damage in " + file
            + ", close every window and run \"gpuledger-cli verify --repair\"";
    case ErrorCode::Internal:
        return base::Remedy::VerifyAndReport;
    default:
        return "check the disk and the permissions of " + file + ", then try again";
    }
}

ErrorCode codeFor(int code, int systemErrno)
{
    if (code == SQLITE_IOERR_DATA)
        return ErrorCode::StorageCorrupt;
    const bool noSpace = systemErrno == ENOSPC || systemErrno == EDQUOT || systemErrno == EFBIG;
    const bool noRight = systemErrno == EACCES || systemErrno == EPERM || systemErrno == EROFS;
    switch (code & 0xFF) {
    case SQLITE_FULL:
        return ErrorCode::StorageFull;
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return ErrorCode::StorageReadOnly;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return ErrorCode::StorageBusy;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return ErrorCode::StorageCorrupt;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        return noSpace ? ErrorCode::StorageFull : noRight ? ErrorCode::StorageReadOnly : ErrorCode::Storage;
    case SQLITE_CONSTRAINT:
        return ErrorCode::Internal; // a violated schema constraint, not a disk failure
    default:
        return ErrorCode::Storage;
    }
}

// SQLite's messages about its tables and locks mean nothing to users; those only go to the log.
std::string inWords(int code, std::string_view message)
{
    const bool ours = code == SQLITE_CONSTRAINT_TRIGGER; // a sentence from the schema
    if ((code & 0xFF) == SQLITE_CONSTRAINT && !ours) {
        base::log::error("store", message);
        return "the new data contradicts the stored data";
    }
    if ((code & 0xFF) == SQLITE_BUSY)
        return "another program has been writing to it for "
            + std::to_string(std::chrono::seconds(kMaxWaitForOther).count()) + " s";
    return std::string(message);
}

// SQLite does not always report why a write failed.
bool isDiskFull(const std::filesystem::path &file)
{
    std::error_code failed;
    const auto space = std::filesystem::space(file.parent_path(), failed);
    return !failed && space.available < kFullBelow;
}

} // namespace

Database::Database(std::filesystem::path file, std::unique_ptr<SQLite::Database> db)
    : m_file(std::move(file))
    , m_db(std::move(db))
{
}

Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path &file, Mode mode)
{
    std::string name = file.string();
    int flags = mode == Mode::Writer ? SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE : SQLite::OPEN_READONLY;
    flags |= SQLite::OPEN_NOMUTEX; // one thread at a time, so a lock for each value read would be useless
    if (mode == Mode::Immutable) {
        std::string escaped;
        for (const char c : name) {
            if (c == '%' || c == '?' || c == '#')
                escaped += c == '%' ? "%25" : c == '?' ? "%3f" : "%23";
            else
                escaped += c;
        }
        name = "file:" + escaped + "?immutable=1";
        flags |= SQLite::OPEN_URI;
    }
    errno = 0;
    try {
        std::unique_ptr<Database> db(new Database(file, std::make_unique<SQLite::Database>(name, flags, 0, pageVfs())));
        GPULEDGER_TRY(db->configure(mode));
        return db;
    } catch (const SQLite::Exception &e) {
        return fail(error(e.getExtendedErrorCode(), errno, e.what(), "opening the cache", file));
    }
}

Result<void> Database::configure(Mode mode)
{
    setCheckpointOnClose(false); // until the file is known to be readable
    sqlite3_busy_handler(m_db->getHandle(), &Database::waitForOther, this);
    sqlite3_extended_result_codes(m_db->getHandle(), 1);
    GPULEDGER_TRY(execute("PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON;"
                          "PRAGMA temp_store=MEMORY; PRAGMA cache_size="
                          + std::to_string(mode == Mode::Writer ? -kWriterCache : -kReaderCache)));
    if (mode == Mode::Writer)
        GPULEDGER_TRY(execute("PRAGMA page_size=8192"));
    // Reserves room for checksums in a new file, or in one that is rewritten; page_size would undo it.
    int reserved = kPageSumBytes;
    (void)sqlite3_file_control(m_db->getHandle(), "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
    if (mode == Mode::Writer) {
        GPULEDGER_TRY(keepLog());
        GPULEDGER_TRY(execute("PRAGMA synchronous=NORMAL; PRAGMA journal_size_limit=" + std::to_string(kMaxIdleLog)));
    }
    setCheckpointOnClose(true);
    return {};
}

// SQLite changes a new file to a write-ahead log by upgrading a read lock, for which it never calls the busy handler:
// two processes that open the file at the same time would fail at once.
Result<void> Database::keepLog()
{
    const auto giveUp = std::chrono::steady_clock::now() + kMaxWaitForOther;
    for (int attempt = 0;; ++attempt) {
        auto done = execute("PRAGMA journal_mode=WAL");
        if (done || done.error().code != ErrorCode::StorageBusy || std::chrono::steady_clock::now() >= giveUp
            || !waitForOther(this, attempt))
            return done;
    }
}

int Database::waitForOther(void *self, int attempt)
{
    // The pauses are known, so the time waited follows from the count: 1, 2, … 50 ms, then 50 ms each.
    const std::int64_t longest = kMaxPause.count();
    const std::int64_t n = attempt;
    const std::int64_t waited = n <= longest ? n * (n + 1) / 2 : longest * (longest + 1) / 2 + (n - longest) * longest;
    if (std::chrono::milliseconds(waited) >= kMaxWaitForOther)
        return 0;
    if (n > 0 && n % 100 == 0)
        base::log::info("store",
                        "waiting for another program that writes to "
                            + static_cast<Database *>(self)->m_file.filename().string());
    const auto pause = std::min(kMaxPause, std::chrono::milliseconds(n + 1));
    std::this_thread::sleep_for(pause); // allowed: another process holds the lock; there is nothing to wait on
    return 1;
}

Statement Database::statement(std::string_view sql)
{
    auto &free = m_free[sql];
    if (!free.empty()) {
        auto statement = std::move(free.back());
        free.pop_back();
        return Statement(*this, sql, std::move(statement));
    }
    sqlite3_stmt *prepared = nullptr;
    const int code = sqlite3_prepare_v3(m_db->getHandle(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &prepared, nullptr);
    Statement statement(*this, sql, Statement::Prepared(prepared));
    if (code != SQLITE_OK)
        statement.m_error = lastError("preparing a statement");
    return statement;
}

Result<void> Database::execute(const std::string &sql)
{
    if (m_db->tryExec(sql) != SQLITE_OK)
        return fail(lastError("working on the cache"));
    return {};
}

Result<std::optional<std::int64_t>> Database::scalar(std::string_view sql)
{
    Statement s = statement(sql);
    const Result<bool> row = s.step();
    if (!row)
        return fail(row.error());
    return *row ? s.optionalInteger(0) : std::nullopt;
}

Result<void> Database::beginRead()
{
    GPULEDGER_TRY(execute("BEGIN"));
    const auto pinned = scalar("SELECT value FROM meta WHERE key = 'generation'");
    if (pinned)
        return {};
    if (inTransaction())
        (void)execute("ROLLBACK");
    return fail(pinned.error());
}

bool Database::inTransaction() const
{
    return sqlite3_get_autocommit(m_db->getHandle()) == 0;
}

std::int64_t Database::lastInsertId() const
{
    return m_db->getLastInsertRowid();
}

std::int64_t Database::totalChanges() const
{
    return sqlite3_total_changes64(m_db->getHandle());
}

bool Database::emptyLog()
{
    sqlite3 *handle = m_db->getHandle();
    sqlite3_busy_handler(handle, nullptr, nullptr);
    const int code = sqlite3_wal_checkpoint_v2(handle, nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
    sqlite3_busy_handler(handle, &Database::waitForOther, this);
    return code == SQLITE_OK;
}

void Database::setCheckpointOnClose(bool on)
{
    sqlite3_db_config(m_db->getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on ? 0 : 1, nullptr);
}

Error Database::lastError(std::string_view doing) const
{
    sqlite3 *handle = m_db->getHandle();
    const int code = sqlite3_extended_errcode(handle);
    std::string message = sqlite3_errmsg(handle);
    if (const auto page = damagedPage(handle); page && code == SQLITE_IOERR_DATA)
        message = "page " + std::to_string(*page) + " is damaged: it does not match its checksum";
    return error(code, sqlite3_system_errno(handle), message, doing, m_file);
}

Error Database::error(int code, int systemErrno, std::string_view message, std::string_view doing,
                      const std::filesystem::path &file)
{
    ErrorCode ours = codeFor(code, systemErrno);
    if (ours == ErrorCode::Storage && (code & 0xFF) == SQLITE_IOERR && isDiskFull(file))
        ours = ErrorCode::StorageFull;
    std::string text = file.filename().string() + ": " + std::string(doing) + " failed: " + inWords(code, message)
        + " (SQLite " + std::to_string(code) + (systemErrno ? ", errno " + std::to_string(systemErrno) : "") + ")";
    return Error::make(ours, std::move(text), hintFor(ours, file.string())).withSource(file.string());
}

Transaction::~Transaction()
{
    if (m_database.inTransaction() && !m_database.execute("ROLLBACK"))
        base::log::warning("store", "could not roll back: " + m_database.lastError("rolling back").text);
}

Result<void> Transaction::beginWrite()
{
    return m_database.execute("BEGIN IMMEDIATE");
}

Result<void> Transaction::commit()
{
    return m_database.execute("COMMIT");
}

} // namespace gpuledger::store
