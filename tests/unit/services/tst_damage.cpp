// SPDX-License-Identifier: GPL-3.0-or-later
// One flipped bit in a page of a cache: every answer is unchanged or an error, verify names the page, and what people
// signed off is still there afterwards. GPULEDGER_FLIPS: number of flips instead of one per page (10000 before a
// release, with QTEST_FUNCTION_TIMEOUT=3600000). GPULEDGER_FAULTS_SEED: other random flips.
#include "app/insight/heatmap/heatmap.h"
#include "app/insight/idle/idle.h"
#include "app/insight/overview/summary.h"
#include "app/insight/query/query.h"
#include "app/reports/documents/documents.h"
#include "app/services/billing/billingservice.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncreport.h"
#include "app/services/spend/spendservice.h"
#include "app/services/workspace/workspace.h"
#include "app/store/actions/actionstore.h"
#include "app/store/damage/setaside.h"
#include "app/store/months/monthstore.h"
#include "app/store/prices/pricestore.h"
#include "app/store/sqlite/database.h"
#include "app/store/values/integrityproblem.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>
#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <set>

#include <sys/stat.h>

namespace tst_damage {

using namespace gpuledger;
using insight::Month;
using services::Workspace;
namespace fs = std::filesystem;

namespace {

constexpr Month kMonth{2026, 10};
constexpr std::size_t kPageSize = 8192;
constexpr int kBitsOfByte = 8;

model::Settings fleet()
{
    model::Settings settings;
    settings.timeZone = "Europe/Berlin";
    for (const char *kind : {"demo", "demo-bill"}) {
        model::SourceSettings source;
        source.name = source.kind = kind;
        const int days = std::string_view(kind) == "demo" ? 4 : 38; // the bill covers the whole month
        source.options = {{"gpus", "8"}, {"days", std::to_string(days)}};
        source.firstSync = days * base::kDay;
        settings.sources.push_back(std::move(source));
    }
    model::OwnerRule rule;
    rule.kind = model::OwnerRule::Kind::Label;
    rule.key = "team";
    settings.owners.push_back(rule);
    return settings;
}

std::string bytesOf(const fs::path &file)
{
    std::string bytes(fs::file_size(file), '\0');
    std::ifstream(file, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

void write(const fs::path &file, const std::string &bytes)
{
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
    ::chmod(file.c_str(), 0600);
}

std::string moneyText(const std::optional<base::Money> &amount)
{
    return amount ? amount->toDecimal() : std::string("?");
}

using Answer = std::function<base::Result<std::string>(Workspace &)>;

base::Result<std::string> summaryText(Workspace &workspace)
{
    const auto summary = workspace.fleet().summary({kMonth.range(), {}}, insight::Dimension::Device);
    GPULEDGER_TRY(summary);
    std::string out;
    for (const auto &row : summary->rows)
        out += row.key + ' ' + std::to_string(row.time.paid().ticks) + ' ' + std::to_string(row.time.idle.ticks) + ' '
            + std::to_string(row.cost.total()) + '\n';
    return out;
}

base::Result<std::string> idleText(Workspace &workspace)
{
    const auto list = workspace.fleet().idle(workspace.clock().now(), {});
    GPULEDGER_TRY(list);
    std::string out;
    for (const auto &item : list->items)
        out += item.id + ' ' + item.owner + ' ' + std::to_string(item.gpus) + ' ' + std::to_string(item.idleHours) + ' '
            + base::toRfc3339(item.since) + ' ' + moneyText(item.perMonth) + '\n';
    for (const auto &item : list->unknown)
        out += item.id + ' ' + std::to_string(item.observed) + '\n';
    return out;
}

base::Result<std::string> heatmapText(Workspace &workspace)
{
    insight::HeatmapQuery query;
    query.query = {kMonth.range(), {}};
    query.zone = workspace.timeZone();
    const auto map = workspace.fleet().heatmap(query, {});
    GPULEDGER_TRY(map);
    std::string out;
    for (const auto &row : map->rows) {
        out += row.key + ':';
        for (const auto &cell : row.cells)
            out += ' ' + (cell.value ? std::to_string(*cell.value) : std::string("?"));
        out += '\n';
    }
    return out;
}

base::Result<std::string> ledgerText(Workspace &workspace)
{
    insight::LedgerQuery query;
    query.range = kMonth.range();
    query.by = {insight::LedgerDimension::Team, insight::LedgerDimension::Workload, insight::LedgerDimension::Category};
    const auto answer = workspace.spend().ledger(query);
    GPULEDGER_TRY(answer);
    std::string out;
    for (const insight::LedgerRow &row : answer->rows) {
        for (const std::string &key : row.keys)
            out += key + '|';
        out += row.billed.toDecimal() + '|' + row.effective.toDecimal() + '|' + row.priced.toDecimal() + '|'
            + std::to_string(row.gpuTime.ticks) + '\n';
    }
    return out;
}

base::Result<std::string> reconciliationText(Workspace &workspace)
{
    const auto answer = workspace.spend().reconcile(kMonth);
    GPULEDGER_TRY(answer);
    std::string out;
    for (const auto &total : answer->totals)
        out += total.ledgerBilled.toDecimal() + ' ' + total.billBilled.toDecimal() + '\n';
    return out;
}

base::Result<std::string> statementText(Workspace &workspace)
{
    const auto statement = workspace.billing().statement(kMonth, reports::CostView::Effective, {});
    GPULEDGER_TRY(statement);
    return reports::toCsv(*statement);
}

base::Result<std::string> logText(Workspace &workspace)
{
    const auto entries = workspace.auditLog();
    GPULEDGER_TRY(entries);
    std::string out;
    for (const store::AuditEntry &entry : *entries)
        out += entry.hash + ' ' + entry.event.action + ' ' + entry.event.details + '\n';
    return out;
}

std::vector<std::pair<const char *, Answer>> answers()
{
    return {{"summary", summaryText},
            {"idle", idleText},
            {"heatmap", heatmapText},
            {"ledger", ledgerText},
            {"reconcile", reconciliationText},
            {"showback", statementText},
            {"log", logText}};
}

} // namespace

class TestDamage : public QObject {
    Q_OBJECT
private:
    QTemporaryDir m_folder;
    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore(nullptr);
    base::FrozenClock m_clock{base::parseTime("2026-11-03T00:00:00Z").value()};
    std::string m_whole; // the cache
    std::vector<std::string> m_expected;

    fs::path folder() const { return m_folder.filePath(QStringLiteral("data")).toStdString(); }
    fs::path cache() const { return folder() / "ledger.db"; }

    base::Result<std::unique_ptr<Workspace>> open(bool readOnly)
    {
        return Workspace::open(fleet(), {folder(), {}, readOnly}, *m_catalog, *m_secrets, m_clock);
    }

    void restore()
    {
        for (const auto &entry : fs::directory_iterator(folder()))
            fs::remove(entry.path());
        write(cache(), m_whole);
    }

    // The effects of one flipped bit.
    struct Flip {
        std::string changed; // the first changed answer; empty if there is none
        int errors = 0; // number of answers that were errors
        bool found = false; // the cache was not opened, or verify reports the damage
    };
    Flip flipped()
    {
        Flip flip;
        const auto workspace = open(true);
        if (!workspace) {
            flip.errors = static_cast<int>(answers().size());
            flip.found = true;
            return flip;
        }
        const auto all = answers();
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto answer = all[i].second(**workspace);
            flip.errors += answer ? 0 : 1;
            if (answer && *answer != m_expected[i] && flip.changed.empty())
                flip.changed = all[i].first;
        }
        const auto problems = (*workspace)->verify();
        flip.found = !problems || !problems->empty();
        return flip;
    }

private Q_SLOTS:
    void initTestCase()
    {
        {
            const auto workspace = open(false);
            QVERIFY2(workspace, workspace ? "" : workspace.error().text.c_str());
            const auto reports = (*workspace)->sources().sync({}, {}, {});
            QVERIFY(reports);
            const auto closed = (*workspace)->billing().closeMonth(kMonth, "for the test");
            QVERIFY2(closed, closed ? "" : closed.error().text.c_str());
            QVERIFY(closed->outcome == reports::SignOff::Outcome::Done);
        }
        {
            const auto store = store::LedgerStore::open(folder()).value();
            model::Lease lease;
            lease.kind = model::Lease::Kind::Protect;
            lease.holder = "demo/ml/train/1";
            lease.actor = "somebody";
            lease.at = m_clock.now();
            QVERIFY(store->actions().grant(lease));
            model::ActionIntent intent;
            intent.key = "a-key";
            intent.target.uid = "uid";
            intent.target.cluster = "demo";
            intent.oldValue = intent.newValue = intent.evidence = "{}";
            intent.actor = "somebody";
            intent.at = m_clock.now();
            const auto begun = store->actions().begin({intent}, {10, m_clock.now() - base::kDay, m_clock.now()});
            QVERIFY2(begun, begun ? "" : begun.error().text.c_str());
        }
        {
            auto database = store::Database::open(cache(), store::Database::Mode::Writer).value();
            QVERIFY(database->execute("VACUUM")); // so that no page is free
            QVERIFY(database->emptyLog());
        }
        m_whole = bytesOf(cache());
        QVERIFY(m_whole.size() % kPageSize == 0);
        const auto workspace = open(true).value();
        for (const auto &[name, ask] : answers()) {
            const auto answer = ask(*workspace);
            QVERIFY2(answer, name);
            QVERIFY2(!answer->empty(), name);
            m_expected.push_back(*answer);
        }
        const auto problems = workspace->verify();
        QVERIFY(problems);
        for (const auto &problem : *problems)
            qWarning("%s: %s", problem.where.c_str(), problem.what.c_str());
        QVERIFY(problems->empty());
    }

    void aFlippedBitIsNeverAnAnswer()
    {
        restore();
        const std::size_t pages = m_whole.size() / kPageSize;
        const int wanted = qEnvironmentVariableIsSet("GPULEDGER_FLIPS")
            ? qEnvironmentVariableIntValue("GPULEDGER_FLIPS")
            : static_cast<int>(pages);
        std::mt19937_64 random(qEnvironmentVariableIsSet("GPULEDGER_FAULTS_SEED")
                                   ? static_cast<std::uint64_t>(qEnvironmentVariableIntValue("GPULEDGER_FAULTS_SEED"))
                                   : std::uint64_t{20261123});
        int failing = 0, changed = 0, changedFound = 0, found = 0;
        std::string fault; // the first one
        for (int n = 0; n < wanted; ++n) {
            // Every page in turn if there are enough flips, otherwise random ones.
            const std::size_t page =
                static_cast<std::size_t>(wanted) >= pages ? static_cast<std::size_t>(n) % pages : random() % pages;
            const std::size_t at = page * kPageSize + random() % kPageSize;
            std::string bytes(1, m_whole[at]);
            bytes[0] = static_cast<char>(bytes[0] ^ (1 << (random() % kBitsOfByte)));
            std::fstream file(cache(), std::ios::binary | std::ios::in | std::ios::out);
            file.seekp(static_cast<std::streamoff>(at)).write(bytes.data(), 1).flush();
            const Flip flip = flipped();
            failing += flip.errors > 0 ? 1 : 0;
            found += flip.found ? 1 : 0;
            changed += flip.changed.empty() ? 0 : 1;
            changedFound += !flip.changed.empty() && flip.found ? 1 : 0;
            if (fault.empty() && (!flip.changed.empty() || !flip.found))
                fault = (flip.found ? flip.changed + " has another answer" : std::string("it is not found"))
                    + " after a flip at " + std::to_string(at);
            file.seekp(static_cast<std::streamoff>(at)).write(&m_whole[at], 1).flush();
        }
        qInfo(
            "%d flips in %zu pages: %d made an answer an error, %d changed one (%d of these were found), %d were found",
            wanted, pages, failing, changed, changedFound, found);
        QVERIFY2(fault.empty(), fault.c_str());
        QCOMPARE(found, wanted);
        QVERIFY(bytesOf(cache()) == m_whole);
        QVERIFY(open(true).value()->verify().value().empty());
    }

    // Ensures that every table and column added later is covered as well.
    void everyColumnOfEveryTableIsCovered()
    {
        restore();
        std::vector<std::pair<std::string, std::string>> columns;
        {
            SQLite::Database db(cache().string(), SQLite::OPEN_READONLY);
            SQLite::Statement s(db,
                                "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c"
                                " WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'");
            while (s.executeStep())
                columns.emplace_back(s.getColumn(0).getString(), s.getColumn(1).getString());
        }
        QVERIFY(columns.size() > 150);
        int changed = 0;
        std::set<std::string> empty;
        for (const auto &[table, column] : columns) {
            const std::string bytes = changedBy(table, column);
            if (bytes.empty()) {
                empty.insert(table);
                continue;
            }
            write(cache(), bytes);
            ++changed;
            QVERIFY2(!problemsOf().empty(), (table + '.' + column).c_str());
        }
        for (const std::string &table : empty)
            qInfo("no row in %s", table.c_str());
        QVERIFY(changed > 100);
    }

    void aPageOneThatIsDamagedLosesNothing()
    {
        for (const std::size_t at : {std::size_t{2000}, std::size_t{20}, std::size_t{17}, std::size_t{3}}) {
            restore();
            std::string bytes = m_whole;
            bytes[at] = static_cast<char>(bytes[at] ^ 4);
            write(cache(), bytes);
            const auto workspace = open(false);
            QVERIFY2(workspace, workspace ? "" : workspace.error().text.c_str());
            const auto all = answers();
            for (std::size_t i = 0; i < all.size(); ++i)
                QCOMPARE(all[i].second(**workspace).value(), m_expected[i]);
            const auto damage = store::unconfirmedDamage(cache());
            QCOMPARE(damage.size(), std::size_t{1});
            QVERIFY(damage.front().outcome == store::SetAside::Outcome::Corrected);
            QCOMPARE(damage.front().held->closedMonths, std::vector<std::string>{"2026-10"});
            QVERIFY(bytesOf(folder() / damage.front().name) == bytes);
        }
    }

    void whatWasSignedOffIsTakenOverFromADamagedFile()
    {
        restore();
        std::string bytes = m_whole;
        overwrite(bytes, pageOf("usage_day"));
        write(cache(), bytes);
        QVERIFY(store::repairCache(cache()));
        const auto damage = store::unconfirmedDamage(cache());
        QCOMPARE(damage.size(), std::size_t{1});
        QVERIFY(damage.front().outcome == store::SetAside::Outcome::Carried);
        QCOMPARE(damage.front().held->actions, std::int64_t{1});
        QCOMPARE(damage.front().held->leases, std::int64_t{1});
        const auto workspace = open(false).value();
        QCOMPARE(statementText(*workspace).value(), m_expected[5]);
        QCOMPARE(logText(*workspace).value(), m_expected[6]);
        QVERIFY(workspace->verify().value().empty());
        expectConfirmed();
    }

    // With the months, which do not depend on them.
    void pricesAreTakenOverFromADamagedFile()
    {
        restore();
        {
            const auto store = store::LedgerStore::open(folder()).value();
            store::PriceOffer offer;
            offer.provider = "neo";
            offer.gpu = "H100";
            offer.purchase = "spot";
            offer.microGpus = 8'000'000;
            for (const int price : {5, 6}) {
                offer.perHour = base::Money(price, base::Currency::usd());
                QVERIFY(store->prices().put("a list", {offer}, "tag", m_clock.now() + base::Seconds{price}));
            }
        }
        const std::string whole = bytesOf(cache());
        for (const bool arePricesDamaged : {false, true}) {
            restore();
            std::string bytes = whole;
            overwrite(bytes, pageOf("usage_day", whole));
            if (arePricesDamaged)
                overwrite(bytes, pageOf("price_quote", whole));
            write(cache(), bytes);
            QVERIFY(store::repairCache(cache()));
            const auto damage = store::unconfirmedDamage(cache());
            QCOMPARE(damage.size(), std::size_t{1});
            QVERIFY(damage.front().outcome == store::SetAside::Outcome::Carried);
            const auto store = store::LedgerStore::open(folder()).value();
            const auto prices = store->prices().history().value();
            QCOMPARE(prices.size(), arePricesDamaged ? std::size_t{0} : std::size_t{2});
            QCOMPARE(store->prices().lists().value().size(), arePricesDamaged ? std::size_t{0} : std::size_t{1});
            if (arePricesDamaged)
                continue;
            QVERIFY(prices[0].offer.perHour.nanos() == 5 && prices[0].endedAt == m_clock.now() + base::Seconds{6});
            QVERIFY(prices[1].offer.perHour.nanos() == 6 && !prices[1].endedAt);
            QCOMPARE(store->prices().lists().value()[0].tag, std::string("tag"));
        }
    }

    // Beyond repair, but only in the pages of the schema: a program without checksums wrote there.
    void aSchemaThatIsDamagedTakesNoMonthWithIt()
    {
        for (const char *change :
             {"DROP VIEW holder_view", "DROP TRIGGER audit_entry_stays", "CREATE TABLE strange (x)"}) {
            restore();
            {
                SQLite::Database db(cache().string(), SQLite::OPEN_READWRITE);
                db.exec("PRAGMA journal_mode=DELETE");
                db.exec(change);
            }
            const auto workspace = open(false);
            QVERIFY2(workspace, workspace ? "" : workspace.error().text.c_str());
            const auto damage = store::unconfirmedDamage(cache());
            QCOMPARE(damage.size(), std::size_t{1});
            QVERIFY2(damage.front().outcome == store::SetAside::Outcome::Carried, change);
            QCOMPARE(damage.front().held->closedMonths, std::vector<std::string>{"2026-10"});
            QCOMPARE(statementText(**workspace).value(), m_expected[5]);
            QCOMPARE(logText(**workspace).value(), m_expected[6]);
            QVERIFY((*workspace)->verify().value().empty());
        }
    }

    void whatIsLostIsNamed()
    {
        restore();
        std::string bytes = m_whole;
        overwrite(bytes, pageOf("audit_entry"));
        write(cache(), bytes);
        QVERIFY(store::repairCache(cache()));
        const auto damage = store::unconfirmedDamage(cache());
        QCOMPARE(damage.size(), std::size_t{1});
        QVERIFY(damage.front().outcome == store::SetAside::Outcome::Lost);
        QVERIFY(damage.front().held);
        QCOMPARE(damage.front().held->closedMonths, std::vector<std::string>{"2026-10"});
        QVERIFY(bytesOf(folder() / damage.front().name) == bytes);
        for (const auto &entry : fs::directory_iterator(folder())) {
            const auto rights = entry.status().permissions() & fs::perms::mask;
            QVERIFY2(rights == (fs::perms::owner_read | fs::perms::owner_write), entry.path().c_str());
        }
        // Without its record as well: never written, or removed.
        fs::remove(folder() / (damage.front().name + ".json"));
        QCOMPARE(store::unconfirmedDamage(cache()).size(), std::size_t{1});
        expectConfirmed();
    }

    void aWholeCacheIsLeftAsItIs()
    {
        restore();
        QVERIFY(store::repairCache(cache()));
        QVERIFY(store::unconfirmedDamage(cache()).empty());
        QVERIFY(open(false).value()->verify().value().empty());
    }

private:
    void expectConfirmed()
    {
        const auto damage = store::unconfirmedDamage(cache());
        QVERIFY(open(false).value()->confirmDamage());
        QVERIFY(store::unconfirmedDamage(cache()).empty());
        const auto workspace = open(true).value();
        QCOMPARE(workspace->auditLog().value().back().event.action, std::string(store::kConfirmDamage));
        QVERIFY(workspace->verify().value().empty());
        QVERIFY(fs::exists(folder() / damage.front().name));
    }

    std::string problemsOf()
    {
        const auto workspace = open(true);
        if (!workspace)
            return workspace.error().text;
        const auto problems = (*workspace)->verify();
        return !problems ? problems.error().text : problems->empty() ? std::string() : problems->front().what;
    }

    // More damage than can be repaired.
    static void overwrite(std::string &bytes, std::size_t page)
    {
        QVERIFY(page > 1);
        for (std::size_t at = page * kPageSize - 1000; at < page * kPageSize - 700; ++at)
            bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    }

    // A leaf page of the table.
    std::size_t pageOf(const std::string &table) { return pageOf(table, m_whole); }
    std::size_t pageOf(const std::string &table, const std::string &bytes)
    {
        write(folder() / "whole.db", bytes);
        SQLite::Database whole((folder() / "whole.db").string(), SQLite::OPEN_READONLY);
        SQLite::Statement s(whole, "SELECT pageno FROM dbstat WHERE name = ?1 AND pagetype = 'leaf' ORDER BY pageno");
        s.bind(1, table);
        const std::size_t page = s.executeStep() ? static_cast<std::size_t>(s.getColumn(0).getInt64()) : 0;
        fs::remove(folder() / "whole.db");
        return page;
    }

    // The file with another value in one row of the column, as a flipped bit leaves it: with the old value's checksum.
    // Empty if the table has no row.
    std::string changedBy(const std::string &table, const std::string &column)
    {
        const fs::path file = folder() / "changed.db";
        write(file, m_whole);
        {
            SQLite::Database db(file.string(), SQLite::OPEN_READWRITE);
            db.exec("PRAGMA journal_mode=DELETE; PRAGMA ignore_check_constraints=ON; PRAGMA foreign_keys=OFF");
            sqlite3_db_config(db.getHandle(), SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
            std::string value = "CASE typeof(" + column + ") WHEN 'integer' THEN " + column + " + 1 WHEN 'text' THEN "
                + column + " || 'x' WHEN 'blob' THEN x'00' ELSE 1 END";
            try {
                SQLite::Statement s(db, "SELECT count(*) FROM " + table);
                if (!s.executeStep() || s.getColumn(0).getInt64() == 0)
                    return {};
            } catch (const SQLite::Exception &) {
                return {};
            }
            const std::string row = " WHERE (" + column + ") IS (SELECT " + column + " FROM " + table + " LIMIT 1)";
            try {
                db.exec("UPDATE OR REPLACE " + table + " SET " + column + " = " + value + row);
            } catch (const SQLite::Exception &e) {
                qWarning("%s.%s: %s", table.c_str(), column.c_str(), e.what());
                return {};
            }
        }
        // The page of the schema is restored, so that only the value can be found.
        std::string bytes = bytesOf(file);
        fs::remove(file);
        bytes.replace(0, kPageSize, m_whole, 0, kPageSize);
        return bytes;
    }
};

GPULEDGER_SUITE(TestDamage)

} // namespace tst_damage

#include "tst_damage.moc"
