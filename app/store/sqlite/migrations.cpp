// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/sqlite/migrations.h"

#include "app/base/remedy.h"
#include "app/store/sqlite/cachefile.h"
#include "app/store/sqlite/emptydays.h"
#include "app/store/sqlite/pagevfs.h"
#include "resources/resources.h"

#include <sqlite3.h>
#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/Exception.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gpuledger::store {

using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

// Lets one process at a time migrate a cache: the others would take a version between two steps for one to back up, and
// write the same copy. Released when the object is destroyed or the process ends.
class MigrationLock {
public:
    explicit MigrationLock(const std::filesystem::path &cache)
        : m_file(cache.string() + ".migration")
    {
    }
    // The file goes while its lock is held, so that whoever waits for it finds it unlinked and takes the next one.
    ~MigrationLock()
    {
        if (m_fd < 0)
            return;
        ::unlink(m_file.c_str());
        ::close(m_fd);
    }
    MigrationLock(const MigrationLock &) = delete;
    MigrationLock &operator=(const MigrationLock &) = delete;

    // Waits for as long as others may take to rewrite a large cache. Fails with StorageBusy, or another Storage… code
    // if the folder can't be written.
    Result<void> take()
    {
        using namespace std::chrono_literals;
        for (auto waited = 0ms; waited < 10min; waited += kPause) {
            GPULEDGER_TRY(createPrivateFile(m_file));
            m_fd = ::open(m_file.c_str(), O_RDWR | O_CLOEXEC);
            struct stat info { };
            if (m_fd >= 0 && ::flock(m_fd, LOCK_EX | LOCK_NB) == 0 && ::fstat(m_fd, &info) == 0 && info.st_nlink > 0)
                return {};
            if (m_fd >= 0)
                ::close(m_fd);
            m_fd = -1;
            std::this_thread::sleep_for(kPause);
        }
        return fail(ErrorCode::StorageBusy,
                    m_file.string() + ": another process has been updating the cache for 10 minutes");
    }

private:
    static constexpr std::chrono::milliseconds kPause{20};
    std::filesystem::path m_file;
    int m_fd = -1;
};

// Pages of an older version have no checksums, and the copy must not get any: that version cannot maintain them.
Result<void> copyTo(Database &database, const std::filesystem::path &to)
{
    (void)database.emptyLog(); // it may hold everything, including the header
    const char *vfs = hasChecksums(database.sqlite().getHandle()) ? pageVfs() : "";
    std::error_code ignored;
    std::filesystem::remove(to, ignored);
    GPULEDGER_TRY(createPrivateFile(to));
    (void)damagedPage(database.sqlite().getHandle());
    errno = 0;
    try {
        SQLite::Database copy(to.string(), SQLite::OPEN_READWRITE, 0, vfs);
        SQLite::Backup backup(copy, database.sqlite());
        backup.executeStep(-1);
    } catch (const SQLite::Exception &e) {
        const int number = errno;
        if (const auto page = damagedPage(database.sqlite().getHandle())) // the copy says only that a read failed
            return fail(Database::error(SQLITE_IOERR_DATA, 0,
                                        "page " + std::to_string(*page) + " is damaged: it does not match its checksum",
                                        "creating a backup", database.file()));
        return fail(Database::error(e.getExtendedErrorCode(), number, e.what(), "creating a backup", to));
    }
    return {};
}

// What is damaged and only derived is no reason to stay at the old version.
Result<void> copyWithoutDamagedDays(Database &database, const std::filesystem::path &to,
                                    std::vector<std::string> &notes)
{
    auto copied = copyTo(database, to);
    if (copied || copied.error().code != ErrorCode::StorageCorrupt)
        return copied;
    const auto emptied = emptyDamagedDays(database);
    GPULEDGER_TRY(emptied);
    if (!*emptied)
        return copied;
    notes.emplace_back(
        "Damaged pages that were unused, or held only stored days of savings, were left out of the cache;"
        " the days are computed again.");
    return copyTo(database, to);
}

// Writes under another name until the backup is complete.
Result<void> backUp(Database &database, std::int64_t version, std::vector<std::string> &notes)
{
    const std::filesystem::path to = database.file().string() + ".bak-v" + std::to_string(version);
    const std::filesystem::path part = to.string() + ".part";
    std::error_code error;
    if (const auto copied = copyWithoutDamagedDays(database, part, notes); !copied) {
        std::filesystem::remove(part, error);
        return copied;
    }
    std::filesystem::rename(part, to, error);
    if (error)
        return fail(ErrorCode::Storage, to.string() + ": the backup could not be put in place: " + error.message());
    notes.push_back("Kept a copy of the cache of version " + std::to_string(version) + " as " + to.filename().string()
                    + ".");
    return {};
}

Result<std::int64_t> versionOf(Database &database)
{
    const auto version = database.scalar("PRAGMA user_version");
    if (!version)
        return fail(version.error());
    return version->value_or(0);
}

// Does nothing if the pages already have checksums: in a new file, or if the last run died right after this. Programs
// that have the file open can still read its pages.
Result<void> giveChecksums(Database &database)
{
    (void)database.emptyLog(); // it may hold everything, including the header
    if (hasChecksums(database.sqlite().getHandle()))
        return {};
    GPULEDGER_TRY(database.execute("PRAGMA temp_store=FILE")); // it may be larger than memory
    GPULEDGER_TRY(database.execute("VACUUM"));
    GPULEDGER_TRY(database.execute("PRAGMA temp_store=MEMORY"));
    (void)database.emptyLog();
    return {};
}

// A program from before MigrationLock may have run the step while this one waited to write.
Result<void> takeStep(Database &database, std::int64_t from, std::string_view sql)
{
    Transaction transaction(database);
    GPULEDGER_TRY(transaction.beginWrite());
    const auto now = versionOf(database);
    if (!now)
        return fail(now.error());
    if (*now != from)
        return {};
    GPULEDGER_TRY(database.execute(std::string(sql)));
    GPULEDGER_TRY(database.execute("PRAGMA application_id=" + std::to_string(kApplicationId)
                                   + "; PRAGMA user_version=" + std::to_string(from + 1)));
    return transaction.commit();
}

} // namespace

MigrationSteps builtInSteps()
{
    MigrationSteps steps;
    while (true) {
        std::string number = std::to_string(steps.size() + 1);
        number.insert(0, 4 - std::min<std::size_t>(4, number.size()), '0');
        const auto sql = resources::find("schema/" + number + ".sql");
        if (!sql)
            return steps;
        steps.push_back(*sql);
    }
}

base::Error newerError(const std::filesystem::path &file, std::int64_t version, std::int64_t known)
{
    return base::Error::make(ErrorCode::StorageNewer,
                             file.filename().string() + " has schema version " + std::to_string(version)
                                 + "; this program supports versions up to " + std::to_string(known)
                                 + "; the file was not changed",
                             base::Remedy::InstallNewerOrChooseFolder)
        .withSource(file.string());
}

Result<void> migrate(Database &database, const MigrationSteps &steps, std::vector<std::string> &notes)
{
    const auto last = static_cast<std::int64_t>(steps.size());
    auto first = versionOf(database);
    MigrationLock lock(database.file());
    if (first && *first < last) {
        GPULEDGER_TRY(lock.take());
        first = versionOf(database); // another process may have finished while this one waited
    }
    if (!first)
        return fail(first.error());
    if (*first > last)
        return fail(newerError(database.file(), *first, last));
    if (*first == last)
        return {};
    GPULEDGER_TRY(database.execute("PRAGMA synchronous=FULL"));
    for (std::int64_t version = *first; version < last; ++version) {
        if (*first > 0) // otherwise it is still empty
            GPULEDGER_TRY(backUp(database, version, notes));
        if (version + 1 == kChecksumsSince)
            GPULEDGER_TRY(giveChecksums(database));
        GPULEDGER_TRY(takeStep(database, version, steps[static_cast<std::size_t>(version)]));
    }
    if (*first > 0)
        notes.push_back("Brought the cache from version " + std::to_string(*first) + " to " + std::to_string(last)
                        + ".");
    return database.execute("PRAGMA synchronous=NORMAL");
}

} // namespace gpuledger::store
