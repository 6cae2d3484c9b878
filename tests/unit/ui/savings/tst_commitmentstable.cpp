// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "ui/viewmodels/savings/compare/commitmentstable.h"
#include "ui/viewmodels/tables/tablemodel.h"
#include "widgets/delegates/roles.h"
#include "widgets/table/tableinterface.h"

#include <QAbstractItemModelTester>
#include <QDateTime>
#include <QLocale>
#include <QSet>
#include <QTest>

#include <limits>

namespace tst_commitmentstable {

using namespace gpuledger;
using model::CloudCommitmentKind;
using services::CommitmentRow;
using services::CommitmentsAnswer;
using ui::CommitmentsColumn;
using ui::CommitmentsTable;

namespace {

const char *const kNow = "2026-11-21T12:00:00Z";
const char *const kPlanArn = "arn:aws:savingsplans::123456789012:savingsplan/5f0c2b1e-77aa-4c1d-9e0f-001122334455";

base::Money money(const char *amount, const char *currency = "USD")
{
    return base::Money::parse(amount, base::Currency::parse(currency).value()).value();
}

base::UtcTime at(const char *time)
{
    return base::parseTime(time).value();
}

base::Day day(const char *date)
{
    return base::dayOf(at(date));
}

// A reservation with everything known.
CommitmentRow reservation()
{
    CommitmentRow row;
    row.source = "aws-costs";
    row.commitment.cloud = "AWS";
    row.commitment.account = "123456789012";
    row.commitment.id = "arn:aws:ec2:us-east-1:123456789012:reserved-instances/aa11";
    row.commitment.name = "training";
    row.commitment.kind = CloudCommitmentKind::Reservation;
    row.commitment.terms = "Standard, 3yr, All Upfront";
    row.commitment.machine = "p5.48xlarge";
    row.commitment.isMachineGpu = true;
    row.commitment.region = "us-east-1";
    row.commitment.count = 8;
    row.commitment.start = at("2024-03-01T00:00:00Z");
    row.commitment.end = at("2027-03-01T00:00:00Z");
    row.commitment.utilization = 0.875;
    row.commitment.first = day("2026-10-20");
    row.commitment.last = day("2026-11-18");
    row.perHour = money("98.32");
    row.unused = money("8849.1");
    row.billed = 0.8612;
    row.billedFirst = day("2026-10-20");
    row.billedLast = day("2026-11-17");
    return row;
}

// A Savings Plan without a name.
CommitmentRow plan()
{
    CommitmentRow row = reservation();
    row.commitment.id = kPlanArn;
    row.commitment.name.clear();
    row.commitment.kind = CloudCommitmentKind::SavingsPlan;
    row.commitment.terms = "Compute Savings Plan, 3yr, No Upfront";
    row.commitment.machine.clear();
    row.commitment.count.reset();
    row.commitment.region.clear();
    return row;
}

// Google Cloud tells neither use nor money.
CommitmentRow committedUse()
{
    CommitmentRow row;
    row.source = "google";
    row.commitment.cloud = "Google Cloud";
    row.commitment.id = "4711";
    row.commitment.kind = CloudCommitmentKind::CommittedUse;
    row.commitment.machine = "nvidia-h100-80gb";
    row.commitment.count = 64;
    return row;
}

CommitmentsTable tableOf(std::vector<CommitmentRow> rows, const base::TimeZone &zone = {})
{
    CommitmentsAnswer answer;
    answer.rows = std::move(rows);
    answer.now = at(kNow);
    return CommitmentsTable(std::make_shared<const CommitmentsAnswer>(std::move(answer)), zone);
}

int col(CommitmentsColumn column)
{
    return static_cast<int>(column);
}

constexpr CommitmentsColumn kAllColumns[] = {
    CommitmentsColumn::Name,   CommitmentsColumn::Machine, CommitmentsColumn::Terms, CommitmentsColumn::Account,
    CommitmentsColumn::Region, CommitmentsColumn::PerHour, CommitmentsColumn::Ends,  CommitmentsColumn::Used,
    CommitmentsColumn::Billed, CommitmentsColumn::Unused,  CommitmentsColumn::Days};

QString nameOf(const char *name, const char *id)
{
    CommitmentRow row = reservation();
    row.commitment.name = name;
    row.commitment.id = id;
    return tableOf({row}).text(0, col(CommitmentsColumn::Name));
}

} // namespace

class CommitmentsTableTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void showsWhatTheCloudAndTheBillSay()
    {
        const CommitmentsTable table = tableOf({reservation()});
        const QStringList wanted{QStringLiteral("training"),
                                 QStringLiteral("8× p5.48xlarge"),
                                 QStringLiteral("Reservation: Standard, 3yr, All Upfront"),
                                 QStringLiteral("123456789012"),
                                 QStringLiteral("us-east-1"),
                                 QStringLiteral("98.3200"),
                                 QStringLiteral("3/1/27"),
                                 QStringLiteral("87.5 %"),
                                 QStringLiteral("86.1 %"),
                                 QStringLiteral("8,849.10"),
                                 QStringLiteral("10/20/26 – 11/18/26")};
        QStringList texts;
        for (const CommitmentsColumn column : kAllColumns)
            texts.append(table.text(0, col(column)));
        QCOMPARE(texts, wanted);
    }

    void sortsByRawValues()
    {
        const CommitmentsTable table = tableOf({reservation()});
        QCOMPARE(std::get<double>(table.value(0, col(CommitmentsColumn::PerHour))), 98.32);
        QCOMPARE(std::get<qint64>(table.value(0, col(CommitmentsColumn::Ends))),
                 qint64{base::toUnix(at("2027-03-01T00:00:00Z"))});
        QCOMPARE(std::get<double>(table.value(0, col(CommitmentsColumn::Used))), 0.875);
        QCOMPARE(std::get<double>(table.value(0, col(CommitmentsColumn::Billed))), 0.8612);
        QCOMPARE(std::get<double>(table.value(0, col(CommitmentsColumn::Unused))), 8849.1);
        QCOMPARE(std::get<QString>(table.value(0, col(CommitmentsColumn::Days))),
                 QStringLiteral("2026-10-20/2026-11-18"));
        QVERIFY(std::get<QString>(table.value(0, col(CommitmentsColumn::Machine)))
                    .startsWith(QStringLiteral("p5.48xlarge")));
    }

    void saysWhoSaysIt()
    {
        const CommitmentsTable table = tableOf({reservation()});
        const QString said = QStringLiteral("As AWS says, read by aws-costs");
        const auto line = [&](CommitmentsColumn column) { return table.sourceLine(0, col(column)); };
        for (const CommitmentsColumn column :
             {CommitmentsColumn::Machine, CommitmentsColumn::Account, CommitmentsColumn::Region,
              CommitmentsColumn::PerHour, CommitmentsColumn::Days})
            QCOMPARE(line(column), said);
        QCOMPARE(line(CommitmentsColumn::Name),
                 QStringLiteral("arn:aws:ec2:us-east-1:123456789012:reserved-instances/aa11\n") + said);
        QCOMPARE(line(CommitmentsColumn::Terms), QStringLiteral("Reservation\n") + said);
        QCOMPARE(line(CommitmentsColumn::Used), QStringLiteral("10/20/26 – 11/18/26\n") + said);
        QCOMPARE(line(CommitmentsColumn::Unused), line(CommitmentsColumn::Used));
        QCOMPARE(line(CommitmentsColumn::Billed), QStringLiteral("By the bills, 10/20/26 – 11/17/26"));
        QVERIFY(line(CommitmentsColumn::Ends).endsWith(said));
    }

    void aDashSaysWhy()
    {
        const CommitmentsTable table = tableOf({committedUse()});
        const auto why = [&](CommitmentsColumn column) {
            const bool isUnknown = std::holds_alternative<std::monostate>(table.value(0, col(column)));
            return isUnknown && table.text(0, col(column)) == QStringLiteral("–") ? table.sourceLine(0, col(column))
                                                                                  : QStringLiteral("known");
        };
        QCOMPARE(why(CommitmentsColumn::Account), QStringLiteral("Google Cloud does not say who bought it."));
        QCOMPARE(why(CommitmentsColumn::Region),
                 QStringLiteral("It is for all regions, or Google Cloud does not say for which one it is."));
        QCOMPARE(why(CommitmentsColumn::PerHour), QStringLiteral("Google Cloud does not say what is paid per hour."));
        QCOMPARE(why(CommitmentsColumn::Ends), QStringLiteral("Google Cloud does not say when it ends."));
        QCOMPARE(why(CommitmentsColumn::Used), QStringLiteral("Google Cloud does not say how much was used."));
        QCOMPARE(why(CommitmentsColumn::Billed), QStringLiteral("No bill has anything of it."));
        QCOMPARE(why(CommitmentsColumn::Unused),
                 QStringLiteral("Google Cloud does not say what the unused part cost."));
        QCOMPARE(why(CommitmentsColumn::Days), QStringLiteral("Neither the cloud nor a bill has figures of its use."));
        for (const CommitmentsColumn column :
             {CommitmentsColumn::Name, CommitmentsColumn::Machine, CommitmentsColumn::Terms})
            QCOMPARE(why(column), QStringLiteral("known"));
        CommitmentRow unbilled = reservation();
        unbilled.billed.reset();
        QCOMPARE(tableOf({unbilled}).sourceLine(0, col(CommitmentsColumn::Billed)),
                 QStringLiteral("No bill has anything of it in the days 10/20/26 – 11/18/26."));
    }

    void nothingUsedIsKnown()
    {
        CommitmentRow row = reservation();
        row.commitment.utilization = 0;
        row.billed = 0;
        row.unused = money("0");
        const CommitmentsTable table = tableOf({row});
        QCOMPARE(table.text(0, col(CommitmentsColumn::Used)), QStringLiteral("0.0 %"));
        QCOMPARE(table.text(0, col(CommitmentsColumn::Billed)), QStringLiteral("0.0 %"));
        QCOMPARE(table.text(0, col(CommitmentsColumn::Unused)), QStringLiteral("0.00"));
        QCOMPARE(std::get<double>(table.value(0, col(CommitmentsColumn::Used))), 0.0);
    }

    void aPartIsNeverNothingOrAll()
    {
        QCOMPARE(CommitmentsTable::shareText(0), QStringLiteral("0.0 %"));
        QCOMPARE(CommitmentsTable::shareText(0.00001), QStringLiteral("0.1 %"));
        QCOMPARE(CommitmentsTable::shareText(0.5), QStringLiteral("50.0 %"));
        QCOMPARE(CommitmentsTable::shareText(0.99999), QStringLiteral("99.9 %"));
        QCOMPARE(CommitmentsTable::shareText(1), QStringLiteral("100.0 %"));
    }

    void thoseThatEndSoonStandOut_data()
    {
        QTest::addColumn<QString>("end");
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("tone");
        const int warning = static_cast<int>(widgets::Tone::Warning), muted = static_cast<int>(widgets::Tone::Muted);
        QTest::newRow("over") << QStringLiteral("2026-11-20T00:00:00Z") << QStringLiteral("11/20/26, over") << muted;
        QTest::newRow("now") << QString::fromLatin1(kNow) << QStringLiteral("11/21/26, over") << muted;
        QTest::newRow("today") << QStringLiteral("2026-11-21T23:00:00Z") << QStringLiteral("11/21/26, today")
                               << warning;
        QTest::newRow("tomorrow") << QStringLiteral("2026-11-22T00:00:00Z") << QStringLiteral("11/22/26, in 1 day(s)")
                                  << warning;
        QTest::newRow("soon") << QStringLiteral("2026-12-03T00:00:00Z") << QStringLiteral("12/3/26, in 12 day(s)")
                              << warning;
        QTest::newRow("90 days") << QStringLiteral("2027-02-19T23:59:59Z") << QStringLiteral("2/19/27, in 90 day(s)")
                                 << warning;
        QTest::newRow("91 days") << QStringLiteral("2027-02-20T00:00:00Z") << QStringLiteral("2/20/27") << -1;
    }

    void thoseThatEndSoonStandOut()
    {
        QFETCH(QString, end);
        QFETCH(QString, text);
        QFETCH(int, tone);
        CommitmentRow row = reservation();
        row.commitment.end = at(qPrintable(end));
        const CommitmentsTable table = tableOf({row});
        const int ends = col(CommitmentsColumn::Ends);
        QCOMPARE(table.text(0, ends), text); // not by colour alone
        const QVariant shown = table.extra(0, ends, widgets::kToneRole);
        QCOMPARE(shown.isValid() ? static_cast<int>(shown.value<widgets::Tone>()) : -1, tone);
        QVERIFY(!table.extra(0, col(CommitmentsColumn::Used), widgets::kToneRole).isValid());
        QVERIFY(!table.extra(0, ends, widgets::kBarShareRole).isValid());
    }

    void theTipOfTheEndHasItsTime()
    {
        CommitmentRow soon = reservation(), over = reservation(), later = reservation();
        soon.commitment.end = at("2026-12-03T06:30:00Z");
        over.commitment.end = at("2026-11-01T00:00:00Z");
        over.commitment.start.reset();
        later.commitment.start = at("2026-12-01T00:00:00Z");
        const CommitmentsTable table = tableOf({soon, over, later});
        const auto line = [&](int row) { return table.sourceLine(row, col(CommitmentsColumn::Ends)); };
        const auto time = [](const char *when) {
            return QLocale().toString(QDateTime::fromSecsSinceEpoch(base::toUnix(at(when)), Qt::UTC),
                                      QLocale::ShortFormat);
        };
        QVERIFY(line(0).startsWith(QStringLiteral("It ends on %1, in 12 day(s).\nIt started on %2.\n")
                                       .arg(time("2026-12-03T06:30:00Z"), time("2024-03-01T00:00:00Z"))));
        QVERIFY(line(1).startsWith(QStringLiteral("It ended on %1.\nAs AWS").arg(time("2026-11-01T00:00:00Z"))));
        QVERIFY(line(2).contains(QStringLiteral("It starts on %1.").arg(time("2026-12-01T00:00:00Z"))));
    }

    void endsOnADayOfTheZone()
    {
        const auto zone = base::TimeZone::find("America/New_York");
        QVERIFY(zone.has_value());
        CommitmentRow row = reservation();
        row.commitment.end = at("2026-12-01T00:00:00Z");
        QCOMPARE(tableOf({row}, *zone).text(0, col(CommitmentsColumn::Ends)), QStringLiteral("11/30/26, in 9 day(s)"));
        QCOMPARE(tableOf({row}).text(0, col(CommitmentsColumn::Ends)), QStringLiteral("12/1/26, in 10 day(s)"));
    }

    void withoutANameTheEndOfTheIdStandsThere()
    {
        QCOMPARE(nameOf("a name", kPlanArn), QStringLiteral("a name"));
        QCOMPARE(nameOf("", kPlanArn), QStringLiteral("…/5f0c2b1e-77aa-4c1d-9e0f-001122334455"));
        QCOMPARE(nameOf("", "4711"), QStringLiteral("4711"));
        QCOMPARE(nameOf("", "ends/"), QStringLiteral("ends/"));
        QCOMPARE(nameOf("", ""), QStringLiteral("Reservation"));
        const QString cut = nameOf("", "a/0123456789012345678901234567890123456789");
        QCOMPARE(cut.size(), 36);
        QVERIFY(cut.startsWith(QChar(0x2026)) && cut.endsWith(QStringLiteral("56789")));
        const CommitmentsTable table = tableOf({plan()});
        QVERIFY(table.sourceLine(0, col(CommitmentsColumn::Name)).startsWith(QString::fromLatin1(kPlanArn)));
    }

    void saysWhatItIsFor()
    {
        CommitmentRow family = plan(), uncounted = reservation(), many = reservation();
        family.commitment.machine = "p5";
        uncounted.commitment.count.reset();
        many.commitment.count = 12000;
        const CommitmentsTable table = tableOf({plan(), family, committedUse(), uncounted, many});
        const auto text = [&](int row) { return table.text(row, col(CommitmentsColumn::Machine)); };
        QCOMPARE(text(0), QStringLiteral("any machine"));
        QCOMPARE(text(1), QStringLiteral("p5"));
        QCOMPARE(text(2), QStringLiteral("64× nvidia-h100-80gb"));
        QCOMPARE(text(3), QStringLiteral("p5.48xlarge"));
        QCOMPARE(text(4), QStringLiteral("12,000× p5.48xlarge"));
    }

    void theTermsHaveTheKindOnce()
    {
        CommitmentRow lower = plan();
        lower.commitment.terms = "compute savings plan";
        const CommitmentsTable table = tableOf({reservation(), plan(), lower, committedUse()});
        const auto text = [&](int row) { return table.text(row, col(CommitmentsColumn::Terms)); };
        QCOMPARE(text(0), QStringLiteral("Reservation: Standard, 3yr, All Upfront"));
        QCOMPARE(text(1), QStringLiteral("Compute Savings Plan, 3yr, No Upfront"));
        QCOMPARE(text(2), QStringLiteral("compute savings plan"));
        QCOMPARE(text(3), QStringLiteral("Committed use"));
    }

    void daysAreThoseOfTheCloudOrOfTheBill()
    {
        CommitmentRow billed = committedUse(), half = committedUse(), one = reservation();
        billed.billed = 0.5;
        billed.billedFirst = day("2026-11-01");
        billed.billedLast = day("2026-11-30");
        half.commitment.first = day("2026-11-01"); // the last one is not told
        one.commitment.last = one.commitment.first;
        const CommitmentsTable table = tableOf({billed, half, one});
        const int days = col(CommitmentsColumn::Days);
        QCOMPARE(table.text(0, days), QStringLiteral("11/1/26 – 11/30/26"));
        QCOMPARE(table.sourceLine(0, days), QStringLiteral("By the bills, 11/1/26 – 11/30/26"));
        QCOMPARE(table.text(0, col(CommitmentsColumn::Billed)), QStringLiteral("50.0 %"));
        QCOMPARE(table.text(1, days), QStringLiteral("–"));
        QCOMPARE(table.text(2, days), QStringLiteral("10/20/26"));
    }

    void theOnlyCurrencyStandsInTheTitles()
    {
        const CommitmentsTable table = tableOf({reservation(), committedUse()});
        QCOMPARE(table.currency(), QStringLiteral("USD"));
        const auto columns = CommitmentsTable::columns(table.currency());
        QCOMPARE(columns.size(), std::size(kAllColumns));
        QCOMPARE(columns[static_cast<std::size_t>(CommitmentsColumn::PerHour)].title, QStringLiteral("Per hour, USD"));
        QCOMPARE(columns[static_cast<std::size_t>(CommitmentsColumn::Unused)].title, QStringLiteral("Unused, USD"));
        QSet<QString> keys;
        for (const auto &column : columns)
            keys.insert(column.key);
        QCOMPARE(keys.size(), static_cast<qsizetype>(columns.size()));
    }

    void severalCurrenciesStandInTheCells()
    {
        CommitmentRow euro = reservation();
        euro.perHour = money("20", "EUR");
        const CommitmentsTable table = tableOf({euro});
        QVERIFY(table.currency().isEmpty());
        QVERIFY(table.text(0, col(CommitmentsColumn::PerHour)).contains(QStringLiteral("EUR")));
        QCOMPARE(table.text(0, col(CommitmentsColumn::Unused)), QStringLiteral("$8,849.10"));
        QCOMPARE(CommitmentsTable::columns()[static_cast<std::size_t>(CommitmentsColumn::Unused)].title,
                 QStringLiteral("Unused"));
    }

    void figuresNeverGiveWay()
    {
        const auto columns = CommitmentsTable::columns();
        const auto priority = [&](CommitmentsColumn column) { return columns[std::size_t(column)].priority; };
        for (const CommitmentsColumn column :
             {CommitmentsColumn::Name, CommitmentsColumn::Machine, CommitmentsColumn::Ends, CommitmentsColumn::Used,
              CommitmentsColumn::Billed, CommitmentsColumn::Unused})
            QCOMPARE(priority(column), 0);
        QVERIFY(priority(CommitmentsColumn::Days) < priority(CommitmentsColumn::Account));
        QVERIFY(priority(CommitmentsColumn::Account) < priority(CommitmentsColumn::PerHour));
    }

    void isGroupedBySourceAndCloud()
    {
        CommitmentRow other = reservation(), azure = reservation();
        other.source = "focus";
        azure.commitment.cloud = "Microsoft"; // of the same source, and it ends between two of AWS
        const CommitmentsTable table = tableOf({reservation(), azure, plan(), other, committedUse()});
        const auto groups = table.groups();
        QCOMPARE(groups.size(), std::size_t{4});
        QCOMPARE(groups[0].title, QStringLiteral("AWS, source aws-costs"));
        QCOMPARE(groups[1].title, QStringLiteral("Microsoft, source aws-costs"));
        QCOMPARE(groups[2].title, QStringLiteral("AWS, source focus"));
        QCOMPARE(groups[3].title, QStringLiteral("Google Cloud, source google"));
        QCOMPARE(table.groupOf(0), 0);
        QCOMPARE(table.groupOf(1), 1);
        QCOMPARE(table.groupOf(2), 0);
        QCOMPARE(table.groupOf(4), 3);
        QVERIFY(table.groupText(0, col(CommitmentsColumn::Unused), std::vector<int>{0, 2}).isEmpty());
    }

    void idsOutliveARefresh()
    {
        const CommitmentsTable before = tableOf({reservation(), plan()}), after = tableOf({committedUse(), plan()});
        QCOMPARE(before.id(1), after.id(1));
        QVERIFY(before.id(0) != before.id(1));
        const CommitmentsTable twice = tableOf({plan(), plan()});
        QCOMPARE(twice.id(0), after.id(1));
        QVERIFY(twice.id(0) != twice.id(1));
    }

    void ordersByEndAndByUse()
    {
        CommitmentRow late = plan();
        late.commitment.end = at("2029-01-01T00:00:00Z");
        late.commitment.utilization = 0.2;
        CommitmentRow endless = plan();
        endless.commitment.name = "endless";
        endless.commitment.end.reset();
        endless.commitment.utilization.reset();
        ui::TableModel model(CommitmentsTable::columns());
        model.setSnapshot(std::make_shared<const CommitmentsTable>(tableOf({late, endless, reservation()})));
        const auto order = [&](CommitmentsColumn column, Qt::SortOrder sorting) {
            model.sort(col(column), sorting);
            QStringList names;
            for (int row = 0; row < model.rowCount(); ++row)
                names.append(model.index(row, 0).data().toString().right(4));
            return names.join(QLatin1Char(' '));
        };
        QCOMPARE(order(CommitmentsColumn::Ends, Qt::AscendingOrder), QStringLiteral("ning 4455 less"));
        QCOMPARE(order(CommitmentsColumn::Ends, Qt::DescendingOrder), QStringLiteral("4455 ning less"));
        QCOMPARE(order(CommitmentsColumn::Used, Qt::AscendingOrder), QStringLiteral("4455 ning less"));
    }

    void exportsPlainValues()
    {
        ui::TableModel model(CommitmentsTable::columns());
        model.setSnapshot(std::make_shared<const CommitmentsTable>(tableOf({reservation()})));
        const auto exported = [&](CommitmentsColumn column) {
            return model.index(0, col(column)).data(widgets::kExportValueRole);
        };
        QVERIFY(exported(CommitmentsColumn::Ends).toString().startsWith(QStringLiteral("2027-03-01T00:00:00")));
        QCOMPARE(exported(CommitmentsColumn::Used).toDouble(), 0.875);
        QCOMPARE(exported(CommitmentsColumn::Unused).toDouble(), 8849.1);
        QCOMPARE(exported(CommitmentsColumn::Machine).toString(), QStringLiteral("8× p5.48xlarge"));
        QCOMPARE(exported(CommitmentsColumn::Days).toString(), QStringLiteral("10/20/26 – 11/18/26"));
    }

    void survivesWhatItShouldNotGet()
    {
        CommitmentRow bare, odd = reservation();
        bare.source = "focus";
        odd.commitment.utilization = std::numeric_limits<double>::quiet_NaN();
        odd.billed = std::numeric_limits<double>::infinity();
        odd.commitment.count = std::numeric_limits<std::int64_t>::max();
        odd.commitment.name = std::string(5000, 'x') + "\n\x1b[31m";
        const auto table =
            std::make_shared<const CommitmentsTable>(tableOf({reservation(), reservation(), plan(), bare, odd}));
        QSet<QString> ids;
        for (int row = 0; row < table->rowCount(); ++row) {
            ids.insert(table->id(row));
            for (const CommitmentsColumn column : kAllColumns) {
                QVERIFY(!table->text(row, col(column)).isEmpty());
                QVERIFY(!table->sourceLine(row, col(column)).isEmpty());
            }
        }
        QCOMPARE(ids.size(), 5);
        QCOMPARE(table->groups().back().title, QStringLiteral("focus"));
        QCOMPARE(table->text(4, col(CommitmentsColumn::Used)), QStringLiteral("–"));
        QCOMPARE(table->text(4, col(CommitmentsColumn::Billed)), QStringLiteral("–"));
        QVERIFY(table->text(4, col(CommitmentsColumn::Name)).size() < 600);
        QVERIFY(!table->text(4, col(CommitmentsColumn::Name)).contains(QLatin1Char('\n')));
        ui::TableModel model(CommitmentsTable::columns());
        QAbstractItemModelTester tester(&model);
        model.setGrouped(true);
        model.setSnapshot(table);
        model.setColumns(CommitmentsTable::columns(table->currency()));
        for (const CommitmentsColumn column : kAllColumns)
            model.sort(col(column), Qt::DescendingOrder);
        model.setFilterText(QStringLiteral("no upfront"));
        QCOMPARE(model.shownRows(), 1);
        model.setSnapshot(std::make_shared<const CommitmentsTable>(tableOf({})));
        QCOMPARE(model.totalRows(), 0);
    }
};

GPULEDGER_WINDOW_SUITE(CommitmentsTableTest)

} // namespace tst_commitmentstable

#include "tst_commitmentstable.moc"
