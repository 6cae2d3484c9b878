// SPDX-License-Identifier: GPL-3.0-or-later
// What the accounts of made-up bills cost per day, which days are unknown, and how budgets call accounts.
#include "app/services/alerts/accountseries.h"
#include "tests/support/suite.h"

#include <QTest>

#include <utility>
#include <vector>

namespace tst_accountseries {

using namespace gpuledger;
using namespace gpuledger::services;
using model::LedgerAmounts;
using model::LedgerCategory;
using model::LedgerKey;
using model::LedgerOrigin;

namespace {

constexpr std::int64_t kUnit = 1'000'000'000;
const base::Day kBegin = base::dayOf(base::parseTime("2026-11-01T00:00:00Z").value());

base::Day dayAt(int days)
{
    return base::Day{kBegin.number + days};
}

struct Line {
    int day;
    LedgerKey key;
    LedgerAmounts amounts;
};

class FakeLedger final : public store::CubeReader {
public:
    base::Result<std::vector<std::pair<base::GroupId, store::GroupKey>>> groups() override
    {
        return std::vector<std::pair<base::GroupId, store::GroupKey>>();
    }
    base::Result<void> rows(base::Day, base::Day, const std::vector<store::Measure> &, const std::vector<char> &,
                            const RowVisitor &) override
    {
        return {};
    }
    base::Result<void> ledger(base::Day first, base::Day last, const store::LedgerVisitor &visit) override
    {
        for (const Line &line : lines) {
            const base::Day day = dayAt(line.day);
            if (day >= first && day <= last)
                GPULEDGER_TRY(visit(day, line.key, line.amounts));
        }
        return {};
    }
    void bill(int day, const std::string &account, std::int64_t units, const std::string &name = {},
              base::Currency currency = base::Currency::usd(), const std::string &source = "aws")
    {
        LedgerKey key;
        key.currency = currency;
        key.category = LedgerCategory::Gpu;
        key.source = source;
        key.account = account;
        key.accountName = name;
        LedgerAmounts amounts;
        amounts.effective = units * kUnit;
        amounts.billed = 2 * units * kUnit;
        lines.push_back({day, key, amounts});
    }
    void price(int day, std::int64_t units, std::int64_t unpriced = 0)
    {
        LedgerKey key;
        key.currency = base::Currency::usd();
        key.category = LedgerCategory::Gpu;
        key.origin = LedgerOrigin::Priced;
        LedgerAmounts amounts;
        amounts.priced = units * kUnit;
        amounts.ticks = 100;
        amounts.unpricedTicks = unpriced;
        lines.push_back({day, key, amounts});
    }

    std::vector<Line> lines;
};

model::Settings settingsWith(const std::vector<std::string> &sources)
{
    model::Settings out;
    for (const std::string &name : sources) {
        model::SourceSettings one;
        one.name = name;
        one.mayRead = true;
        out.sources.push_back(one);
    }
    return out;
}

using Days = std::vector<std::optional<std::int64_t>>;

// In whole units.
Days daysOf(const ScopeSeries &series, const std::string &key)
{
    Days out;
    const auto found = series.scopes.find(key);
    if (found == series.scopes.end())
        return out;
    for (const auto &day : found->second.past.days)
        out.push_back(day ? std::optional(*day / kUnit) : std::nullopt);
    return out;
}

base::Result<AccountSeries> ask(FakeLedger &ledger, const model::Settings &settings, int days,
                                model::CostView cost = model::CostView::Effective)
{
    const std::vector<store::FetchedRanges> fetched;
    return accountSeriesOf(ledger, {dayAt(-10), dayAt(days).start() + base::Seconds{3600}, settings, fetched, cost});
}

} // namespace

class tst_accountseries : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDayThatItsBillLacksIsUnknown()
    {
        FakeLedger ledger;
        ledger.price(0, 7);
        ledger.bill(1, "a", 10);
        ledger.bill(2, "b", 20);
        ledger.bill(3, "a", 30);
        ledger.bill(3, "a", 1);
        ledger.price(4, 9);
        const model::Settings settings = settingsWith({"aws"});
        const auto series = ask(ledger, settings, 5);
        QVERIFY(series);
        QCOMPARE(series->series.scopes.size(), std::size_t{3});
        QCOMPARE(series->series.total.past.first, kBegin);
        QVERIFY(daysOf(series->series, "a") == (Days{{}, 10, 0, 31, {}}));
        QVERIFY(daysOf(series->series, "b") == (Days{{}, 0, 20, 0, {}}));
        QVERIFY(daysOf(series->series, "") == (Days{{}, 0, 0, 0, {}}));
        const auto &partly = series->series.scopes.at("").past.partly;
        QCOMPARE(partly.front(), 7 * kUnit);
        QCOMPARE(partly.back(), 9 * kUnit);
        QVERIFY(!series->series.total.past.days[4]);
        QCOMPARE(*series->series.total.past.days[3], 31 * kUnit);
    }

    void aSourceThatIsNoLongerConfiguredTellsNothingMore()
    {
        FakeLedger ledger;
        ledger.bill(0, "old", 5, {}, base::Currency::usd(), "left");
        ledger.bill(0, "a", 10);
        ledger.bill(2, "a", 10);
        const model::Settings settings = settingsWith({"aws"});
        const auto series = ask(ledger, settings, 3);
        QVERIFY(series);
        QVERIFY(daysOf(series->series, "old") == (Days{5, 0, 0}));
        QVERIFY(series->series.total.past.days[2].has_value());
    }

    void costWithoutAPriceOrARateIsUnknown()
    {
        FakeLedger ledger;
        ledger.bill(0, "a", 10);
        ledger.bill(1, "a", 10, {}, base::Currency::parse("EUR").value());
        ledger.bill(2, "a", 10);
        ledger.price(0, 3, 40);
        ledger.price(1, 0, 100);
        model::Settings settings = settingsWith({"aws"});
        auto series = ask(ledger, settings, 3);
        QVERIFY(series);
        QVERIFY(daysOf(series->series, "a") == (Days{10, {}, 10}));
        QVERIFY(daysOf(series->series, "") == (Days{3, {}, 0}));
        QVERIFY(!series->series.total.past.days[1]);
        model::ExchangeRate rate;
        rate.from = base::Currency::parse("EUR").value();
        rate.to = base::Currency::usd();
        rate.rate = "2";
        rate.date = kBegin.start();
        settings.prices.exchangeRates.push_back(rate);
        series = ask(ledger, settings, 3);
        QVERIFY(series);
        QVERIFY(daysOf(series->series, "a") == (Days{10, 20, 10}));
    }

    void asBilledTimeOnNoBillIsUnknown()
    {
        FakeLedger ledger;
        ledger.bill(0, "a", 10);
        ledger.price(0, 3);
        const model::Settings settings = settingsWith({"aws"});
        const auto series = ask(ledger, settings, 1, model::CostView::Billed);
        QVERIFY(series);
        QVERIFY(daysOf(series->series, "a") == (Days{20}));
        QVERIFY(daysOf(series->series, "") == (Days{std::nullopt}));
        QVERIFY(!ask(ledger, settings, 1, model::CostView::List));
    }

    void budgetsCallAccountsByNameOrId()
    {
        FakeLedger ledger;
        ledger.bill(0, "1", 10, "ml");
        ledger.bill(0, "2", 20, "shared");
        ledger.bill(1, "3", 30, "shared");
        model::Settings settings = settingsWith({"aws"});
        for (const char *key : {"ml", "2", "shared", "nobody"}) {
            model::Budget budget;
            budget.by = "project";
            budget.key = key;
            settings.budgets.push_back(budget);
        }
        const std::vector<store::FetchedRanges> fetched;
        const auto series = budgetedAccounts(ledger, {kBegin, dayAt(2).start(), settings, fetched});
        QVERIFY(series);
        QVERIFY(daysOf(*series, "ml") == (Days{10, 0}));
        QVERIFY(daysOf(*series, "2") == (Days{20, 0}));
        QVERIFY(daysOf(*series, "shared") == (Days{20, 30}));
        QVERIFY(!series->scopes.contains("nobody"));
        auto accounts = ask(ledger, settings, 2);
        QVERIFY(accounts);
        QCOMPARE(accounts->names.at("1"), std::string("ml"));
        QCOMPARE(accounts->keyOf("ml").value(), std::string("1"));
        QCOMPARE(accounts->keyOf("shared").value(), std::string("shared"));
        QCOMPARE(accounts->keyOf("nobody").value(), std::string("nobody"));
    }

    void withoutALedgerNothingIsKnown()
    {
        FakeLedger ledger;
        const auto series = ask(ledger, settingsWith({}), 3);
        QVERIFY(series);
        QVERIFY(series->series.scopes.empty());
        QVERIFY(series->series.total.past.days.empty());
    }
};

GPULEDGER_PLAIN_SUITE(tst_accountseries)

} // namespace tst_accountseries

#include "tst_accountseries.moc"
