// SPDX-License-Identifier: GPL-3.0-or-later
// Any change to the rows of actions or of the audit log is found.
#include "app/ledger/commit/verifyledger.h"
#include "app/store/months/monthstore.h"
#include "app/store/sqlite/database.h"
#include "tests/support/fakes/actionbench.h"
#include "tests/support/fakes/countingbuilder.h"
#include "tests/support/fleets/storefixture.h"
#include "tests/support/suite.h"

#include <QTest>
#include <SQLiteCpp/SQLiteCpp.h>

#include <random>
#include <set>

namespace tst_actionlog {

using namespace gpuledger;
using namespace gpuledger::tests;

namespace {

using Texts = std::vector<std::string>;

Texts columnsOf(store::Database &database, const std::string &table)
{
    Texts names;
    SQLite::Statement s(database.sqlite(), "SELECT name FROM pragma_table_info('" + table + "')");
    while (s.executeStep())
        names.push_back(s.getColumn(0).getString());
    return names;
}

std::int64_t countOf(store::Database &database, const std::string &table)
{
    return database.sqlite().execAndGet("SELECT count(*) FROM " + table).getInt64();
}

int problemsOf(store::Database &database)
{
    int problems = 0;
    const auto tell = [&](const std::string &, const std::string &) { ++problems; };
    const auto months = store::checkMonths(database, tell);
    const auto actions = store::checkActions(database, tell);
    return problems + (months ? 0 : 1) + (actions ? 0 : 1);
}

// One mutation as SQL. Rows are addressed by position.
class Mutator {
public:
    Mutator(store::Database &database, std::uint64_t seed)
        : m_database(database)
        , m_random(seed)
    {
    }

    std::string next()
    {
        const std::string table = pick(Texts{"action", "action_step", "audit_entry"});
        const std::int64_t rows = countOf(m_database, table);
        const std::string one = row(table, below(rows));
        switch (below(5)) {
        case 0:
            return "DELETE FROM " + table + " WHERE " + one;
        case 1:
            return inserted(table, one);
        case 2:
            return swapped(table, rows);
        case 3:
            return tailCut(table, rows);
        default:
            return edited(table, one);
        }
    }

private:
    std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(m_random() % static_cast<std::uint64_t>(n)); }
    std::string pick(const Texts &texts) { return texts[static_cast<std::size_t>(below(std::ssize(texts)))]; }
    static std::string keyOf(const std::string &table)
    {
        return table == "action" ? "id" : table == "audit_entry" ? "sequence" : "action * 100 + number";
    }
    static std::string row(const std::string &table, std::int64_t place)
    {
        const std::string key = keyOf(table);
        return key + " = (SELECT " + key + " FROM " + table + " ORDER BY " + key + " LIMIT 1 OFFSET "
            + std::to_string(place) + ')';
    }
    // Longer, shorter, a different letter, a different number, or another row's value.
    std::string edited(const std::string &table, const std::string &one)
    {
        const std::string column = pick(columnsOf(m_database, table));
        const std::string of = '"' + column + '"';
        const Texts ways{of + " || 'x'",
                         "substr(" + of + ", 2)",
                         "replace(" + of + ", 'e', 'E')",
                         "'" + std::to_string(below(1000)) + "'",
                         of + " + 1",
                         of + " - 1",
                         "0",
                         "1",
                         "''",
                         "NULL",
                         "(SELECT " + of + " FROM " + table + " ORDER BY random() LIMIT 1)"};
        return "UPDATE " + table + " SET " + of + " = " + pick(ways) + " WHERE " + one;
    }
    std::string inserted(const std::string &table, const std::string &one)
    {
        std::string into, values;
        for (const std::string &column : columnsOf(m_database, table)) {
            const bool isKey = column == "id" || column == "sequence" || column == "number";
            into += (into.empty() ? "" : ", ") + column;
            values += values.empty() ? "" : ", ";
            if (isKey)
                values += "(SELECT max(" + column + ") + 1 FROM " + table + ')';
            else
                values += column == "key" ? column + " || 'x'" : column;
        }
        return "INSERT INTO " + table + " (" + into + ") SELECT " + values + " FROM " + table + " WHERE " + one;
    }
    std::string swapped(const std::string &table, std::int64_t rows)
    {
        const std::int64_t first = below(rows), second = (first + 1 + below(rows - 1)) % rows;
        const auto exchange = [&](const std::string &column) {
            return "UPDATE " + table + " SET " + column + " = CASE WHEN " + row(table, first) + " THEN (SELECT "
                + column + " FROM " + table + " WHERE " + row(table, second) + ") ELSE (SELECT " + column + " FROM "
                + table + " WHERE " + row(table, first) + ") END WHERE " + row(table, first) + " OR "
                + row(table, second);
        };
        return exchange(pick(table == "action" ? Texts{"evidence", "uid", "reason", "old_value", "version", "at"}
                                 : table == "audit_entry" ? Texts{"details", "action", "hash", "object"}
                                                          : Texts{"checksum", "result", "receipt", "version_after"}));
    }
    std::string tailCut(const std::string &table, std::int64_t rows)
    {
        const std::string key = keyOf(table);
        return "DELETE FROM " + table + " WHERE " + key + " IN (SELECT " + key + " FROM " + table + " ORDER BY " + key
            + " DESC LIMIT " + std::to_string(1 + below(std::min<std::int64_t>(rows, 5))) + ')';
    }

    store::Database &m_database;
    std::mt19937_64 m_random;
};

// Ten actions: verified, undone, refused, failed, with and without a price.
void fill(ActionBench &bench)
{
    const auto ids = bench.addIdle(6);
    const auto currency = base::Currency::parse("USD").value();
    for (std::size_t i = 0; i < 3; ++i) {
        bench.environment.idle.items[i].ratePerHour = base::Money(2000000000, currency);
        bench.environment.idle.items[i].perMonth = base::Money(1460000000000, currency);
    }
    bench.wave = 1;
    const auto plan = bench.plan(ids).value();
    bench.platform.script[FakePlatform::Call::Stop] = {FakeAnswer::Ok, FakeAnswer::Ok, FakeAnswer::Forbidden,
                                                       FakeAnswer::TimedOut};
    QVERIFY(bench.run(plan));
    QVERIFY(bench.undo(1));
    bench.platform.named("train-1")->version += 1;
    bench.platform.named("train-1")->value = "2";
    QVERIFY(bench.undo(2));
    bench.environment.pass(base::Seconds{700});
    QVERIFY(bench.stopAll({ids[0], ids[4]}));
}

// The contents of the tables.
std::string contentOf(store::Database &database)
{
    std::string text;
    for (const char *const sql : {"SELECT * FROM action ORDER BY 1", "SELECT * FROM action_step ORDER BY 1, 2",
                                  "SELECT * FROM audit_entry ORDER BY 1"}) {
        SQLite::Statement s(database.sqlite(), sql);
        while (s.executeStep()) {
            for (int i = 0; i < s.getColumnCount(); ++i)
                text += s.getColumn(i).isNull() ? "-," : s.getColumn(i).getString() + ',';
        }
    }
    return text;
}

void dropTriggers(store::Database &database)
{
    Texts names;
    SQLite::Statement s(database.sqlite(), "SELECT name FROM sqlite_master WHERE type = 'trigger'");
    while (s.executeStep())
        names.push_back(s.getColumn(0).getString());
    for (const std::string &name : names)
        database.sqlite().exec("DROP TRIGGER " + name);
}

} // namespace

class TestActionLog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyMutationIsFound();
    void verifyTellsIt();
    void rowsAreOnlyAddedTo();
    void nothingIsDoneWithADamagedLog();
};

void TestActionLog::everyMutationIsFound()
{
    const int count = qEnvironmentVariableIntValue("GPULEDGER_ACTION_MUTATIONS") > 0
        ? qEnvironmentVariableIntValue("GPULEDGER_ACTION_MUTATIONS")
        : 2000;
    ActionBench bench;
    fill(bench);
    const auto database =
        store::Database::open(bench.dir.path().toStdString() + "/ledger.db", store::Database::Mode::Writer).value();
    dropTriggers(*database);
    database->sqlite().exec("PRAGMA foreign_keys=OFF");
    QCOMPARE(problemsOf(*database), 0);
    const std::string before = contentOf(*database);
    Mutator mutator(*database, 20261122);
    int made = 0, tried = 0;
    while (made < count) {
        QVERIFY2(++tried < 20 * count, "hardly any mutation has an effect");
        const std::string sql = mutator.next();
        database->sqlite().exec("BEGIN IMMEDIATE");
        try {
            database->sqlite().exec(sql);
            if (contentOf(*database) != before) {
                ++made;
                QVERIFY2(problemsOf(*database) > 0, ("not found: " + sql).c_str());
            }
        } catch (const SQLite::Exception &) { // a constraint: SQLite itself refuses it
        }
        database->sqlite().exec("ROLLBACK");
    }
    QCOMPARE(problemsOf(*database), 0);
}

void TestActionLog::verifyTellsIt()
{
    for (const char *const sql : {"UPDATE action SET old_value = '4' WHERE id = 1",
                                  "UPDATE action_step SET result = 'x' WHERE action = 2 AND number = 1",
                                  "DELETE FROM audit_entry WHERE sequence = (SELECT max(sequence) FROM audit_entry)",
                                  "UPDATE audit_entry SET actor = 'kim' WHERE sequence = 3"}) {
        ActionBench bench;
        fill(bench);
        CountingBuilder rollup;
        QVERIFY(ledger::verify(*bench.cache, rollup).value().empty());
        {
            const auto database =
                store::Database::open(bench.dir.path().toStdString() + "/ledger.db", store::Database::Mode::Writer)
                    .value();
            dropTriggers(*database);
            database->sqlite().exec(sql);
        }
        QVERIFY2(!ledger::verify(*bench.cache, rollup).value().empty(), sql);
    }
}

void TestActionLog::rowsAreOnlyAddedTo()
{
    ActionBench bench;
    fill(bench);
    const auto database =
        store::Database::open(bench.dir.path().toStdString() + "/ledger.db", store::Database::Mode::Writer).value();
    for (const char *const sql : {"UPDATE action SET old_value = '4'", "DELETE FROM action_step",
                                  "UPDATE action_step SET state = 'verified'", "DELETE FROM action"})
        QVERIFY_THROWS_EXCEPTION(SQLite::Exception, database->sqlite().exec(sql));
}

void TestActionLog::nothingIsDoneWithADamagedLog()
{
    ActionBench bench;
    fill(bench);
    const auto plan = bench.plan(bench.addIdle(1, "new")).value();
    {
        const auto database =
            store::Database::open(bench.dir.path().toStdString() + "/ledger.db", store::Database::Mode::Writer).value();
        dropTriggers(*database);
        database->sqlite().exec("UPDATE action SET old_value = '4' WHERE id = 1");
    }
    const int writes = bench.platform.writes();
    const auto done = bench.run(plan);
    QVERIFY(!done && done.error().code == base::ErrorCode::StorageCorrupt);
    const auto undone = bench.undo(1);
    QVERIFY(!undone && undone.error().code == base::ErrorCode::StorageCorrupt);
    QCOMPARE(bench.platform.writes(), writes);
}

GPULEDGER_SUITE(TestActionLog)

} // namespace tst_actionlog

#include "tst_actionlog.moc"
