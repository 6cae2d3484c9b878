// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "ui/viewmodels/savings/compare/budgetstable.h"
#include "ui/viewmodels/savings/compare/budgetsviewmodel.h"
#include "widgets/delegates/roles.h"

#include <QAbstractItemModelTester>
#include <QLocale>
#include <QSet>
#include <QTest>

namespace tst_budgetstable {

using namespace gpuledger;
using model::CloudBudgetPeriod;
using services::BudgetGap;
using services::BudgetRow;
using services::BudgetsAnswer;
using ui::BudgetsColumn;
using ui::BudgetsTable;
using ui::BudgetsViewModel;

namespace {

base::Money money(const char *amount, const char *currency = "USD")
{
    return base::Money::parse(amount, base::Currency::parse(currency).value()).value();
}

base::Day day(const char *date)
{
    return base::dayOf(base::parseTime(std::string(date) + "T00:00:00Z").value());
}

BudgetRow budget(const char *source, const char *cloud, const char *name)
{
    BudgetRow row;
    row.source = source;
    row.budget.cloud = cloud;
    row.budget.account = "123456789012";
    row.budget.name = name;
    row.budget.currency = base::Currency::usd();
    row.budget.period = CloudBudgetPeriod::Month;
    row.budget.first = day("2026-11-01");
    row.budget.last = day("2026-11-30");
    row.gap = BudgetGap::OnlyPart;
    return row;
}

// Of the whole bill, with everything known.
BudgetRow wholeBill()
{
    BudgetRow row = budget("aws-costs", "AWS", "all of it");
    row.budget.isWholeBill = true;
    row.limit = money("1000");
    row.spent = money("1130");
    row.forecast = money("1500.5");
    row.billed = money("1100.25");
    row.billedThrough = day("2026-11-18");
    row.gap = BudgetGap::None;
    return row;
}

// Google Cloud tells no amount but the limit, and this one has none.
BudgetRow untold()
{
    BudgetRow row = budget("google", "Google Cloud", "like last month");
    row.budget.scope = "Projects: ml-train";
    return row;
}

BudgetsTable tableOf(std::vector<BudgetRow> rows)
{
    BudgetsAnswer answer;
    answer.rows = std::move(rows);
    return BudgetsTable(std::make_shared<const BudgetsAnswer>(std::move(answer)));
}

int col(BudgetsColumn column)
{
    return static_cast<int>(column);
}

services::UnreadBudgets unread(const char *source, base::ErrorCode code)
{
    return {source, base::Error::make(code, "no")};
}

constexpr BudgetsColumn kAllColumns[] = {BudgetsColumn::Name,         BudgetsColumn::Scope,    BudgetsColumn::Account,
                                         BudgetsColumn::Period,       BudgetsColumn::Limit,    BudgetsColumn::Spent,
                                         BudgetsColumn::Share,        BudgetsColumn::Forecast, BudgetsColumn::Billed,
                                         BudgetsColumn::BilledThrough};

} // namespace

class BudgetsTableTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void showsWhatTheCloudAndTheBillSay()
    {
        const BudgetsTable table = tableOf({wholeBill()});
        const QString dash = QStringLiteral(" – ");
        const QStringList wanted{
            QStringLiteral("all of it"),    QStringLiteral("whole bill"),
            QStringLiteral("123456789012"), QStringLiteral("11/1/26") + dash + QStringLiteral("11/30/26"),
            QStringLiteral("1,000.00"),     QStringLiteral("1,130.00"),
            QStringLiteral("113 %"),        QStringLiteral("1,500.50"),
            QStringLiteral("1,100.25"),     QStringLiteral("11/18/26")};
        QStringList texts;
        for (const BudgetsColumn column : kAllColumns)
            texts.append(table.text(0, col(column)));
        QCOMPARE(texts, wanted);
        QCOMPARE(std::get<double>(table.value(0, col(BudgetsColumn::Limit))), 1000.0);
        QCOMPARE(std::get<double>(table.value(0, col(BudgetsColumn::Share))), 1.13);
        QCOMPARE(std::get<QString>(table.value(0, col(BudgetsColumn::BilledThrough))), QStringLiteral("2026-11-18"));
        QCOMPARE(table.sourceLine(0, col(BudgetsColumn::Limit)), QStringLiteral("As AWS says, read by aws-costs"));
        QCOMPARE(table.sourceLine(0, col(BudgetsColumn::Billed)),
                 QStringLiteral("Bill of aws-costs, through 11/18/26"));
    }

    void theOnlyCurrencyStandsInTheTitles()
    {
        const BudgetsTable table = tableOf({wholeBill(), untold()});
        QCOMPARE(table.currency(), QStringLiteral("USD"));
        const auto columns = BudgetsTable::columns(table.currency());
        QCOMPARE(columns.size(), std::size(kAllColumns));
        QCOMPARE(columns[static_cast<std::size_t>(BudgetsColumn::Limit)].title, QStringLiteral("Limit, USD"));
        QSet<QString> keys;
        for (const auto &column : columns)
            keys.insert(column.key);
        QCOMPARE(keys.size(), static_cast<qsizetype>(columns.size()));
    }

    void severalCurrenciesStandInTheCells()
    {
        BudgetRow euro = untold();
        euro.budget.currency = base::Currency::parse("EUR").value();
        euro.limit = money("20", "EUR");
        const BudgetsTable table = tableOf({wholeBill(), euro});
        QVERIFY(table.currency().isEmpty());
        QCOMPARE(table.text(0, col(BudgetsColumn::Limit)), QStringLiteral("$1,000.00"));
        QVERIFY(table.text(1, col(BudgetsColumn::Limit)).contains(QStringLiteral("20.00")));
        QVERIFY(table.text(1, col(BudgetsColumn::Limit)).contains(QStringLiteral("EUR")));
        QCOMPARE(BudgetsTable::columns({})[static_cast<std::size_t>(BudgetsColumn::Limit)].title,
                 QStringLiteral("Limit"));
    }

    void isGroupedBySourceAndCloud()
    {
        const BudgetsTable table =
            tableOf({wholeBill(), budget("aws-costs", "AWS", "b"), budget("focus", "AWS", "c"), untold()});
        const auto groups = table.groups();
        QCOMPARE(groups.size(), std::size_t{3});
        QCOMPARE(groups[0].title, QStringLiteral("AWS, source aws-costs"));
        QCOMPARE(groups[1].title, QStringLiteral("AWS, source focus"));
        QCOMPARE(groups[2].title, QStringLiteral("Google Cloud, source google"));
        QCOMPARE(table.groupOf(1), 0);
        QCOMPARE(table.groupOf(2), 1);
        QCOMPARE(table.groupOf(3), 2);
        // Budgets overlap: nothing is added up.
        QVERIFY(table.groupText(0, col(BudgetsColumn::Spent), std::vector<int>{0, 1}).isEmpty());
    }

    void aDashSaysWhy()
    {
        BudgetRow row = untold();
        row.budget.account.clear();
        const BudgetsTable table = tableOf({row});
        const auto why = [&](BudgetsColumn column) {
            const bool isUnknown = std::holds_alternative<std::monostate>(table.value(0, col(column)));
            return isUnknown && table.text(0, col(column)) == QStringLiteral("–") ? table.sourceLine(0, col(column))
                                                                                  : QStringLiteral("known");
        };
        QCOMPARE(why(BudgetsColumn::Spent), QStringLiteral("Google Cloud does not tell what was spent."));
        QCOMPARE(why(BudgetsColumn::Limit), QStringLiteral("Google Cloud does not tell this limit as an amount."));
        QCOMPARE(why(BudgetsColumn::Share), why(BudgetsColumn::Limit));
        QCOMPARE(why(BudgetsColumn::Forecast), QStringLiteral("Google Cloud tells no forecast for this budget."));
        QCOMPARE(why(BudgetsColumn::Account), QStringLiteral("Google Cloud does not tell whose budget it is."));
        QCOMPARE(why(BudgetsColumn::Billed), BudgetsTable::gapText(BudgetGap::OnlyPart));
        QCOMPARE(why(BudgetsColumn::BilledThrough), BudgetsTable::gapText(BudgetGap::OnlyPart));
        QCOMPARE(why(BudgetsColumn::Period), QStringLiteral("known"));
        QCOMPARE(table.text(0, col(BudgetsColumn::Scope)), QStringLiteral("Projects: ml-train"));
        row.limit = money("5");
        const BudgetsTable limited = tableOf({row});
        QCOMPARE(limited.sourceLine(0, col(BudgetsColumn::Share)),
                 QStringLiteral("Google Cloud does not tell what was spent."));
    }

    void everyGapHasItsOwnSentence()
    {
        QSet<QString> sentences;
        for (const BudgetGap gap :
             {BudgetGap::OnlyPart, BudgetGap::NoPeriod, BudgetGap::NotBilled, BudgetGap::NoRate, BudgetGap::NotPaid}) {
            QVERIFY(BudgetsTable::gapText(gap).endsWith(QLatin1Char('.')));
            sentences.insert(BudgetsTable::gapText(gap));
            BudgetRow row = wholeBill();
            row.billed.reset();
            row.billedThrough.reset();
            row.gap = gap;
            QCOMPARE(tableOf({row}).sourceLine(0, col(BudgetsColumn::Billed)), BudgetsTable::gapText(gap));
        }
        QCOMPARE(sentences.size(), 5);
        QVERIFY(BudgetsTable::gapText(BudgetGap::None).isEmpty());
    }

    void spendingAboveTheLimitStandsOut()
    {
        BudgetRow within = wholeBill(), exact = wholeBill();
        within.spent = money("250");
        within.forecast = money("900");
        exact.spent = exact.forecast = money("1000");
        const BudgetsTable table = tableOf({wholeBill(), within, exact});
        const auto tone = [&](int row, BudgetsColumn column) {
            const QVariant one = table.extra(row, col(column), widgets::kToneRole);
            return one.isValid() ? one.value<widgets::Tone>() : widgets::Tone::Neutral;
        };
        const auto bar = [&](int row, int role) { return table.extra(row, col(BudgetsColumn::Share), role); };
        QVERIFY(tone(0, BudgetsColumn::Share) == widgets::Tone::Critical);
        QCOMPARE(bar(0, widgets::kBarColorRole).toInt(), static_cast<int>(widgets::Color::Critical));
        QCOMPARE(bar(0, widgets::kBarShareRole).toDouble(), 1.13);
        QVERIFY(
            table.sourceLine(0, col(BudgetsColumn::Share)).startsWith(QStringLiteral("Over the limit by $130.00.\n")));
        QVERIFY(tone(0, BudgetsColumn::Forecast) == widgets::Tone::Warning);
        QVERIFY(table.sourceLine(0, col(BudgetsColumn::Forecast)).contains(QStringLiteral("$500.50")));
        for (const int row : {1, 2}) {
            QVERIFY(tone(row, BudgetsColumn::Share) == widgets::Tone::Neutral);
            QVERIFY(tone(row, BudgetsColumn::Forecast) == widgets::Tone::Neutral);
            QCOMPARE(bar(row, widgets::kBarColorRole).toInt(), static_cast<int>(widgets::Color::Accent));
            QVERIFY(!table.sourceLine(row, col(BudgetsColumn::Share)).contains(QStringLiteral("Over")));
        }
        QCOMPARE(bar(1, widgets::kBarShareRole).toDouble(), 0.25);
        QVERIFY(!tableOf({untold()}).extra(0, col(BudgetsColumn::Share), widgets::kBarShareRole).isValid());
    }

    void aLimitOfZeroHasNoShare()
    {
        BudgetRow over = wholeBill(), unused = wholeBill();
        over.limit = unused.limit = money("0");
        over.spent = money("0.01");
        unused.spent = money("0");
        const BudgetsTable table = tableOf({over, unused});
        const int share = col(BudgetsColumn::Share);
        QCOMPARE(table.text(0, share), QStringLiteral("over the limit"));
        QVERIFY(table.extra(0, share, widgets::kToneRole).value<widgets::Tone>() == widgets::Tone::Critical);
        QVERIFY(!table.extra(0, share, widgets::kBarShareRole).isValid());
        QCOMPARE(table.text(1, share), QStringLiteral("–"));
        QCOMPARE(table.sourceLine(1, share), QStringLiteral("The limit is not above zero."));
        QCOMPARE(table.text(1, col(BudgetsColumn::Spent)), QStringLiteral("0.00")); // known
    }

    void creditsAreLessThanNothing()
    {
        BudgetRow row = wholeBill();
        row.spent = money("-50");
        const BudgetsTable table = tableOf({row});
        QVERIFY(table.extra(0, col(BudgetsColumn::Share), widgets::kBarShareRole).toDouble() < 0);
        QVERIFY(table.text(0, col(BudgetsColumn::Share)).contains(QStringLiteral("5 %")));
        QVERIFY(!table.extra(0, col(BudgetsColumn::Share), widgets::kToneRole).isValid());
    }

    void aPeriodIsItsDaysOrItsLength_data()
    {
        QTest::addColumn<bool>("hasFirst");
        QTest::addColumn<bool>("hasLast");
        QTest::addColumn<int>("period");
        QTest::addColumn<QString>("text");
        const auto of = [](CloudBudgetPeriod period) { return static_cast<int>(period); };
        QTest::newRow("first") << true << false << of(CloudBudgetPeriod::Other) << QStringLiteral("from 11/1/26");
        QTest::newRow("last") << false << true << of(CloudBudgetPeriod::Other) << QStringLiteral("until 11/30/26");
        QTest::newRow("day") << false << false << of(CloudBudgetPeriod::Day) << QStringLiteral("Day");
        QTest::newRow("month") << false << false << of(CloudBudgetPeriod::Month) << QStringLiteral("Month");
        QTest::newRow("quarter") << false << false << of(CloudBudgetPeriod::Quarter) << QStringLiteral("Quarter");
        QTest::newRow("year") << false << false << of(CloudBudgetPeriod::Year) << QStringLiteral("Year");
        QTest::newRow("unknown") << false << false << of(CloudBudgetPeriod::Other) << QStringLiteral("–");
    }

    void aPeriodIsItsDaysOrItsLength()
    {
        QFETCH(bool, hasFirst);
        QFETCH(bool, hasLast);
        QFETCH(int, period);
        QFETCH(QString, text);
        BudgetRow row = untold();
        row.budget.period = static_cast<CloudBudgetPeriod>(period);
        if (!hasFirst)
            row.budget.first.reset();
        if (!hasLast)
            row.budget.last.reset();
        const BudgetsTable table = tableOf({row});
        QCOMPARE(table.text(0, col(BudgetsColumn::Period)), text);
        QVERIFY(!table.sourceLine(0, col(BudgetsColumn::Period)).isEmpty());
    }

    void aDayIsNotARange()
    {
        BudgetRow row = untold();
        row.budget.last = row.budget.first;
        QCOMPARE(tableOf({row}).text(0, col(BudgetsColumn::Period)), QStringLiteral("11/1/26"));
    }

    void theNoteSaysWhatIsMissing()
    {
        BudgetsAnswer answer;
        BudgetRow unbilled = wholeBill();
        unbilled.gap = BudgetGap::NotBilled;
        answer.rows = {wholeBill(), untold(), untold(), unbilled};
        answer.withoutMoney = 3;
        answer.rejected = 1;
        answer.unread = {unread("azure-costs", base::ErrorCode::Forbidden)};
        const QString note = BudgetsViewModel::notesOf(answer);
        QVERIFY(note.startsWith(QStringLiteral("azure-costs: ")));
        QVERIFY(
            note.contains(QStringLiteral("Not compared: 2 budget(s). ") + BudgetsTable::gapText(BudgetGap::OnlyPart)));
        QVERIFY(
            note.contains(QStringLiteral("Not compared: 1 budget(s). ") + BudgetsTable::gapText(BudgetGap::NotBilled)));
        QVERIFY(note.contains(QStringLiteral("Left out: 3 budget(s) of hours or shares instead of money.")));
        QVERIFY(note.contains(QStringLiteral("Left out: 1 budget(s) that can't be read.")));
        QVERIFY(!note.contains(BudgetsTable::gapText(BudgetGap::NoRate)));
        QVERIFY(!BudgetsViewModel::failureOf(answer)); // the others are there
        QVERIFY(BudgetsViewModel::notesOf({}).isEmpty());
    }

    void manyUnreadSourcesLeaveRoomForTheTable()
    {
        BudgetsAnswer answer;
        for (const char *source : {"s1", "s2", "s3", "s4", "s5", "s6"})
            answer.unread.push_back(unread(source, base::ErrorCode::Timeout));
        const QString note = BudgetsViewModel::notesOf(answer);
        QVERIFY(note.contains(QStringLiteral("s4: ")) && !note.contains(QStringLiteral("s5: ")));
        QVERIFY(note.contains(QStringLiteral("The budgets of 2 more source(s) could not be read.")));
    }

    void whereNothingCanBeReadThatIsTheError()
    {
        BudgetsAnswer answer;
        QVERIFY(!BudgetsViewModel::failureOf(answer)); // none are set up
        answer.unread = {unread("aws-costs", base::ErrorCode::NotFound), unread("b", base::ErrorCode::Timeout)};
        const auto failure = BudgetsViewModel::failureOf(answer);
        // With its source it is not taken for "no source tells budgets".
        QVERIFY(failure && failure->code == base::ErrorCode::NotFound && failure->source == "aws-costs");
    }

    void everyCellHasItsSource()
    {
        const auto answer = std::make_shared<BudgetsAnswer>();
        BudgetRow bare;
        bare.source = "focus";
        answer->rows = {wholeBill(), wholeBill(), untold(), bare};
        const auto table = std::make_shared<const BudgetsTable>(answer);
        QSet<QString> ids;
        for (int row = 0; row < table->rowCount(); ++row) {
            ids.insert(table->id(row));
            for (const BudgetsColumn column : kAllColumns) {
                QVERIFY(!table->text(row, col(column)).isEmpty());
                QVERIFY(!table->sourceLine(row, col(column)).isEmpty());
            }
        }
        QCOMPARE(ids.size(), 4); // also of two that are the same
        QCOMPARE(table->groups().back().title, QStringLiteral("focus"));
        QVERIFY(table->sourceLine(3, col(BudgetsColumn::Spent)).startsWith(QStringLiteral("focus ")));
        ui::TableModel model(BudgetsTable::columns());
        QAbstractItemModelTester tester(&model);
        model.setGrouped(true);
        model.setSnapshot(table);
        model.setColumns(BudgetsTable::columns(table->currency()));
        for (const BudgetsColumn column : kAllColumns)
            model.sort(col(column), Qt::DescendingOrder);
        model.setFilterText(QStringLiteral("last month"));
        QCOMPARE(model.shownRows(), 1);
        model.setSnapshot(std::make_shared<const BudgetsTable>(std::make_shared<const BudgetsAnswer>()));
        QCOMPARE(model.totalRows(), 0);
    }
};

GPULEDGER_WINDOW_SUITE(BudgetsTableTest)

} // namespace tst_budgetstable

#include "tst_budgetstable.moc"
