// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "ui/viewmodels/idle/idletable.h"
#include "ui/viewmodels/idle/idletext.h"

#include <QLocale>
#include <QSet>
#include <QTest>

#include <numeric>

namespace tst_idletable {

using namespace gpuledger;
using ui::IdleColumn;
using ui::IdleGrouping;
using ui::IdleTable;
using ui::IdleText;

namespace {

insight::IdleItem item(const std::string &id, const std::string &owner, std::int64_t unitsPerHour)
{
    insight::IdleItem out;
    out.id = out.name = id;
    out.owner = owner;
    out.gpus = 2;
    out.devices = {"GPU-1", "GPU-2"};
    out.chance.hour = 0.95;
    out.observed = 1;
    if (unitsPerHour > 0) {
        const auto money = [](std::int64_t units) {
            return base::Money(units * base::Money::kNanosPerUnit, base::Currency::usd());
        };
        out.ratePerHour = money(unitsPerHour);
        out.wasted = money(3 * unitsPerHour);
        out.perMonth = money(730 * unitsPerHour);
    }
    return out;
}

std::shared_ptr<ui::IdleSnapshot> listOf(std::vector<insight::IdleItem> items)
{
    auto snapshot = std::make_shared<ui::IdleSnapshot>();
    snapshot->list.at = base::fromUnix(1'790'000'100);
    snapshot->list.items = std::move(items);
    snapshot->sources = {"prom"};
    snapshot->neededShare = 0.9;
    return snapshot;
}

std::vector<int> allOf(const IdleTable &table)
{
    std::vector<int> rows(static_cast<std::size_t>(table.rowCount()));
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
}

int col(IdleColumn column)
{
    return static_cast<int>(column);
}

} // namespace

// The rows and sentences of the idle list, without an engine.
class IdleTableTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedKingdom)); }

    void promisesNoMoreThanIsKnown_data()
    {
        for (const char *column : {"avoidable", "undecided", "sunk"})
            QTest::addColumn<double>(column);
        QTest::addColumn<int>("unpriced");
        QTest::addColumn<QString>("text");
        QTest::newRow("known") << 3652.0 << 0.0 << 10.0 << 0 << QStringLiteral("saves 3,652 USD a month");
        QTest::newRow("in part") << 3652.0 << 18517.0 << 0.0 << 0
                                 << QStringLiteral("saves 3,652, up to 22,169 USD a month");
        QTest::newRow("not known") << 0.0 << 18517.0 << 0.0 << 0 << QStringLiteral("saves up to 18,517 USD a month");
        QTest::newRow("sunk") << 0.0 << 0.0 << 500.0 << 0
                              << QStringLiteral("saves nothing: it is owned or committed to");
        QTest::newRow("free") << 0.0 << 0.0 << 0.0 << 0 << QStringLiteral("saves nothing");
        QTest::newRow("some unpriced") << 10.0 << 0.0 << 0.0 << 2
                                       << QStringLiteral("saves 10 USD a month, 2 without a price");
    }

    void promisesNoMoreThanIsKnown()
    {
        QFETCH(double, avoidable);
        QFETCH(double, undecided);
        QFETCH(double, sunk);
        QFETCH(int, unpriced);
        QFETCH(QString, text);
        const ui::IdleSaving saving{true, unpriced, avoidable, undecided, sunk};
        QCOMPARE(IdleText::saves(saving, base::Currency::usd()), text);
        QVERIFY(IdleText::saves({false, 3, 0, 0, 0}, base::Currency::usd()).isEmpty());
    }

    // A rented machine only ends with the last one on it.
    void savingEndsWithTheMachine()
    {
        const auto rented = [](const std::string &id, std::vector<std::string> with) {
            insight::IdleItem one = item(id, "research", 1);
            one.recoverable = model::Recovery::Now;
            one.avoidablePerMonth = one.perMonth;
            one.sunkPerMonth = base::Money(0, base::Currency::usd());
            one.stopWith = std::move(with);
            return one;
        };
        const insight::IdleItem alone = rented("a", {}), first = rented("b", {"c"}), second = rented("c", {"b"});
        const auto saves = [](const std::vector<insight::IdleItem> &items) {
            return IdleText::saves(ui::IdleSaving::ofStop(items), base::Currency::usd());
        };
        QCOMPARE(saves({alone}), QStringLiteral("saves 730 USD a month"));
        QCOMPARE(saves({first}), QStringLiteral("saves nothing now: the machine stays for others that use it"));
        QCOMPARE(saves({alone, first}), QStringLiteral("saves 730 USD a month"));
        QCOMPARE(saves({first, second}), QStringLiteral("saves 1,460 USD a month"));
        QCOMPARE(ui::IdleSaving::ofStop({first}, {second}).avoidable, 730.0);
        ui::IdleSaving listed; // with all that is idle
        listed.add(first);
        QCOMPARE(listed.avoidable, 730.0);
    }

    void partlyIdleOnesAreAGroupOfTheirOwn()
    {
        auto snapshot = listOf({item("a", "research", 2)});
        snapshot->currency = base::Currency::usd();
        insight::IdleItem part = item("b", "vision", 1);
        part.gpus = 2;
        part.heldGpus = 8;
        part.heldDevices = 8;
        snapshot->list.partly = {part};
        insight::UnknownItem unknown;
        unknown.id = unknown.name = "c";
        snapshot->list.unknown = {unknown};
        for (const IdleGrouping grouping : {IdleGrouping::Owner, IdleGrouping::Flat}) {
            const IdleTable table(snapshot, grouping);
            QCOMPARE(table.rowCount(), 3);
            QVERIFY(table.idle(0) && !table.idle(1) && table.partly(1) && !table.partly(2) && table.unknown(2));
            QVERIFY(table.isCheckable(0) && !table.isCheckable(1));
            const auto groups = table.groups();
            QCOMPARE(groups[static_cast<std::size_t>(table.groupOf(1))].id, IdleTable::partlyGroup());
            QCOMPARE(groups[static_cast<std::size_t>(table.groupOf(2))].id, IdleTable::unknownGroup());
            QCOMPARE(table.text(1, col(IdleColumn::Gpus)), QStringLiteral("2 of 8"));
            QCOMPARE(table.text(1, col(IdleColumn::Note)), QStringLiteral("partly idle"));
            QCOMPARE(table.text(1, col(IdleColumn::PerMonth)), QStringLiteral("730"));
            QVERIFY(table.text(1, col(IdleColumn::Confidence)).isEmpty());
            QVERIFY(table.sourceLine(1, col(IdleColumn::Note)).startsWith(QStringLiteral("2 of its 8 GPUs")));
            const QString sunk = table.sourceLine(1, col(IdleColumn::Sunk)); // not that stopping it saves nothing
            QVERIFY2(sunk.startsWith(QStringLiteral("The cost of its idle GPUs ends only with")), qPrintable(sunk));
            const std::vector<int> rows{1};
            QVERIFY(table.groupDetail(table.groupOf(1), rows).startsWith(QStringLiteral("2 of 8 GPUs")));
        }
    }

    // Free GPUs that pods waited for; nothing holds them, so they can't be stopped.
    void blockedOnesAreAGroupOfTheirOwn()
    {
        auto snapshot = listOf({item("a", "research", 2)});
        snapshot->currency = base::Currency::usd();
        insight::UnknownItem unknown;
        unknown.id = unknown.name = "c";
        snapshot->list.unknown = {unknown};
        insight::BlockedItem free;
        free.id = "prod/n1/scattered";
        free.cluster = "prod";
        free.node = "n1";
        free.owner = "shared";
        free.gpus = 2;
        free.perMonth = base::Money(1460 * base::Money::kNanosPerUnit, base::Currency::usd());
        const base::TimeRange waited{base::fromUnix(1'789'999'200), base::fromUnix(1'790'002'800)};
        for (int i = 0; i < 7; ++i)
            free.waits.push_back({"prod", "ml", "train-" + std::to_string(i), "u", "nvidia_com_gpu", 4, "", waited});
        snapshot->blocked.items = {free};
        snapshot->blocked.undecidedGpus = 1;
        snapshot->blocked.unexplainedGpus = 2;
        for (const IdleGrouping grouping : {IdleGrouping::Owner, IdleGrouping::Flat}) {
            const IdleTable table(snapshot, grouping);
            QCOMPARE(table.rowCount(), 3);
            QVERIFY(table.unknown(1) && !table.unknown(2) && table.blocked(2) && !table.blocked(1) && !table.idle(2));
            QVERIFY(!table.isCheckable(2));
            const auto groups = table.groups();
            QCOMPARE(groups[static_cast<std::size_t>(table.groupOf(1))].id, IdleTable::unknownGroup());
            QCOMPARE(groups[static_cast<std::size_t>(table.groupOf(2))].id, IdleTable::blockedGroup());
            QCOMPARE(table.id(2), QStringLiteral("blocked:prod/n1/scattered"));
            QCOMPARE(table.rowOf(table.id(2)), 2);
            QCOMPARE(table.text(2, col(IdleColumn::What)), QStringLiteral("n1"));
            QCOMPARE(table.text(2, col(IdleColumn::Note)), QStringLiteral("blocked"));
            QCOMPARE(table.text(2, col(IdleColumn::PerMonth)), QStringLiteral("1,460"));
            QCOMPARE(table.text(2, col(IdleColumn::Rate)), QStringLiteral("no price"));
            QVERIFY(table.text(2, col(IdleColumn::Confidence)).isEmpty());
            QVERIFY(table.sourceLine(2, col(IdleColumn::Note))
                        .startsWith(QStringLiteral("Each pod that waited needs more GPUs")));
            const std::vector<int> rows{2};
            const QString detail = table.groupDetail(table.groupOf(2), rows);
            QVERIFY2(detail.startsWith(QStringLiteral("2 GPUs, ")) && detail.contains(QStringLiteral("1,460")),
                     qPrintable(detail));
            QVERIFY2(detail.endsWith(QStringLiteral("; 3 more may be blocked, which is not known")),
                     qPrintable(detail));
        }
        const QStringList who = IdleText::whoWaited(free, base::TimeZone());
        QCOMPARE(who.size(), 6);
        QVERIFY2(who.front().startsWith(QStringLiteral("ml/train-0 waited for 4 × nvidia_com_gpu from ")),
                 qPrintable(who.front()));
        QVERIFY2(who.back().startsWith(QStringLiteral("2 more pod")), qPrintable(who.back()));
    }

    // What was stopped is below the others, can't be ticked, and adds nothing to what can be saved.
    void stoppedOnesAreAGroupOfTheirOwn()
    {
        auto snapshot = listOf({item("a", "research", 2), item("b", "research", 1), item("c", "vision", 1)});
        snapshot->currency = base::Currency::usd();
        snapshot->actions = {{"a", model::ActionState::Verified}, {"b", model::ActionState::Executing}};
        snapshot->list.items[0].avoidablePerMonth = snapshot->list.items[0].perMonth;
        snapshot->list.items[0].sunkPerMonth = base::Money(0, base::Currency::usd());
        for (const IdleGrouping grouping : {IdleGrouping::Owner, IdleGrouping::Flat}) {
            const IdleTable table(snapshot, grouping);
            const auto group = table.groups()[static_cast<std::size_t>(table.groupOf(0))];
            QCOMPARE(group.id, IdleTable::stoppedGroup());
            QVERIFY(group.isFolded && group.isLast);
            QVERIFY(table.isStopped(0) && !table.isStopped(1)); // the other one is only under way
            QVERIFY(!table.isCheckable(0) && table.isCheckable(1));
            const std::vector<int> stopped{0}, left{1};
            QCOMPARE(table.groupDetail(table.groupOf(0), stopped),
                     QStringLiteral("1 workload, 2 GPUs, saving 1,460 USD a month"));
            QCOMPARE(table.groupDetail(table.groupOf(1), left),
                     QStringLiteral("1 workload, 2 GPUs; stopping saves up to 730 USD a month"));
            QCOMPARE(table.text(1, col(IdleColumn::Avoidable)), QStringLiteral("up to 730"));
            QCOMPARE(table.text(0, col(IdleColumn::Avoidable)), QStringLiteral("1,460"));
        }
    }

    void unknownOnesAreAFoldedGroupAtTheEnd()
    {
        auto snapshot = listOf({item("a", "research", 2), item("b", "vision", 1)});
        snapshot->list.unknown.push_back(
            {"u", model::SubjectKind::Pod, "u", "research", "prod", "ml", "n1", {"GPU-7", "GPU-8"}, 0.42, {}});
        for (const IdleGrouping grouping : {IdleGrouping::Owner, IdleGrouping::Flat}) {
            const IdleTable table(snapshot, grouping);
            const auto groups = table.groups();
            QCOMPARE(groups.size(), std::size_t(grouping == IdleGrouping::Owner ? 3 : 2));
            QVERIFY(groups.back().isFolded && groups.back().isLast);
            QCOMPARE(table.groupOf(2), static_cast<int>(groups.size()) - 1);
            QVERIFY(table.isCheckable(0) && !table.isCheckable(2));
            const std::vector<int> last{2};
            QVERIFY(table.groupDetail(2, last).startsWith(QStringLiteral("2 devices")));
            QVERIFY(table.sourceLine(2, 0).contains(QStringLiteral("42.0 %")));
            for (int column = 0; column < static_cast<int>(IdleTable::columns(base::Currency::usd()).size()); ++column)
                QVERIFY(std::holds_alternative<std::monostate>(table.groupValue(0, column, last)));
        }
    }

    void unknownMoneyIsNeverZero()
    {
        const IdleTable table(listOf({item("a", "research", 2), item("free", "research", 0)}), IdleGrouping::Owner);
        const int month = col(IdleColumn::PerMonth);
        QVERIFY(std::holds_alternative<std::monostate>(table.value(1, month)));
        QCOMPARE(table.text(1, month), QStringLiteral("no price"));
        auto partly = item("half", "research", 2);
        partly.wasted.reset(); // part of its idle time has no price
        const IdleTable other(listOf({partly}), IdleGrouping::Owner);
        QCOMPARE(other.text(0, col(IdleColumn::Wasted)), QStringLiteral("unknown"));
        const auto rows = allOf(table);
        QCOMPARE(std::get<double>(table.groupValue(0, month, rows)), 1460.0);
        const std::vector<int> unpriced{1};
        QCOMPARE(table.groupText(0, month, unpriced), QString());
    }

    void hostileNamesStayThemselves()
    {
        const std::string hostile = "<img src=x onerror=1>\n\x01" + std::string(10000, 'x');
        auto bad = item(hostile, "<b>team</b>", 1);
        bad.protection = "<a href='file:///'>rule</a>";
        const IdleTable table(listOf({bad}), IdleGrouping::Owner);
        QCOMPARE(table.id(0).toStdString(), hostile);
        QCOMPARE(table.groups().front().title, QStringLiteral("<b>team</b>"));
        QCOMPARE(table.text(0, col(IdleColumn::Note)), QStringLiteral("protected"));
        QVERIFY(table.sourceLine(0, col(IdleColumn::Note)).contains(QStringLiteral("<a href")));
    }

    void timesReadAsPeopleSayThem_data()
    {
        QTest::addColumn<int>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << 0 << "0 min";
        QTest::newRow("negative") << -5 << "0 min";
        QTest::newRow("minutes") << 59 * 60 << "59 min";
        QTest::newRow("hour") << 3600 << "1 h";
        QTest::newRow("hour and minutes") << 4800 << "1 h 20 min";
        QTest::newRow("many hours") << 19 * 3600 + 1200 << "19 h";
        QTest::newRow("days") << 52 * 3600 << "2 d 4 h";
        QTest::newRow("whole days") << 48 * 3600 << "2 d";
    }

    void timesReadAsPeopleSayThem()
    {
        QFETCH(int, seconds);
        QFETCH(QString, text);
        QCOMPARE(IdleText::duration(base::Seconds{seconds}), text);
    }

    void tellsInTheZoneAndWhatIsNotKnown()
    {
        const auto zone = base::TimeZone::find("Europe/Berlin");
        QVERIFY(zone.has_value());
        const base::UtcTime at = base::parseTime("2026-11-19T07:12:00Z").value();
        QCOMPARE(IdleText::exactInstant(at, *zone), QStringLiteral("19 Nov 2026, 08:12 (Europe/Berlin)"));
        auto sure = item("a", "research", 1);
        sure.cause = insight::IdleCause::Loaded;
        sure.recoverable = model::Recovery::Now;
        insight::Evidence evidence;
        evidence.devices = evidence.activityDevices = evidence.memoryDevices = evidence.powerDevices = 2;
        evidence.restingW = 90;
        QVERIFY(IdleText::unknowns(sure, &evidence).isEmpty());
        evidence.powerDevices = 1;
        sure.sinceIsLowerBound = true;
        sure.ratePerHour.reset();
        QCOMPARE(IdleText::unknowns(sure, &evidence).size(), 3);
    }

    void tellsHowLikelyItStaysIdle()
    {
        using From = insight::IdleChance::From;
        auto one = item("a", "research", 4);
        one.workloadKind = model::WorkloadKind::Training;
        one.chance = {From::Team, 312, 0.716, 0.309, 10, 5};
        one.expectedBack = base::Money(40 * base::Money::kNanosPerUnit, base::Currency::usd());
        one.expectedLost = base::Money(20 * base::Money::kNanosPerUnit, base::Currency::usd());
        const QStringList outlook = IdleText::outlook(one);
        QCOMPARE(outlook.size(), 2);
        for (const char *part : {"72", "31", "312", "training"})
            QVERIFY2(outlook[0].contains(QLatin1String(part)), qPrintable(outlook[0]));
        QVERIFY(outlook[1].contains(QStringLiteral("40.00")) && outlook[1].contains(QStringLiteral("20.00")));
        // Sorted by the chance, shown in percent.
        const IdleTable table(listOf({one}), ui::IdleGrouping::Flat);
        const int column = static_cast<int>(ui::IdleColumn::Confidence);
        QCOMPARE(std::get<double>(table.value(0, column)), 0.716);
        QVERIFY(table.text(0, column).startsWith(QStringLiteral("72")));
        QVERIFY(table.sourceLine(0, column).contains(outlook[0]));
        QVERIFY(IdleText::chance(0.9996).startsWith(QStringLiteral("> 99"))); // never certain
        // Each source of the chance is named differently, and without a price nothing is promised.
        QSet<QString> bases;
        for (const From from : {From::Default, From::Fleet, From::Kind, From::Team, From::Workload}) {
            one.chance.from = from;
            bases.insert(IdleText::chanceBasis(one));
        }
        QCOMPARE(bases.size(), 5);
        one.expectedBack.reset();
        QCOMPARE(IdleText::outlook(one).size(), 1);
    }
};

GPULEDGER_SUITE(IdleTableTest)

} // namespace tst_idletable

#include "tst_idletable.moc"
