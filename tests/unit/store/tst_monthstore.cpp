// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/months/monthstore.h"
#include "app/store/sqlite/database.h"
#include "app/store/sqlite/pagevfs.h"
#include "tests/support/fleets/storefixture.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>
#include <SQLiteCpp/SQLiteCpp.h>

#include <random>

namespace tst_monthstore {

using namespace gpuledger;
using namespace gpuledger::tests;
using Outcome = store::MonthStore::Outcome;

namespace {

const base::UtcTime kTime = base::parseTime("2026-10-04T09:00:00Z").value();

store::MonthClose september()
{
    return {"2026-09",
            {R"(["month",{"month":"2026-09"}])", R"(["sum","vision","gpu",12340000000])", R"(["key",0,"é"])",
             R"(["line","2026-09-01",0,12340000000])"},
            2};
}

store::AuditEvent closeEvent(const store::MonthClose &month)
{
    return {kTime, "alex", store::kCloseMonth, month.month,
            R"({"hash":")" + store::hashOf(static_cast<std::int64_t>(month.figureCount), month.rows) + R"("})"};
}

class Cache {
public:
    Cache()
        : store(store::LedgerStore::open(folder()).value())
    {
    }
    std::filesystem::path folder() const { return dir.path().toStdString(); }
    std::filesystem::path file() const { return folder() / "ledger.db"; }
    std::int64_t generation() const { return store->generation().value(); }
    Outcome close(const store::MonthClose &month) const
    {
        return store->months().close(month, closeEvent(month), generation()).value();
    }
    Outcome review() const
    {
        return store->months()
            .review({"2026-10", kTime, "kim", "f1f2"},
                    {kTime, "kim", store::kReviewMonth, "2026-10", R"({"figures":"f1f2"})"}, generation())
            .value();
    }
    Outcome reviewTeam() const
    {
        return store->months()
            .reviewTeam({{"2026-10", kTime, "kim", "f3f4"}, "vision"},
                        {kTime, "kim", store::kReviewTeam, "2026-10", R"({"team":"vision","figures":"f3f4"})"},
                        generation())
            .value();
    }
    void fill() const
    {
        if (close(september()) != Outcome::Done || review() != Outcome::Done || reviewTeam() != Outcome::Done)
            qFatal("not filled");
    }
    std::vector<std::string> problems() const
    {
        const auto database = store::Database::open(file(), store::Database::Mode::Reader).value();
        std::vector<std::string> all;
        const auto done = store::checkMonths(
            *database, [&](const std::string &where, const std::string &what) { all.push_back(where + ": " + what); });
        if (!done)
            all.push_back(done.error().text);
        return all;
    }

    QTemporaryDir dir;
    std::unique_ptr<store::LedgerStore> store;
};

// A cell of the cache that can be changed and restored, as a disk could do it.
class Cell {
public:
    Cell(SQLite::Database &database, std::string table, std::string column, std::int64_t row)
        : m_database(database)
        , m_table(std::move(table))
        , m_column(std::move(column))
        , m_row(row)
    {
    }
    bool isNumber() const { return read("SELECT typeof(" + m_column + ')') == "integer"; }
    std::string value() const { return read("SELECT " + m_column); }
    // False if the table rejects it.
    bool put(const std::string &value, bool number)
    {
        try {
            SQLite::Statement s(m_database,
                                "UPDATE " + m_table + " SET " + m_column + " = " + (number ? "?1" : "CAST(?1 AS TEXT)")
                                    + " WHERE " + place());
            if (number)
                s.bind(1, static_cast<std::int64_t>(std::stoll(value)));
            else
                s.bind(1, value.data(), static_cast<int>(value.size()));
            s.exec();
            return true;
        } catch (const SQLite::Exception &) {
            return false;
        }
    }

private:
    // The n-th row is found by rowid_of, because the change may affect its own key.
    std::string place() const { return "rowid_of = " + std::to_string(m_row); }
    std::string read(const std::string &what) const
    {
        SQLite::Statement s(m_database, what + " FROM " + m_table + " WHERE " + place());
        return s.executeStep() ? s.getColumn(0).getString() : std::string();
    }

    SQLite::Database &m_database;
    std::string m_table, m_column;
    std::int64_t m_row;
};

void dropTriggers(SQLite::Database &db)
{
    std::vector<std::string> names;
    SQLite::Statement s(db, "SELECT name FROM sqlite_schema WHERE type = 'trigger'");
    while (s.executeStep())
        names.push_back(s.getColumn(0).getString());
    for (const std::string &name : names)
        db.exec("DROP TRIGGER " + name);
}

} // namespace

class TestMonthStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void closesOnceAndForEver()
    {
        const Cache cache;
        QCOMPARE(cache.close(september()), Outcome::Done);
        const std::string before = queryText(cache.file(), "SELECT group_concat(hash) FROM audit_entry");
        auto other = september();
        other.rows.push_back("more");
        QCOMPARE(cache.close(other), Outcome::Closed);
        QCOMPARE(queryText(cache.file(), "SELECT group_concat(hash) FROM audit_entry"), before);
        auto months = cache.store->months();
        QVERIFY(months.closedRows("2026-09", store::MonthStore::Rows::All).value() == september().rows);
        QCOMPARE(months.closedRows("2026-09", store::MonthStore::Rows::Figures)->size(), std::size_t{2});
        QVERIFY(months.closedRows("2026-08", store::MonthStore::Rows::All).error().code == base::ErrorCode::NotFound);
        QCOMPARE(months.closes()->at(0).header, september().rows.front());
        QVERIFY(cache.problems().empty());
        for (const char *sql :
             {"UPDATE closed_row SET content = ''", "DELETE FROM closed_row", "DELETE FROM month_close",
              "UPDATE audit_entry SET actor = ''", "DELETE FROM audit_entry"})
            QVERIFY_THROWS_EXCEPTION(SQLite::Exception, executeOn(cache.file(), sql));
    }

    void whatSomebodyChangedMeanwhileIsNotClosed()
    {
        const Cache cache;
        const std::int64_t generation = cache.generation();
        QCOMPARE(cache.review(), Outcome::Done);
        QVERIFY(cache.generation() != generation);
        QCOMPARE(cache.store->months().close(september(), closeEvent(september()), generation).value(),
                 Outcome::Changed);
        QVERIFY(cache.store->months().closes()->empty());
        QCOMPARE(cache.store->months().audit()->size(), std::size_t{1});
    }

    void theLogIsAChain()
    {
        const Cache cache;
        cache.fill();
        const auto entries = cache.store->months().audit().value();
        QCOMPARE(entries.size(), std::size_t{3});
        QVERIFY(entries[0].previous.empty());
        QCOMPARE(entries[1].previous, entries[0].hash);
        QCOMPARE(entries[1].sequence, std::int64_t{2});
        // In the format of the header, computed with another program: printf '1:1,1:0,1:a,1:b,1:c,2:{},0:,' | sha256sum
        store::AuditEntry known{1, {base::fromUnix(0), "a", "b", "c", "{}"}, {}, {}};
        QCOMPARE(store::hashOf(known), std::string("e994176a8bda07a8935fc409ddf3dfbfcf87e86f0cebd3d527e25ee73a1952db"));
        // And printf '1:1,1:0,1:a,1:b,1:c,2:{},0:,2:60,1:5,1:x,' | sha256sum
        known.recorded = base::ClockReading{base::fromUnix(60), 5, "x"};
        QCOMPARE(store::hashOf(known), std::string("e4d1b69a6dfbb6bcdf74a95161b130a0d3470ca1f00f0bb8a33c5e47b6b12e7b"));
    }

    void entriesSayWhenTheyWereWritten()
    {
        const base::ClockReading before = base::readClocks();
        const Cache cache;
        cache.fill();
        const base::ClockReading after = base::readClocks();
        std::int64_t steady = before.steady;
        const auto entries = cache.store->months().audit().value();
        for (const store::AuditEntry &entry : entries) {
            QCOMPARE(entry.event.at, kTime); // the time given by the caller
            QVERIFY(entry.recorded && entry.recorded->boot == before.boot);
            QVERIFY(entry.recorded->real >= before.real && entry.recorded->real <= after.real);
            QVERIFY(entry.recorded->steady >= steady && entry.recorded->steady <= after.steady);
            steady = entry.recorded->steady;
        }
        QVERIFY(cache.problems().empty());
    }

    // Anyone who knows the format of the hash can forge a valid chain; the steady clock still reveals it.
    void anEntryFromBeforeTheOneBeforeItIsFound()
    {
        const Cache cache;
        const auto database = store::Database::open(cache.file(), store::Database::Mode::Writer).value();
        const store::AuditEvent event{kTime, "kim", "note", "x", "{}"};
        const auto add = [&](const base::ClockReading &now) {
            store::Transaction transaction(*database);
            return transaction.beginWrite().has_value() && store::appendAudit(*database, event, now).has_value()
                && transaction.commit().has_value();
        };
        QVERIFY(add({kTime, 2'000, "one"}));
        QVERIFY(add({kTime - base::kDay, 2'000, "one"})); // the wall clock was set back
        QVERIFY(add({kTime, 1'000, "two"})); // after a reboot
        QVERIFY(cache.problems().empty());
        QVERIFY(add({kTime, 999, "two"}));
        QCOMPARE(cache.problems().size(), std::size_t{1});
        QVERIFY(cache.problems().front().find("entry 4") != std::string::npos);
    }

    void hashIsThatOfTheRows()
    {
        QCOMPARE(store::hashOf(1, {"[\"month\"]", "x"}),
                 std::string("1c43fdd221b9ae171edcc6f0ef29630b86268ffa2cb8206a75424e30b1aad8ca"));
    }

    // Every byte of every text and every bit of every number.
    void everyChangeIsFound()
    {
        const Cache cache;
        cache.fill();
        SQLite::Database db(cache.file().string(), SQLite::OPEN_READWRITE, 0, store::pageVfs());
        dropTriggers(db);
        db.exec(
            "ALTER TABLE month_close ADD COLUMN rowid_of INTEGER; ALTER TABLE closed_row ADD COLUMN rowid_of INTEGER;"
            "ALTER TABLE audit_entry ADD COLUMN rowid_of INTEGER; ALTER TABLE month_review ADD COLUMN rowid_of INTEGER;"
            "ALTER TABLE team_review ADD COLUMN rowid_of INTEGER; UPDATE team_review SET rowid_of = 0;"
            "UPDATE month_close SET rowid_of = 0; UPDATE closed_row SET rowid_of = number;"
            "UPDATE audit_entry SET rowid_of = sequence - 1; UPDATE month_review SET rowid_of = 0");
        QVERIFY(cache.problems().empty());
        const std::vector<std::tuple<std::string, std::vector<std::string>, int>> tables{
            {"month_close", {"month", "figure_count", "row_count", "hash"}, 1},
            {"closed_row", {"month", "number", "content", "checksum"}, 4},
            {"audit_entry",
             {"sequence", "at", "actor", "action", "object", "details", "previous", "hash", "recorded_at", "steady",
              "boot"},
             3},
            {"month_review", {"month", "reviewed_at", "reviewed_by", "figures"}, 1},
            {"team_review", {"month", "team", "reviewed_at", "reviewed_by", "figures"}, 1}};
        std::mt19937 random(20261122);
        int changes = 0;
        for (const auto &[table, columns, rows] : tables) {
            for (const std::string &column : columns) {
                for (int row = 0; row < rows; ++row)
                    changes += changesFound(cache, Cell(db, table, column, row), random);
            }
        }
        QVERIFY2(changes > 1400, qPrintable(QString::number(changes)));
        QVERIFY(cache.problems().empty());
    }

    void whatIsGoneIsFound()
    {
        for (const char *sql :
             {"DELETE FROM closed_row", "DELETE FROM closed_row WHERE number = 3", "DELETE FROM month_close",
              "DELETE FROM month_close; DELETE FROM closed_row", "DELETE FROM audit_entry", "DELETE FROM month_review",
              "DELETE FROM team_review", "DELETE FROM audit_entry WHERE sequence = 1",
              "DELETE FROM audit_entry WHERE sequence = 2", "DELETE FROM meta WHERE key = 'audit_head'",
              "INSERT INTO audit_entry SELECT 4, at, actor, action, object, details, previous, hash, recorded_at, "
              "steady, boot"
              " FROM audit_entry WHERE sequence = 2",
              "UPDATE audit_entry SET sequence = 11 - sequence * 3"}) {
            const Cache cache;
            cache.fill();
            SQLite::Database db(cache.file().string(), SQLite::OPEN_READWRITE, 0, store::pageVfs());
            dropTriggers(db);
            db.exec(sql);
            QVERIFY2(!cache.problems().empty(), sql);
        }
    }

private:
    // The number of changes of a cell; all of them were found, and readers refuse every changed closed month.
    static int changesFound(const Cache &cache, Cell cell, std::mt19937 &random)
    {
        const bool number = cell.isNumber();
        const std::string value = cell.value();
        int changes = 0;
        const std::size_t places = number ? 63 : value.size();
        for (std::size_t i = 0; i < places; ++i) {
            std::string other = value;
            if (number)
                other = std::to_string(std::stoll(value) ^ (std::int64_t{1} << i));
            else
                other[i] = static_cast<char>(other[i] ^ (1 << (random() % 8)));
            if (!cell.put(other, number))
                continue; // a duplicate key, which a faulty disk can't cause
            ++changes;
            if (cache.problems().empty())
                qFatal("not found: \"%s\" for \"%s\"", other.c_str(), value.c_str());
            if (!cell.put(value, number))
                qFatal("can't be put back");
        }
        return changes;
    }
};

GPULEDGER_SUITE(TestMonthStore)

} // namespace tst_monthstore

#include "tst_monthstore.moc"
