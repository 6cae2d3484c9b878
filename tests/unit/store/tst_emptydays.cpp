// SPDX-License-Identifier: GPL-3.0-or-later
// A migration of a cache with a flipped byte: in the stored days of savings, which only follow from the facts, it is no
// obstacle; anywhere else it is one, and everything stays as it is.
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/commit/verifyledger.h"
#include "app/store/dayfacts/dayfactstore.h"
#include "app/store/ledgerstore.h"
#include "app/store/sqlite/emptydays.h"
#include "app/store/sqlite/migrations.h"
#include "app/store/sqlite/pagevfs.h"
#include "tests/support/fakes/countingbuilder.h"
#include "tests/support/fleets/storefixture.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <SQLiteCpp/SQLiteCpp.h>

#include <fstream>

namespace tst_emptydays {

using namespace gpuledger;
using namespace gpuledger::tests;
namespace fs = std::filesystem;

namespace {

constexpr int kDays = 3;
constexpr std::size_t kBlob = 40000; // several pages
constexpr const char *kFarEnd = "the end of a stored day"; // twice, so that one of them is on one page

class DaysCache {
public:
    DaysCache()
    {
        CountingBuilder builder;
        const auto store = store::LedgerStore::open(m_folder.path().toStdString()).value();
        const ports::FactBatch batch = fleetBatch(kFirstBucket, kFirstBucket + std::int64_t{2} * base::kBucketsPerDay);
        if (const auto done = ledger::LedgerWriter(*store, builder).commit("prom", batch); !done)
            qFatal("%s", done.error().text.c_str());
        store::DayFactStore::Days days;
        for (std::int32_t i = 0; i < kDays; ++i)
            days.emplace_back(base::Day{20400 + i}, std::string(kBlob, static_cast<char>('a' + i)) + kFarEnd + kFarEnd);
        if (!store->dayFacts().put(days, "rules", store->generation().value()).value_or(false))
            qFatal("the days are not stored");
    }

    fs::path file() const { return fs::path(m_folder.path().toStdString()) / "ledger.db"; }
    std::string folder() const { return m_folder.path().toStdString(); }

    void flip(std::size_t at) const
    {
        std::fstream bytes(file(), std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekg(static_cast<std::streamoff>(at));
        const int old = bytes.get();
        bytes.seekp(static_cast<std::streamoff>(at));
        bytes.put(static_cast<char>(old ^ 0x20));
        QVERIFY(bytes.good());
    }

    std::size_t rootOf(const std::string &table) const
    {
        SQLite::Database database(file().string(), SQLite::OPEN_READONLY, 0, store::pageVfs());
        const auto page = database.execAndGet("SELECT rootpage FROM sqlite_schema WHERE name = '" + table + '\'');
        const auto size = database.execAndGet("PRAGMA page_size");
        return static_cast<std::size_t>((page.getInt64() - 1) * size.getInt64());
    }

    // One step further than the program.
    base::Result<void> migrate(std::vector<std::string> &notes) const
    {
        auto steps = store::builtInSteps();
        steps.push_back("CREATE TABLE extra (id INTEGER PRIMARY KEY) STRICT");
        const auto database = store::Database::open(file(), store::Database::Mode::Writer);
        return database ? store::migrate(**database, steps, notes) : base::fail(database.error());
    }

private:
    QTemporaryDir m_folder;
};

std::string version(int more)
{
    return std::to_string(static_cast<int>(store::builtInSteps().size()) + more);
}

} // namespace

class TestEmptyDays : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void areNoObstacle_data()
    {
        QTest::addColumn<bool>("isRoot");
        QTest::newRow("a page of rows") << true;
        QTest::newRow("a page that a row continues on") << false;
    }
    void areNoObstacle()
    {
        QFETCH(bool, isRoot);
        const DaysCache cache;
        const std::string usage = queryText(cache.file(), "SELECT count(*) || total(length(data)) FROM usage_day");
        const std::size_t far = bytesOf(cache.file()).find(kFarEnd);
        QVERIFY(far != std::string::npos);
        cache.flip(isRoot ? cache.rootOf("day_fact") + 100 : far);
        std::vector<std::string> notes;
        const auto done = cache.migrate(notes);
        QVERIFY2(done, done ? "" : done.error().text.c_str());
        QCOMPARE(notes.size(), std::size_t{3});
        QVERIFY2(notes.front().find("savings") != std::string::npos, notes.front().c_str());
        for (const std::string &file : {cache.file().string(), cache.file().string() + ".bak-v" + version(0)}) {
            QCOMPARE(queryText(file, "PRAGMA integrity_check"), std::string("ok"));
            QCOMPARE(queryText(file, "SELECT count(*) FROM day_fact"), std::string("0"));
            QCOMPARE(queryText(file, "SELECT count(*) || total(length(data)) FROM usage_day"), usage);
        }
        QCOMPARE(queryText(cache.file(), "PRAGMA user_version"), version(1));
    }

    void otherDamageIsOne()
    {
        const DaysCache cache;
        cache.flip(cache.rootOf("usage_day") + 100);
        std::vector<std::string> notes;
        const auto done = cache.migrate(notes);
        QVERIFY(!done);
        QVERIFY2(done.error().code == base::ErrorCode::StorageCorrupt, done.error().text.c_str());
        QVERIFY(done.error().text.find("page ") != std::string::npos);
        QVERIFY(notes.empty());
        QVERIFY(!fs::exists(cache.file().string() + ".bak-v" + version(0)));
        QCOMPARE(queryText(cache.file(), "PRAGMA user_version"), version(0));
        QCOMPARE(queryText(cache.file(), "SELECT count(*) FROM day_fact"), std::to_string(kDays));
    }

    void isNotMigratedIfBothAreDamaged()
    {
        const DaysCache cache;
        cache.flip(cache.rootOf("usage_day") + 100);
        cache.flip(cache.rootOf("day_fact") + 100);
        std::vector<std::string> notes;
        const auto done = cache.migrate(notes);
        QVERIFY(!done && done.error().code == base::ErrorCode::StorageCorrupt);
        QCOMPARE(queryText(cache.file(), "PRAGMA user_version"), version(0));
        QVERIFY(notes.empty());
    }

    // As after a call that had no room on the disk for the new file: the table is new, and its old pages are left.
    void whatALastTryLeftIsNoObstacle()
    {
        const DaysCache cache;
        const std::size_t root = cache.rootOf("day_fact");
        const std::string sql = queryText(cache.file(), "SELECT sql FROM sqlite_schema WHERE name = 'day_fact'");
        {
            const auto database = store::Database::open(cache.file(), store::Database::Mode::Writer).value();
            QVERIFY(database->execute("BEGIN IMMEDIATE; PRAGMA writable_schema=ON;"
                                      "DELETE FROM sqlite_schema WHERE name = 'day_fact';"
                                      "PRAGMA writable_schema=RESET; "
                                      + sql + "; COMMIT"));
        }
        cache.flip(root + 100);
        std::vector<std::string> notes;
        const auto done = cache.migrate(notes);
        QVERIFY2(done, done ? "" : done.error().text.c_str());
        QCOMPARE(queryText(cache.file(), "PRAGMA integrity_check"), std::string("ok"));
        QCOMPARE(queryText(cache.file(), "PRAGMA user_version"), version(1));
    }

    void unusedPagesAreNoObstacle()
    {
        const DaysCache cache;
        const std::size_t far = bytesOf(cache.file()).find(kFarEnd);
        {
            const auto database = store::Database::open(cache.file(), store::Database::Mode::Writer).value();
            QVERIFY(database->execute("DELETE FROM day_fact"));
        }
        cache.flip(far);
        std::vector<std::string> notes;
        const auto done = cache.migrate(notes);
        QVERIFY2(done, done ? "" : done.error().text.c_str());
        QCOMPARE(notes.size(), std::size_t{3});
        QCOMPARE(queryText(cache.file(), "PRAGMA integrity_check"), std::string("ok"));
    }

    // What is not damaged is kept, and the table is as a migration makes it.
    void whatCanBeReadStays()
    {
        const DaysCache cache;
        const auto database = store::Database::open(cache.file(), store::Database::Mode::Writer).value();
        QCOMPARE(store::emptyDamagedDays(*database).value(), true); // there is nothing to leave out
        QCOMPARE(queryText(cache.file(), "SELECT count(*) FROM day_fact"), std::to_string(kDays));
        cache.flip(cache.rootOf("day_fact") + 100);
        const auto again = store::Database::open(cache.file(), store::Database::Mode::Writer).value();
        QCOMPARE(store::emptyDamagedDays(*again).value(), true);
        CountingBuilder builder;
        const auto store = store::LedgerStore::open(cache.folder()).value();
        QVERIFY(ledger::verify(*store, builder).value().empty());
        QVERIFY(store->dayFacts().put({{base::Day{20400}, "data"}}, "rules", store->generation().value()).value());
    }
};

GPULEDGER_SUITE(TestEmptyDays)

} // namespace tst_emptydays

#include "tst_emptydays.moc"
