// SPDX-License-Identifier: GPL-3.0-or-later
// How days on bills grew: a row only where an import changed the day, of GPU time, and not forever.
#include "app/store/bills/billgrowth.h"
#include "app/store/ledgerstore.h"
#include "app/store/sqlite/database.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <limits>
#include <memory>
#include <set>
#include <string>

namespace tst_billgrowth {

using namespace gpuledger;
using base::Day;
using store::BillGrowth;
using store::Database;

namespace {

constexpr std::int32_t kDay = 20'000;

base::UtcTime noonOf(std::int32_t day)
{
    return Day{day}.start() + base::Seconds{12 * 3600};
}

// An empty cache, whose ledger the tests write.
class Cache {
public:
    Cache()
    {
        if (!store::LedgerStore::open(m_folder.path().toStdString()))
            qFatal("no cache");
        m_database = Database::open(file(), Database::Mode::Writer).value();
        if (!m_database->execute("INSERT INTO ledger_key (id, currency, category, origin, match, source, team, state,"
                                 " workload_kind, environment, account, account_name, service, cloud, region, cluster,"
                                 " gpu_model) VALUES"
                                 " (1, 'USD', 0, 0, 0, 'bill', 'a', 'active', '', '', '', '', '', '', '', '', ''),"
                                 " (2, 'USD', 0, 2, 0, '', 'b', 'idle', '', '', '', '', '', '', '', '', ''),"
                                 " (3, 'USD', 2, 0, 0, 'bill', 'a', '', '', '', '', '', '', '', '', '', '')"))
            qFatal("no keys");
    }
    // What the bill has, an estimate beside it, and storage.
    void put(std::int32_t day, std::int64_t billed, std::int64_t estimated, std::int64_t storage)
    {
        const std::string number = std::to_string(day);
        const auto line = [&](int key, std::int64_t effective, std::int64_t priced) {
            const bool done = m_database
                                  ->execute("INSERT OR REPLACE INTO ledger_line (day, key, billed, effective, ticks,"
                                            " unknown_time, priced, unpriced_ticks) VALUES ("
                                            + number + ", " + std::to_string(key) + ", 0, " + std::to_string(effective)
                                            + ", 0, 0, " + std::to_string(priced) + ", 0)")
                                  .has_value();
            if (!done)
                qFatal("no line");
        };
        line(1, billed, 999); // what the price book says of it
        line(2, 0, estimated);
        line(3, storage, 0);
    }
    void keep(const std::set<Day> &days, std::int32_t at)
    {
        if (!store::keepGrowth(*m_database, days, noonOf(at)))
            qFatal("not kept");
    }
    // "day: at=amount at=amount; ".
    std::string grown()
    {
        std::string text;
        const BillGrowth growth = store::readGrowth(*m_database).value();
        for (const store::GrownDay &day : growth.days) {
            text += std::to_string(day.day.number - kDay) + ':';
            for (const auto &known : day.known)
                text += ' ' + std::to_string(known.at.number - kDay) + '=' + std::to_string(known.nanos);
            text += "; ";
        }
        return text;
    }

private:
    std::filesystem::path file() const { return m_folder.filePath(QStringLiteral("ledger.db")).toStdString(); }

    QTemporaryDir m_folder;
    std::unique_ptr<Database> m_database;
};

} // namespace

class tst_billgrowth : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRowForEachImportThatChangedTheDay()
    {
        Cache cache;
        cache.put(kDay, 50, 7, 1000);
        cache.keep({Day{kDay}}, kDay + 1);
        cache.put(kDay, 50, 7, 2000); // storage alone
        cache.keep({Day{kDay}}, kDay + 2);
        cache.put(kDay, 100, 0, 2000);
        cache.keep({Day{kDay}}, kDay + 3);
        cache.put(kDay, 101, 0, 2000); // twice on one day
        cache.keep({Day{kDay}}, kDay + 3);
        QCOMPARE(cache.grown(), std::string("0: 1=57 3=101; "));
    }

    // A fee of the month is on its bill for days to come.
    void daysToComeAreNone()
    {
        Cache cache;
        cache.put(kDay, 1, 0, 0);
        cache.put(kDay + 5, 1, 0, 0);
        cache.keep({Day{kDay}, Day{kDay + 5}}, kDay + 4);
        QCOMPARE(cache.grown(), std::string("0: 4=1; "));
    }

    void aClockThatWasAheadIsPutRight()
    {
        Cache cache;
        cache.put(kDay, 1, 0, 0);
        cache.keep({Day{kDay}}, kDay + 3000);
        cache.put(kDay, 2, 0, 0);
        cache.keep({Day{kDay}}, kDay + 2);
        QCOMPARE(cache.grown(), std::string("0: 2=2; "));
    }

    void oldDaysAreForgotten()
    {
        Cache cache;
        for (const std::int32_t day : {0, 1, store::kGrowthKeptDays + 1}) {
            cache.put(kDay + day, 1, 0, 0);
            cache.keep({Day{kDay + day}}, kDay + day + 1);
        }
        QCOMPARE(cache.grown(), std::string("1: 2=1; 401: 402=1; "));
    }

    // It stops no import.
    void sumsThatDoNotFitAreCut()
    {
        Cache cache;
        constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
        cache.put(kDay, kMost, kMost, 0);
        cache.keep({Day{kDay}}, kDay);
        QCOMPARE(cache.grown(), std::string("0: 0=9000000000000000000; "));
    }
};

GPULEDGER_PLAIN_SUITE(tst_billgrowth)

} // namespace tst_billgrowth

#include "tst_billgrowth.moc"
