// SPDX-License-Identifier: GPL-3.0-or-later
// A restated bill touches the days of which it says something else than before, and no others.
#include "app/store/ledgerstore.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tst_billchange {

using namespace gpuledger;

namespace {

using Lines = std::vector<model::BillLine>;
using Days = std::set<int>; // from the first of the month, 0

const base::UtcTime kMonth = base::parseTime("2026-07-01T00:00:00Z").value();

model::BillLine lineOn(int day, std::int64_t cents, const std::string &resource, int days = 1)
{
    model::BillLine line;
    line.billingAccountId = "account";
    line.billingPeriod = {kMonth, kMonth + 31 * base::kDay};
    line.chargePeriod = {kMonth + day * base::kDay, kMonth + (day + days) * base::kDay};
    line.billed = line.effective = base::Money(cents * 10'000'000, base::Currency::usd());
    line.category = model::ChargeCategory::Usage;
    line.resource.id = resource;
    line.tags["team"] = "vision";
    line.consumedQuantity = {base::Decimal::parse("24").value(), "Hours"};
    return line;
}

// Two machines on each of ten days, and a disk that is billed for three of them at once.
Lines monthsLines()
{
    Lines lines;
    for (int day = 0; day < 10; ++day) {
        lines.push_back(lineOn(day, 100, "i-1"));
        lines.push_back(lineOn(day, 200, "i-2"));
    }
    lines.push_back(lineOn(3, 300, "disk", 3));
    return lines;
}

// Changes the bill, and says which days that changes.
struct Change {
    const char *name;
    std::function<void(Lines &)> apply;
    Days days;
};

std::vector<Change> changes()
{
    const auto nothing = [](Lines &) {};
    return {
        {"nothing", nothing, {}},
        {"an amount", [](Lines &lines) { lines[4].billed = base::Money(1, base::Currency::usd()); }, {2}},
        {"an amortized amount", [](Lines &lines) { lines[5].effective = base::Money(1, base::Currency::usd()); }, {2}},
        {"a currency", [](Lines &lines) { lines[6].billed = base::Money(1, *base::Currency::parse("EUR")); }, {3}},
        {"a quantity", [](Lines &lines) { lines[8].consumedQuantity.amount.reset(); }, {4}},
        {"a unit", [](Lines &lines) { lines[8].consumedQuantity.unit = "Days"; }, {4}},
        {"a tag", [](Lines &lines) { lines[0].tags["team"] = "ml"; }, {0}},
        {"a tag of several days", [](Lines &lines) { lines.back().tags.clear(); }, {3, 4, 5}},
        {"a charge class", [](Lines &lines) { lines[2].chargeClass = model::ChargeClass::Correction; }, {1}},
        {"a line less", [](Lines &lines) { lines.erase(lines.begin() + 18); }, {9}},
        {"a day more", [](Lines &lines) { lines.push_back(lineOn(10, 100, "i-1")); }, {10}},
        {"a day less", [](Lines &lines) { lines.erase(lines.begin() + 18, lines.begin() + 20); }, {9}},
        {"another day", [](Lines &lines) { lines[18] = lineOn(12, 100, "i-1"); }, {9, 12}},
        {"half of a line", [](Lines &lines) { lines.push_back(std::exchange(lines[0], lineOn(0, 40, "i-1"))); }, {0}},
        {"the order of machines", [](Lines &lines) { std::swap(lines[0], lines[1]); }, {}},
        {"the order of days",
         [](Lines &lines) { std::swap_ranges(lines.begin(), lines.begin() + 2, lines.begin() + 2); },
         {}},
    };
}

struct Cache {
    QTemporaryDir folder;
    std::unique_ptr<store::LedgerStore> store = store::LedgerStore::open(folder.path().toStdString()).value();
    int deliveries = 0;

    // The touched days.
    Days import(const Lines &lines, const std::string &account = "account")
    {
        const std::string hash = std::to_string(++deliveries);
        const auto transaction = store->beginBills("bill", {{"/bill", hash, 1}}, kMonth).value();
        Days days;
        if (!transaction->accept({{"bill", account, kMonth}, lines}) || !transaction->finish())
            return {-1};
        for (const base::Day day : transaction->touched())
            days.insert(day.number - base::dayOf(kMonth).number);
        return transaction->commit() ? days : Days{-1};
    }
};

} // namespace

class BillChangeTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theFirstImportTouchesEachDay()
    {
        QCOMPARE(Cache().import(monthsLines()), (Days{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    }

    void aRestatedBillTouchesWhatItChanges_data()
    {
        QTest::addColumn<std::size_t>("number");
        const auto all = changes();
        for (std::size_t i = 0; i < all.size(); ++i)
            QTest::newRow(all[i].name) << i;
    }
    void aRestatedBillTouchesWhatItChanges()
    {
        QFETCH(std::size_t, number);
        const Change change = changes()[number];
        Cache cache;
        cache.import(monthsLines());
        cache.import({lineOn(1, 5, "i-9")}, "another account");
        Lines restated = monthsLines();
        change.apply(restated);
        QCOMPARE(cache.import(restated), change.days);
        QCOMPARE(cache.import(restated), Days{});
        QCOMPARE(cache.import(monthsLines()), change.days);
    }
};

GPULEDGER_SUITE(BillChangeTest)

} // namespace tst_billchange

#include "tst_billchange.moc"
