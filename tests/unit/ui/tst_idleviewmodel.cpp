// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/heatmap/heatmap.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncreport.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "ui/viewmodels/idle/idletext.h"
#include "ui/viewmodels/idle/idleviewmodel.h"

#include <QAbstractItemModelTester>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <numeric>

using namespace gpuledger;
using ui::IdleColumn;
using ui::IdleGrouping;
using ui::IdleTable;
using ui::IdleText;
using ui::IdleViewModel;
using ui::PageState;

namespace {

constexpr int kPatience = 60000;

model::Settings smallFleet()
{
    model::Settings settings;
    model::SourceSettings source;
    source.name = "demo";
    source.kind = "demo";
    source.options = {{"gpus", "120"}, {"days", "3"}};
    source.firstSync = 3 * base::kDay;
    settings.sources.push_back(std::move(source));
    return settings;
}

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

// The page's state without a window, over the real engine and the demo source.
class IdleViewModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_workspace = open(m_folder);
        QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {}).has_value());
    }

    void saysFirstRunBeforeAnySync()
    {
        QTemporaryDir folder;
        const auto workspace = open(folder);
        ui::TaskRunner tasks;
        IdleViewModel model(*workspace, tasks);
        model.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), PageState::FirstRun, kPatience);
        QVERIFY(model.currentId().isEmpty());
    }

    void theFirstRowIsCurrentWithItsEvidence()
    {
        ui::TaskRunner tasks;
        IdleViewModel model(*m_workspace, tasks);
        const QAbstractItemModelTester tester(&model.table(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        load(model);
        const auto &items = model.snapshot()->list.items;
        QVERIFY(items.size() > 2);
        const QModelIndex first = model.table().index(0, 0, model.table().index(0, 0)); // below the first heading
        QCOMPARE(model.currentId(), model.table().snapshot()->id(model.table().sourceRow(first)));
        QVERIFY(model.currentIdle() && !model.currentUnknown());
        QTRY_VERIFY_WITH_TIMEOUT(model.evidence(), kPatience);
        QCOMPARE(model.evidence()->devices, static_cast<int>(model.currentIdle()->devices.size()));
        QVERIFY(!model.evidence()->range.empty());
        QVERIFY(model.evidence()->activity.size() <= insight::kMostEvidenceSteps);
        for (const auto &value : model.evidence()->activity)
            QVERIFY(!value || (*value >= 0 && *value <= 1));
        // Sorted by the cost per month, groups by their sum.
        QCOMPARE(model.table().sortColumn(), col(IdleColumn::PerMonth));
        double before = 1e18;
        for (int g = 0; g < model.table().rowCount(); ++g) {
            const QVariant sum = model.table().index(g, col(IdleColumn::PerMonth)).data(widgets::kRawValueRole);
            if (sum.isValid()) {
                QVERIFY(sum.toDouble() <= before);
                before = sum.toDouble();
            }
        }
    }

    void showsTheEvidenceOfTheNewestRowOnly()
    {
        ui::TaskRunner tasks;
        IdleViewModel model(*m_workspace, tasks);
        load(model);
        const auto &items = model.snapshot()->list.items;
        QSignalSpy changed(&model, &IdleViewModel::currentChanged);
        for (const auto &i : items)
            model.setCurrent(QString::fromStdString(i.id)); // each query overtakes the previous one
        const QString last = model.currentId();
        QCOMPARE(last.toStdString(), items.back().id);
        QVERIFY(!model.evidence()); // another row's evidence is not shown as this one's
        QTRY_VERIFY_WITH_TIMEOUT(model.evidence(), kPatience);
        QCOMPARE(model.evidence()->devices, static_cast<int>(items.back().devices.size()));
        const auto answers = changed.size();
        QTest::qWait(100);
        QCOMPARE(changed.size(), answers); // late answers are dropped
        model.setCurrent(QStringLiteral("nobody"));
        model.setCurrent(QString());
        QCOMPARE(model.currentId(), last);
    }

    void keepsTheChosenRowOverNewData()
    {
        ui::TaskRunner tasks;
        IdleViewModel model(*m_workspace, tasks);
        load(model);
        const QString chosen = QString::fromStdString(model.snapshot()->list.items.back().id);
        model.setCurrent(chosen);
        const auto before = model.snapshot();
        model.refresh();
        QTRY_VERIFY_WITH_TIMEOUT(model.snapshot() != before, kPatience);
        QCOMPARE(model.currentId(), chosen);
        const QUrlQuery place = model.place();
        IdleViewModel other(*m_workspace, tasks);
        other.restore(place);
        load(other);
        QCOMPARE(other.currentId(), chosen);
        other.setCurrent(QString::fromStdString(other.snapshot()->list.items.front().id));
        other.restore(place); // restored again, e.g. with another filter
        QVERIFY(other.currentId() != chosen);
    }

    void addsUpWhatIsTicked()
    {
        ui::TaskRunner tasks;
        IdleViewModel model(*m_workspace, tasks);
        load(model);
        const auto &items = model.snapshot()->list.items;
        double gpus = 0, month = 0, avoidable = 0;
        for (const auto &i : items) {
            gpus += i.gpus;
            month += i.perMonth ? i.perMonth->toDouble() : 0;
            avoidable += i.avoidablePerMonth ? i.avoidablePerMonth->toDouble() : 0;
        }
        QCOMPARE(model.totals().workloads, static_cast<int>(items.size()));
        QCOMPARE(model.totals().gpus, gpus);
        const ui::IdleSaving saving = model.totals().saving;
        QCOMPARE(saving.avoidable, avoidable);
        QCOMPARE(saving.avoidable + saving.sunk + saving.undecided, month);
        QCOMPARE(model.checkedTotals().workloads, 0);
        QSignalSpy totals(&model, &IdleViewModel::totalsChanged);
        model.table().setChecked({QString::fromStdString(items[1].id), QStringLiteral("nobody")}, true);
        QCOMPARE(totals.size(), 1);
        QCOMPARE(model.checkedTotals().workloads, 1);
        QCOMPARE(model.checkedTotals().gpus, items[1].gpus);
        model.setGrouping(IdleGrouping::Flat);
        QCOMPARE(model.checkedTotals().workloads, 1); // ticks are kept
    }

    void theEvidenceFollowsOneTick()
    {
        ui::TaskRunner tasks;
        IdleViewModel model(*m_workspace, tasks);
        load(model);
        const auto &items = model.snapshot()->list.items;
        QStringList others;
        for (const auto &i : items) {
            if (QString::fromStdString(i.id) != model.currentId())
                others << QString::fromStdString(i.id);
        }
        model.table().setChecked({others[0]}, true);
        QCOMPARE(model.currentId(), others[0]);
        model.table().setChecked({others[0]}, false); // nothing to look at
        QCOMPARE(model.currentId(), others[0]);
        model.table().setChecked({others[1], others[2]}, true); // as by the tick of a heading
        QCOMPARE(model.currentId(), others[0]);
    }

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

    void groupsAreRememberedInThePlace()
    {
        ui::TaskRunner tasks;
        IdleViewModel model(*m_workspace, tasks);
        const QAbstractItemModelTester tester(&model.table(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        load(model);
        const int owners = model.table().rowCount();
        QVERIFY(owners > 1);
        QSignalSpy grouping(&model, &IdleViewModel::groupingChanged);
        model.setGrouping(IdleGrouping::Flat);
        model.setGrouping(IdleGrouping::Flat);
        QCOMPARE(grouping.size(), 1);
        const bool someUnknown = !model.snapshot()->list.unknown.empty();
        QCOMPARE(model.table().rowCount(), someUnknown ? 2 : 1);
        const QUrlQuery place = model.place();
        model.restore(QUrlQuery());
        QCOMPARE(model.table().rowCount(), owners);
        model.restore(place);
        QVERIFY(model.grouping() == IdleGrouping::Flat);
    }

    void narrowsOtherPagesToTheWorkload()
    {
        ui::TaskRunner tasks;
        IdleViewModel model(*m_workspace, tasks);
        load(model);
        const auto scope = model.scopeOfCurrent();
        QVERIFY(scope.has_value());
        insight::HeatmapQuery query;
        query.query.range = model.snapshot()->covered;
        query.query.filter = scope->filter;
        query.zone = m_workspace->timeZone();
        query.by = insight::Dimension::Workload;
        const auto heatmap = m_workspace->fleet().heatmap(query);
        QVERIFY(heatmap.has_value());
        QCOMPARE(heatmap->rows.size(), std::size_t{1}); // the same spelling as there
    }

    void asksNothingWhileHidden()
    {
        ui::TaskRunner tasks;
        IdleViewModel model(*m_workspace, tasks);
        QSignalSpy changed(&model, &IdleViewModel::changed);
        model.setActive(false);
        model.refresh();
        QTest::qWait(50);
        QCOMPARE(changed.size(), 0);
        QVERIFY(!model.isAsking());
        model.setActive(true);
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), PageState::Data, kPatience);
    }

    void aFilterThatLeavesNothingIsEmpty()
    {
        ui::TaskRunner tasks;
        IdleViewModel model(*m_workspace, tasks);
        ui::Scope scope;
        scope.filter.include[insight::Dimension::Team] = {"nobody's team"};
        model.setScope(scope);
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), PageState::Empty, kPatience);
        model.showUnknown(); // there are none
        QCOMPARE(model.state(), PageState::Empty);
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

private:
    std::unique_ptr<services::Workspace> open(const QTemporaryDir &folder)
    {
        return std::move(services::Workspace::open(smallFleet(), {folder.path().toStdString(), "UTC", false},
                                                   *m_catalog, *m_secrets, m_clock)
                             .value());
    }
    static void load(IdleViewModel &model)
    {
        model.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), PageState::Data, kPatience);
    }

    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore();
    base::FrozenClock m_clock{base::fromUnix(1'790'000'100)};
    QTemporaryDir m_folder;
    std::unique_ptr<services::Workspace> m_workspace;
};

GPULEDGER_SUITE(IdleViewModelTest)
#include "tst_idleviewmodel.moc"
