// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/commit/verifyledger.h"
#include "app/store/damage/setaside.h"
#include "app/store/ledgerstore.h"
#include "app/store/sqlite/cachefile.h"
#include "app/store/sqlite/migrations.h"
#include "app/store/sqlite/pagevfs.h"
#include "tests/support/fakes/countingbuilder.h"
#include "tests/support/fleets/storefixture.h"
#include "tests/support/suite.h"

#include <QCryptographicHash>
#include <QTemporaryDir>
#include <QTest>

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <csignal>
#include <fstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tst_storefile {

using namespace gpuledger;
using namespace gpuledger::tests;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kDay = base::kBucketsPerDay;
constexpr std::size_t kPageSize = 8192, kReserveAt = 20; // in the header

fs::path folderOf(const QTemporaryDir &dir)
{
    return fs::path(dir.path().toStdString()) / "data";
}

std::vector<std::string> namesIn(const fs::path &folder)
{
    std::vector<std::string> names;
    for (const auto &entry : fs::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

int rightsOf(const fs::path &path)
{
    return static_cast<int>(fs::status(path).permissions() & fs::perms::mask);
}

// A cache with two days in it, closed.
void fill(const fs::path &folder)
{
    CountingBuilder builder;
    auto store = store::LedgerStore::open(folder);
    QVERIFY2(store.has_value(), store ? "" : store.error().text.c_str());
    const auto done =
        ledger::LedgerWriter(**store, builder).commit("prom", fleetBatch(kFirstBucket, kFirstBucket + 2 * kDay));
    QVERIFY2(done.has_value(), done ? "" : done.error().text.c_str());
}

// Like kill -9: nothing is cleaned up.
void dieHere()
{
    ::kill(::getpid(), SIGKILL);
}

// Runs the work in a child process, which ends with dieHere() while its store is open.
template <typename Work> int inKilledChild(Work work)
{
    const pid_t child = ::fork();
    if (child == 0) {
        work();
        ::_exit(1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

// Whether another process sees the lock that SQLite holds on a file while a connection is in use.
bool isLockedForOthers(const fs::path &file)
{
    const pid_t child = ::fork(); // locks are not inherited
    if (child == 0) {
        struct flock lock { };
        lock.l_type = F_WRLCK;
        lock.l_whence = SEEK_SET;
        lock.l_start = 0x40000002; // SQLite's shared range
        lock.l_len = 510;
        const int fd = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
        ::_exit(fd >= 0 && ::fcntl(fd, F_GETLK, &lock) == 0 ? (lock.l_type == F_RDLCK ? 7 : 8) : 9);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 7;
}

void flipBytes(const fs::path &file, std::size_t from, std::size_t count)
{
    std::string bytes = bytesOf(file);
    for (std::size_t i = from; i < from + count && i < bytes.size(); ++i)
        bytes[i] = static_cast<char>(~bytes[i]);
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

} // namespace

class TestStoreFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void createsPrivateFiles()
    {
        QTemporaryDir dir;
        const fs::path folder = folderOf(dir) / "deep";
        ::umask(0);
        CountingBuilder builder;
        const auto store = store::LedgerStore::open(folder);
        QVERIFY(store.has_value());
        QVERIFY(ledger::LedgerWriter(**store, builder)
                    .commit("prom", fleetBatch(kFirstBucket, kFirstBucket + 10))
                    .has_value());
        ::umask(022);
        QCOMPARE(rightsOf(folder), 0700);
        QVERIFY(fs::exists(folder / "ledger.db-wal"));
        for (const std::string &name : namesIn(folder))
            QVERIFY2(rightsOf(folder / name) == 0600, name.c_str());
    }

    void writesWalStrictTablesAndItsOwnNumber()
    {
        QTemporaryDir dir;
        fill(folderOf(dir));
        const fs::path file = folderOf(dir) / "ledger.db";
        QCOMPARE(queryText(file, "PRAGMA journal_mode"), std::string("wal"));
        QCOMPARE(queryText(file, "PRAGMA application_id"), std::to_string(store::kApplicationId));
        QCOMPARE(queryText(file, "PRAGMA user_version"), std::to_string(store::builtInSteps().size()));
        QCOMPARE(queryText(file,
                           "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
                           " AND name NOT LIKE 'sqlite_%' AND strict = 0"),
                 std::string("0"));
    }

    void refusesANewerFileWithoutTouchingIt()
    {
        QTemporaryDir dir;
        fill(folderOf(dir));
        const fs::path file = folderOf(dir) / "ledger.db";
        executeOn(file, "PRAGMA user_version = 9999");
        fs::remove(folderOf(dir) / "ledger.lock");
        const auto before =
            QCryptographicHash::hash(QByteArray::fromStdString(bytesOf(file)), QCryptographicHash::Sha256);
        const auto names = namesIn(folderOf(dir));
        for (const bool readOnly : {false, true}) {
            const auto store = store::LedgerStore::open(folderOf(dir), {readOnly});
            QVERIFY(!store);
            QVERIFY(store.error().code == base::ErrorCode::StorageNewer);
            QVERIFY(store.error().text.find("9999") != std::string::npos);
            QVERIFY(!store.error().hint.empty());
            QVERIFY(before
                    == QCryptographicHash::hash(QByteArray::fromStdString(bytesOf(file)), QCryptographicHash::Sha256));
            QVERIFY(namesIn(folderOf(dir)) == names);
        }
    }

    void refusesANewerFileWhoseVersionIsOnlyInTheLog()
    {
        QTemporaryDir dir;
        fill(folderOf(dir));
        const fs::path file = folderOf(dir) / "ledger.db";
        inKilledChild([&] { executeOnAndStay(file, "PRAGMA user_version = 9999"); });
        QVERIFY(fs::exists(folderOf(dir) / "ledger.db-wal"));
        const std::string before = bytesOf(file), log = bytesOf(folderOf(dir) / "ledger.db-wal");
        const auto store = store::LedgerStore::open(folderOf(dir));
        QVERIFY(!store);
        QVERIFY(store.error().code == base::ErrorCode::StorageNewer);
        QVERIFY(bytesOf(file) == before);
        QVERIFY(bytesOf(folderOf(dir) / "ledger.db-wal") == log);
    }

    void refusesTheFileOfAnotherProgram()
    {
        QTemporaryDir dir;
        fs::create_directories(folderOf(dir));
        const fs::path file = folderOf(dir) / "ledger.db";
        executeOn(file, "CREATE TABLE photo (id INTEGER); PRAGMA application_id = 77; PRAGMA user_version = 1");
        const std::string before = bytesOf(file);
        const auto store = store::LedgerStore::open(folderOf(dir));
        QVERIFY(!store);
        QVERIFY(store.error().code == base::ErrorCode::Storage);
        QVERIFY(bytesOf(file) == before);
    }

    void setsAsideWhatIsNoDatabase()
    {
        QTemporaryDir dir;
        fs::create_directories(folderOf(dir));
        const fs::path file = folderOf(dir) / "ledger.db";
        std::ofstream(file) << "this was a cache once";
        expectHealed(folderOf(dir), "this was a cache once");
        expectHealed(folderOf(dir), {}); // and the new one is intact
    }

    void beginsAnewOnAnEmptyFile()
    {
        QTemporaryDir dir;
        fs::create_directories(folderOf(dir));
        std::ofstream(folderOf(dir) / "ledger.db").close();
        expectHealed(folderOf(dir), {});
    }

    void setsAsideAFileThatIsCutShort()
    {
        QTemporaryDir dir;
        fill(folderOf(dir));
        const fs::path file = folderOf(dir) / "ledger.db";
        fs::resize_file(file, fs::file_size(file) / 2);
        expectHealed(folderOf(dir), bytesOf(file));
    }

    void setsAsideAFileDamagedInAnUncleanEnd()
    {
        QTemporaryDir dir;
        fill(folderOf(dir));
        const fs::path file = folderOf(dir) / "ledger.db";
        CountingBuilder builder;
        inKilledChild([&] {
            auto store = store::LedgerStore::open(folderOf(dir));
            (void)ledger::LedgerWriter(**store, builder)
                .commit("prom", fleetBatch(kFirstBucket, kFirstBucket + 2 * kDay + 5));
            dieHere();
        });
        QVERIFY(fs::file_size(folderOf(dir) / "ledger.db-wal") > 0);
        flipBytes(file, 4096 * 4, fs::file_size(file) - 4096 * 4);
        const std::string damaged = bytesOf(file);
        expectHealed(folderOf(dir), damaged);
    }

    // What nobody can tell a source again is carried over; the rest is asked for again.
    void keepsWhatSourcesSaw()
    {
        QTemporaryDir dir;
        const fs::path file = folderOf(dir) / "ledger.db";
        fill(folderOf(dir));
        const std::string seen("seen\0\xff", 6);
        {
            auto store = store::LedgerStore::open(folderOf(dir)).value();
            QVERIFY(store->putMemory("cloud\nlasting seen 2026-11", seen).has_value());
            QVERIFY(store->putMemory("cloud\nasked 2026-11", "asked").has_value());
            QVERIFY(store->putMemory("lasting cloud", "the text of a source of that name").has_value());
        }
        std::int64_t page = 0;
        {
            auto db = store::Database::open(file, store::Database::Mode::Writer).value();
            page = db->scalar("SELECT max(pageno) FROM dbstat WHERE name = 'usage_day'").value().value();
        }
        constexpr std::size_t kPage = 8192, kMany = 4000;
        flipBytes(file, static_cast<std::size_t>(page) * kPage - kMany - 8, kMany);
        const auto repaired = store::repairCache(file);
        QVERIFY2(repaired, repaired ? "" : repaired.error().text.c_str());
        auto store = store::LedgerStore::open(folderOf(dir)).value();
        QVERIFY((*store->facts())->devices()->empty());
        QCOMPARE(store->memoryOf("cloud\nlasting seen 2026-11").value(), seen);
        QVERIFY(store->memoryOf("cloud\nasked 2026-11")->empty());
        QVERIFY(store->memoryOf("lasting cloud")->empty());
    }

    void keepsWhatWasCommittedBeforeAnUncleanEnd()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto batch = fleetBatch(kFirstBucket, kFirstBucket + kDay);
        const int status = inKilledChild([&] {
            auto store = store::LedgerStore::open(folderOf(dir));
            if (ledger::LedgerWriter(**store, builder).commit("prom", batch))
                dieHere();
        });
        QVERIFY(WIFSIGNALED(status));
        const auto store = store::LedgerStore::open(folderOf(dir));
        QVERIFY2(store.has_value(), store ? "" : store.error().text.c_str());
        QCOMPARE((*store)->notes().size(), std::size_t{1}); // it was checked
        QVERIFY(ledger::verify(**store, builder)->empty());
        QCOMPARE((*(*store)->facts())->devices()->size(), std::size_t{3});
    }

    void givesBackItsLogsRoomAtTheEndOfASync()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = store::LedgerStore::open(folderOf(dir)).value();
        const fs::path log = folderOf(dir) / "ledger.db-wal";
        store::SyncState ended;
        ended.source = "prom";
        QVERIFY(ledger::LedgerWriter(*store, builder)
                    .commit("prom", fleetBatch(kFirstBucket, kFirstBucket + kDay))
                    .has_value());
        QVERIFY(fs::file_size(log) > 0);
        QVERIFY(store->saveSyncState(ended).has_value());
        QCOMPARE(fs::file_size(log), std::uintmax_t{0});
        // A reader keeps the log, and the writer does not wait for it.
        auto reader = store->facts();
        QVERIFY(ledger::LedgerWriter(*store, builder)
                    .commit("prom", fleetBatch(kFirstBucket, kFirstBucket + 2 * kDay))
                    .has_value());
        QVERIFY(store->saveSyncState(ended).has_value());
        QVERIFY(fs::file_size(log) > 0);
        QCOMPARE((*reader)->coveredRange()->end, bucketRange(kFirstBucket, kFirstBucket + kDay).end);
        reader->reset();
        QVERIFY(store->saveSyncState(ended).has_value());
        QCOMPARE(fs::file_size(log), std::uintmax_t{0});
        QVERIFY(ledger::verify(*store, builder)->empty());
    }

    void beginsAgainAfterDyingInItsFirstMoment()
    {
        QTemporaryDir dir;
        QVERIFY(store::createPrivateFolder(folderOf(dir)).has_value());
        QVERIFY(store::createPrivateFile(folderOf(dir) / "ledger.db").has_value());
        inKilledChild([&] { executeOnAndStay(folderOf(dir) / "ledger.db", "PRAGMA user_version = 0"); });
        QVERIFY(fs::file_size(folderOf(dir) / "ledger.db-wal") > 0);
        CountingBuilder builder;
        const auto store = store::LedgerStore::open(folderOf(dir));
        QVERIFY2(store.has_value(), store ? "" : store.error().text.c_str());
        QVERIFY(ledger::LedgerWriter(**store, builder)
                    .commit("prom", fleetBatch(kFirstBucket, kFirstBucket + 10))
                    .has_value());
    }

    void doesNotTakeALiveUserForAnUncleanEnd()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto first = store::LedgerStore::open(folderOf(dir));
        QVERIFY(ledger::LedgerWriter(**first, builder)
                    .commit("prom", fleetBatch(kFirstBucket, kFirstBucket + kDay))
                    .has_value());
        const auto second = store::LedgerStore::open(folderOf(dir));
        QVERIFY(second.has_value());
        QCOMPARE((*second)->notes().size(), std::size_t{0});
    }

    // Without its lock, another program's last connection would delete the log that this one still writes to.
    void keepsItsLocksWhileTheFileIsOpenedAgain()
    {
        QTemporaryDir dir;
        fill(folderOf(dir));
        const fs::path file = folderOf(dir) / "ledger.db";
        QVERIFY(!isLockedForOthers(file));
        const auto first = store::LedgerStore::open(folderOf(dir)).value();
        const auto session = first->facts();
        QVERIFY(session.has_value());
        QVERIFY(isLockedForOthers(file));
        QCOMPARE(store::lookAt(file)->kind, store::FileLook::Kind::Ours);
        QVERIFY(isLockedForOthers(file));
        QVERIFY(store::createPrivateFile(file).has_value());
        QVERIFY(isLockedForOthers(file));
        for (const bool readOnly : {false, true}) {
            QVERIFY(store::LedgerStore::open(folderOf(dir), {readOnly}).has_value());
            QVERIFY(isLockedForOthers(file));
        }
    }

    void looksThroughASymbolicLink()
    {
        QTemporaryDir dir;
        fill(folderOf(dir));
        const fs::path link = fs::path(dir.path().toStdString()) / "link.db";
        fs::create_symlink(folderOf(dir) / "ledger.db", link);
        QCOMPARE(store::lookAt(link)->kind, store::FileLook::Kind::Ours);
        fs::remove(folderOf(dir) / "ledger.db");
        QCOMPARE(store::lookAt(link)->kind, store::FileLook::Kind::Missing);
    }

    void backsUpBeforeEachMigration()
    {
        QTemporaryDir dir;
        fill(folderOf(dir));
        const fs::path file = folderOf(dir) / "ledger.db";
        auto steps = store::builtInSteps();
        const auto version = static_cast<std::int64_t>(steps.size());
        steps.push_back("CREATE TABLE extra (id INTEGER PRIMARY KEY) STRICT");
        steps.push_back("DROP TABLE rollup; CREATE TABLE rollup (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT");
        std::vector<std::string> notes;
        {
            auto db = store::Database::open(file, store::Database::Mode::Writer);
            const auto done = store::migrate(**db, steps, notes);
            QVERIFY2(done.has_value(), done ? "" : done.error().text.c_str());
        }
        QCOMPARE(notes.size(), std::size_t{3});
        QCOMPARE(queryText(file, "PRAGMA user_version"), std::to_string(version + 2));
        QCOMPARE(queryText(file, "SELECT count(*) FROM rollup"), std::string("0"));
        const fs::path backup = file.string() + ".bak-v" + std::to_string(version);
        QCOMPARE(queryText(backup, "PRAGMA user_version"), std::to_string(version));
        QVERIFY(queryText(backup, "SELECT count(*) FROM rollup") != "0");
        QCOMPARE(rightsOf(backup), 0600);
        QCOMPARE(queryText(file.string() + ".bak-v" + std::to_string(version + 1), "PRAGMA user_version"),
                 std::to_string(version + 1));
    }

    void givesChecksumsToAFileOfBefore()
    {
        QTemporaryDir dir;
        fs::create_directories(folderOf(dir));
        const fs::path file = folderOf(dir) / "ledger.db";
        {
            SQLite::Database old(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
            old.exec("PRAGMA page_size=8192; PRAGMA journal_mode=WAL");
            const auto steps = store::builtInSteps();
            for (std::int64_t version = 1; version < store::kChecksumsSince; ++version)
                old.exec(std::string(steps[static_cast<std::size_t>(version - 1)]));
            old.exec("PRAGMA application_id = " + std::to_string(store::kApplicationId) + "; PRAGMA user_version = "
                     + std::to_string(store::kChecksumsSince - 1) + "; INSERT INTO source (name) VALUES ('of before')");
        }
        QCOMPARE(int{bytesOf(file)[kReserveAt]}, 0);
        {
            CountingBuilder builder;
            const auto store = store::LedgerStore::open(folderOf(dir));
            QVERIFY2(store.has_value(), store ? "" : store.error().text.c_str());
            QVERIFY(ledger::LedgerWriter(**store, builder)
                        .commit("prom", fleetBatch(kFirstBucket, kFirstBucket + 2 * kDay))
                        .has_value());
            QVERIFY(ledger::verify(**store, builder)->empty());
        }
        expectChecksums(file);
        QCOMPARE(queryText(file, "SELECT name FROM source WHERE id = 1"), std::string("of before"));
        const std::string backup = bytesOf(file.string() + ".bak-v" + std::to_string(store::kChecksumsSince - 1));
        QCOMPARE(int{backup.at(kReserveAt)}, 0); // readable for the version that made it
    }

    void everyPageHasAChecksum()
    {
        QTemporaryDir dir;
        fill(folderOf(dir));
        const fs::path file = folderOf(dir) / "ledger.db";
        expectChecksums(file);
        // A file that is written in one go, with the first page last.
        executeOn(file, "VACUUM INTO '" + file.string() + ".copy'");
        expectChecksums(file.string() + ".copy");
    }

    void noticesAChangedSchema()
    {
        for (const char *sql : {"DROP VIEW holder_view", "DROP TRIGGER audit_entry_stays", "DROP INDEX text_hash",
                                "CREATE VIEW more AS SELECT 1", "PRAGMA application_id = 5",
                                "DROP VIEW subject_view; CREATE VIEW subject_view AS SELECT 1 AS id",
                                "CREATE TRIGGER more AFTER INSERT ON text BEGIN DELETE FROM bill_line; END"}) {
            QTemporaryDir dir;
            fill(folderOf(dir));
            CountingBuilder builder;
            const auto store = store::LedgerStore::open(folderOf(dir)).value();
            QVERIFY(ledger::verify(*store, builder)->empty());
            executeOn(folderOf(dir) / "ledger.db", sql);
            const auto problems = ledger::verify(*store, builder);
            QVERIFY2(problems && !problems->empty(), sql);
            QCOMPARE(problems->front().where, std::string("sqlite_schema"));
        }
    }

    void staysAtTheOldVersionWhenAStepFails()
    {
        QTemporaryDir dir;
        fill(folderOf(dir));
        const fs::path file = folderOf(dir) / "ledger.db";
        auto steps = store::builtInSteps();
        const auto version = steps.size();
        steps.push_back("CREATE TABLE half (id INTEGER PRIMARY KEY) STRICT; SELECT no_such_function()");
        std::vector<std::string> notes;
        {
            auto db = store::Database::open(file, store::Database::Mode::Writer);
            QVERIFY(!store::migrate(**db, steps, notes));
        }
        QCOMPARE(queryText(file, "PRAGMA user_version"), std::to_string(version));
        QCOMPARE(queryText(file, "SELECT count(*) FROM sqlite_schema WHERE name = 'half'"), std::string("0"));
    }

    void readsWithoutTheRightToWrite()
    {
        if (::geteuid() != 0)
            QSKIP("only root can change the owner of the folder");
        QTemporaryDir dir;
        fs::permissions(dir.path().toStdString(), fs::perms::all);
        fill(folderOf(dir));
        fs::permissions(folderOf(dir), static_cast<fs::perms>(0555));
        fs::permissions(folderOf(dir) / "ledger.db", static_cast<fs::perms>(0444));
        // As another user, because root may write anywhere.
        const pid_t child = ::fork();
        if (child == 0) {
            if (::setgid(65534) != 0 || ::setuid(65534) != 0)
                ::_exit(10);
            const auto writing = store::LedgerStore::open(folderOf(dir));
            if (writing || writing.error().code != base::ErrorCode::StorageReadOnly || writing.error().hint.empty()
                || writing.error().text.find("ledger.db") == std::string::npos)
                ::_exit(11);
            const auto reading = store::LedgerStore::open(folderOf(dir), {true});
            if (!reading)
                ::_exit(12);
            const auto facts = (*reading)->facts();
            if (!facts || (*facts)->devices()->size() != 3)
                ::_exit(13);
            CountingBuilder builder;
            const auto commit =
                ledger::LedgerWriter(**reading, builder).commit("prom", fleetBatch(kFirstBucket, kFirstBucket + 1));
            ::_exit(!commit && commit.error().code == base::ErrorCode::StorageReadOnly ? 0 : 14);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0);
    }

    void saysThatThereIsNothingToRead()
    {
        QTemporaryDir dir;
        const auto store = store::LedgerStore::open(folderOf(dir), {true});
        QVERIFY(!store);
        QVERIFY(store.error().code == base::ErrorCode::NotFound);
        QVERIFY(!fs::exists(folderOf(dir)));
    }

    void noticesThatTheFileWasReplaced()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = store::LedgerStore::open(folderOf(dir));
        fs::rename(folderOf(dir) / "ledger.db", folderOf(dir) / "elsewhere.db");
        const auto done =
            ledger::LedgerWriter(**store, builder).commit("prom", fleetBatch(kFirstBucket, kFirstBucket + 1));
        QVERIFY(!done);
        QVERIFY(done.error().code == base::ErrorCode::Storage);
        QVERIFY(!fs::exists(folderOf(dir) / "ledger.db"));
    }

private:
    static void expectChecksums(const fs::path &file)
    {
        const std::string bytes = bytesOf(file);
        QVERIFY(bytes.size() > kPageSize && bytes.size() % kPageSize == 0);
        QCOMPARE(int{bytes[kReserveAt]}, store::kPageSumBytes);
        for (std::size_t page = 0; page < bytes.size() / kPageSize; ++page) {
            const std::string_view one = std::string_view(bytes).substr(page * kPageSize, kPageSize);
            const bool isNeverWritten = one.find_first_not_of('\0') == std::string_view::npos;
            QVERIFY(isNeverWritten || store::pageHolds(one, page + 1));
        }
    }

    static void executeOnAndStay(const fs::path &file, const std::string &sql)
    {
        auto db = store::Database::open(file, store::Database::Mode::Writer);
        if (db && (*db)->execute(sql))
            dieHere(); // with the connection open, so that the log is not checkpointed
    }

    // The folder opens with an empty or intact cache; the damaged file is kept next to it with its old content.
    static void expectHealed(const fs::path &folder, const std::string &damaged)
    {
        CountingBuilder builder;
        const auto store = store::LedgerStore::open(folder);
        QVERIFY2(store.has_value(), store ? "" : store.error().text.c_str());
        QCOMPARE((*store)->notes().size(), std::size_t{damaged.empty() ? 0U : 1U});
        QVERIFY(ledger::LedgerWriter(**store, builder)
                    .commit("prom", fleetBatch(kFirstBucket, kFirstBucket + kDay))
                    .has_value());
        QVERIFY(ledger::verify(**store, builder)->empty());
        if (damaged.empty())
            return;
        int kept = 0;
        for (const std::string &name : namesIn(folder))
            kept += name.starts_with("ledger.db.damaged-") && bytesOf(folder / name) == damaged;
        QCOMPARE(kept, 1);
    }
};

GPULEDGER_SUITE(TestStoreFile)

} // namespace tst_storefile

#include "tst_storefile.moc"
