// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idle/idle.h"
#include "tests/support/fleets/scenario.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>
#include <cmath>

namespace tst_idle {

using namespace gpuledger;
using insight::IdleItem;
using insight::IdleList;
using model::WorkloadKind;
using tests::MemoryFacts;
using tests::Scenario;

namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 86400;
constexpr std::uint32_t kNone = Scenario::kNone;

struct Fleet : Scenario {
    std::uint32_t node, device;
    explicit Fleet(int days = 3)
        : Scenario(days)
        , node(Scenario::node("n1"))
        , device(Scenario::device("GPU-1"))
    {
    }
    std::uint32_t kindPod(const std::string &name, const std::string &kind = "training")
    {
        const auto h = pod(name, "uid-" + name, "n1");
        batch.holders[h].labels["workload_kind"] = kind;
        return h;
    }
    IdleList idle(std::int64_t second, const model::Settings &settings = tests::pricedSettings(),
                  const insight::Filter &filter = {}) const
    {
        const auto ledger = ledger::Ledger::create(settings).value();
        MemoryFacts facts;
        facts.add(batch);
        const auto reader = ledger->attribution(facts);
        return insight::idleAt(*reader, at(second), filter, settings.idle, base::Currency::usd()).value();
    }
};

QStringList names(const IdleList &list)
{
    QStringList out;
    for (const IdleItem &item : list.items)
        out << QString::fromStdString(item.name);
    return out;
}

} // namespace

class TestIdle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void graceWindowsDependOnTheKind_data();
    void graceWindowsDependOnTheKind();
    void activityInTheWindowIsNotIdle();
    void seenTooLittleIsUnknown();
    void timeWithoutAnyRecordIsNotObserved();
    void lastActivityLiesFarBack();
    void neverActiveIsIdleSinceItsStart();
    void holderKnownByLabelsAlone();
    void oneActiveDeviceIsEnough();
    void filterTakesHoldersNotDevices();
    void sharersSayThatActivityIsShared();
    void idleHoursAreHoursOnTheClock();
    void sliceCostsItsFraction();
    void protectedHolderSaysWhy();
    void unpricedHolderHasNoMoney();
    void instantIsCutToItsBucket();
    void whoHoldsNothingNowIsNotListed();
    void dearestComesFirst();
};

void TestIdle::graceWindowsDependOnTheKind_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("grace");
    QTest::newRow("notebook") << "notebook" << 3600;
    QTest::newRow("development") << "development" << 7200;
    QTest::newRow("training") << "training" << 3600;
    QTest::newRow("batch") << "batch" << 3600;
    QTest::newRow("inference") << "inference" << 86400;
    QTest::newRow("unknown") << "unknown" << 3600;
}

void TestIdle::graceWindowsDependOnTheKind()
{
    QFETCH(QString, kind);
    QFETCH(int, grace);
    Fleet f;
    const auto pod = f.kindPod("a", kind.toStdString());
    const std::int64_t born = 10 * kHour;
    f.runs(pod, born, 3 * kDay);
    f.reports(f.device, f.label("a"), f.node, born, 3 * kDay, 1);
    QVERIFY(f.idle(born + grace - 300).items.empty()); // too young, in neither list
    QVERIFY(f.idle(born + grace - 300).unknown.empty());
    QCOMPARE(names(f.idle(born + grace)), QStringList(QStringLiteral("a")));
}

void TestIdle::activityInTheWindowIsNotIdle()
{
    Fleet f;
    f.runs(f.kindPod("a"), 0, kDay);
    const auto label = f.label("a");
    f.reports(f.device, label, f.node, 0, 9 * kHour, 1);
    f.reports(f.device, label, f.node, 9 * kHour, 9 * kHour + 300, 50);
    f.reports(f.device, label, f.node, 9 * kHour + 300, kDay, 1);
    QVERIFY(f.idle(10 * kHour).items.empty());
    const IdleList later = f.idle(10 * kHour + 300);
    QCOMPARE(names(later), QStringList(QStringLiteral("a")));
    QVERIFY(later.items[0].since == f.at(9 * kHour + 300));
    QCOMPARE(later.items[0].idleHours, 1.0);
    QCOMPARE(later.items[0].wasted->nanos(), std::int64_t{3'600'000'000});
    QCOMPARE(later.items[0].ratePerHour->nanos(), std::int64_t{3'600'000'000});
    QCOMPARE(later.items[0].perMonth->nanos(), std::int64_t{2'628'000'000'000});
}

void TestIdle::seenTooLittleIsUnknown()
{
    for (const auto &[gap, known] : {std::pair(360, true), std::pair(361, false)}) {
        Fleet f;
        f.runs(f.kindPod("a"), 0, kDay);
        const auto label = f.label("a");
        f.reports(f.device, label, f.node, 0, 9 * kHour + 600, 1);
        f.reports(f.device, label, f.node, 9 * kHour + 600 + gap, kDay, 1);
        const IdleList list = f.idle(10 * kHour);
        QCOMPARE(list.items.size(), std::size_t(known ? 1 : 0));
        QCOMPARE(list.unknown.size(), std::size_t(known ? 0 : 1));
    }
}

void TestIdle::timeWithoutAnyRecordIsNotObserved()
{
    Fleet f;
    const auto pod = f.kindPod("a"), label = f.label("a");
    // Telemetry and records are both gone for 50 minutes of the window.
    f.runs(pod, 0, 9 * kHour);
    f.runs(pod, 9 * kHour + 3000, kDay);
    f.reports(f.device, label, f.node, 0, 9 * kHour, 1);
    f.reports(f.device, label, f.node, 9 * kHour + 3000, kDay, 1);
    const IdleList list = f.idle(10 * kHour);
    QVERIFY(list.items.empty());
    QCOMPARE(list.unknown.size(), std::size_t{1});
    QVERIFY(std::abs(list.unknown[0].observed - 600 / 3600.0) < 1e-9);
}

void TestIdle::lastActivityLiesFarBack()
{
    Fleet f(40);
    f.runs(f.kindPod("a"), 0, 40 * kDay);
    const auto label = f.label("a");
    f.reports(f.device, label, f.node, 0, 5 * kDay, 60);
    f.reports(f.device, label, f.node, 5 * kDay, 35 * kDay, 1);
    const IdleList list = f.idle(35 * kDay);
    QCOMPARE(list.items.size(), std::size_t{1});
    QVERIFY(list.items[0].since == f.at(5 * kDay));
    QCOMPARE(list.items[0].idleHours, 720.0);
    QCOMPARE(list.items[0].wasted->nanos(), std::int64_t{30 * kDay} * 1'000'000);
    QVERIFY(!list.items[0].sinceIsLowerBound);
}

void TestIdle::neverActiveIsIdleSinceItsStart()
{
    Fleet f;
    f.runs(f.kindPod("a"), 1000, kDay);
    const auto label = f.label("a");
    f.reports(f.device, label, f.node, 1000, 6 * kHour, 1);
    f.reports(f.device, label, f.node, 7 * kHour, kDay, 1);
    const IdleList list = f.idle(10 * kHour);
    QCOMPARE(list.items.size(), std::size_t{1});
    QVERIFY(list.items[0].since == f.at(1000));
    QVERIFY(list.items[0].sinceIsLowerBound);
    QVERIFY(std::abs(list.items[0].idleHours - (9 * kHour - 1000) / 3600.0) < 1e-9);
}

void TestIdle::holderKnownByLabelsAlone()
{
    Scenario s(2);
    const auto node = s.node("n1", {}, false), device = s.device("GPU-1");
    s.reports(device, s.label("a", "u"), node, 10 * kHour, 2 * kDay, 1);
    const auto settings = tests::pricedSettings();
    const auto ledger = ledger::Ledger::create(settings).value();
    MemoryFacts facts;
    facts.add(s.batch);
    const auto reader = ledger->attribution(facts);
    const auto at = [&](std::int64_t second) {
        return insight::idleAt(*reader, s.at(second), {}, settings.idle, base::Currency::usd()).value();
    };
    QVERIFY(at(10 * kHour + 1800).items.empty()); // young
    const IdleList list = at(12 * kHour);
    QCOMPARE(list.items.size(), std::size_t{1});
    QVERIFY(list.items[0].since == s.at(10 * kHour));
    QCOMPARE(list.items[0].idleHours, 2.0);
}

void TestIdle::oneActiveDeviceIsEnough()
{
    Fleet f;
    const auto second = f.Scenario::device("GPU-2", 1);
    f.runs(f.kindPod("a"), 0, kDay);
    const auto label = f.label("a");
    f.reports(f.device, label, f.node, 0, kDay, 1);
    f.reports(second, label, f.node, 0, kDay, 80);
    QVERIFY(f.idle(10 * kHour).items.empty());
}

void TestIdle::filterTakesHoldersNotDevices()
{
    Fleet f;
    const auto second = f.Scenario::device("GPU-2", 1);
    f.runs(f.kindPod("a"), 0, kDay);
    const auto label = f.label("a");
    f.reports(f.device, label, f.node, 0, kDay, 1);
    f.reports(second, label, f.node, 0, kDay, 80);
    insight::Filter filter;
    filter.include[insight::Dimension::Device] = {"GPU-1"};
    QVERIFY(f.idle(10 * kHour, tests::pricedSettings(), filter).items.empty());
    Fleet quiet;
    quiet.runs(quiet.kindPod("a"), 0, kDay);
    quiet.reports(quiet.device, quiet.label("a"), quiet.node, 0, kDay, 1);
    QCOMPARE(quiet.idle(10 * kHour, tests::pricedSettings(), filter).items.size(), std::size_t{1});
    filter.include[insight::Dimension::Device] = {"GPU-2"};
    QVERIFY(quiet.idle(10 * kHour, tests::pricedSettings(), filter).items.empty());
}

void TestIdle::sharersSayThatActivityIsShared()
{
    Fleet f;
    f.batch.nodes[f.node].sharedGpus = true;
    for (const std::string name : {"a", "b"}) {
        f.runs(f.kindPod(name), 0, kDay);
        f.reports(f.device, f.label(name), f.node, 0, kDay, 1, {}, model::SeriesRole::CopyPerHolder);
    }
    const IdleList list = f.idle(10 * kHour);
    QCOMPARE(names(list), QStringList({QStringLiteral("a"), QStringLiteral("b")}));
    for (const IdleItem &item : list.items) {
        QCOMPARE(item.gpus, 0.5);
        QCOMPARE(item.ratePerHour->nanos(), std::int64_t{1'800'000'000});
        // That activity is not known for each of them speaks against it; the chance that it stays idle is measured.
        QVERIFY(std::any_of(item.signals.begin(), item.signals.end(), [](const insight::IdleSignal &s) {
            return s.kind == insight::IdleSignal::Kind::Shared && !s.speaksForIdle;
        }));
        QVERIFY(item.chance.from == insight::IdleChance::From::Default);
        QCOMPARE(item.idleHours, 10.0);
        QCOMPARE(item.wasted->nanos(), std::int64_t{18'000'000'000});
        QCOMPARE(item.observed, 1.0);
    }
}

void TestIdle::idleHoursAreHoursOnTheClock()
{
    // Alone for 9 hours, then shared for one: ten hours of elapsed time, neither 19 nor 9.5.
    Fleet f;
    f.batch.nodes[f.node].sharedGpus = true;
    f.runs(f.kindPod("a"), 0, kDay);
    f.runs(f.kindPod("b"), 9 * kHour, kDay);
    f.reports(f.device, f.label("a"), f.node, 0, kDay, 1, {}, model::SeriesRole::CopyPerHolder);
    f.reports(f.device, f.label("b"), f.node, 9 * kHour, kDay, 1, {}, model::SeriesRole::CopyPerHolder);
    const IdleList list = f.idle(10 * kHour);
    QCOMPARE(list.items.size(), std::size_t{2});
    for (const IdleItem &item : list.items)
        QCOMPARE(item.idleHours, item.name == "a" ? 10.0 : 1.0);
}

void TestIdle::sliceCostsItsFraction()
{
    Fleet f;
    f.slice(f.device, "3", {1, 7});
    f.runs(f.kindPod("a"), 0, kDay);
    f.reports(f.device, f.label("a"), f.node, 0, kDay, 1, "3");
    const IdleList list = f.idle(10 * kHour);
    QCOMPARE(list.items.size(), std::size_t{1});
    QVERIFY(std::abs(list.items[0].gpus - 1.0 / 7) < 1e-12);
    QVERIFY(std::abs(list.items[0].ratePerHour->toDouble() - 3.6 / 7) < 1e-8);
    QCOMPARE(list.items[0].idleHours, 10.0);
    QCOMPARE(list.items[0].devices, std::vector<std::string>{"GPU-1:3"});
}

void TestIdle::protectedHolderSaysWhy()
{
    Fleet f;
    const auto pod = f.kindPod("a");
    f.batch.holders[pod].labels["gpuledger_io_protect"] = "true";
    f.runs(pod, 0, kDay);
    f.reports(f.device, f.label("a"), f.node, 0, kDay, 1);
    const IdleList list = f.idle(10 * kHour);
    QCOMPARE(list.items.size(), std::size_t{1});
    QVERIFY(!list.items[0].protection.empty());
}

void TestIdle::unpricedHolderHasNoMoney()
{
    Fleet f;
    f.batch.devices[f.device].model = "Unheard-of 9000";
    f.runs(f.kindPod("a"), 0, kDay);
    f.reports(f.device, f.label("a"), f.node, 0, kDay, 1);
    const IdleList list = f.idle(10 * kHour, {});
    QCOMPARE(list.items.size(), std::size_t{1});
    QVERIFY(!list.items[0].ratePerHour && !list.items[0].wasted && !list.items[0].perMonth);
}

void TestIdle::instantIsCutToItsBucket()
{
    Fleet f;
    f.runs(f.kindPod("a"), 0, kDay);
    f.reports(f.device, f.label("a"), f.node, 0, 10 * kHour, 1);
    const IdleList list = f.idle(10 * kHour + 299);
    QVERIFY(list.at == f.at(10 * kHour));
    QCOMPARE(list.items.size(), std::size_t{1});
    QCOMPARE(list.items[0].idleHours, 10.0);
}

void TestIdle::whoHoldsNothingNowIsNotListed()
{
    Fleet f;
    f.runs(f.kindPod("a"), 0, 10 * kHour - 600);
    f.reports(f.device, f.label("a"), f.node, 0, 10 * kHour - 600, 1);
    f.reports(f.device, kNone, f.node, 10 * kHour - 600, kDay, 0);
    const IdleList list = f.idle(10 * kHour);
    QVERIFY(list.items.empty() && list.unknown.empty());
}

void TestIdle::dearestComesFirst()
{
    Fleet f;
    f.batch.nodes[f.node].sharedGpus = false;
    const auto mig = f.Scenario::device("GPU-2", 1);
    f.slice(mig, "1", {3, 7});
    f.runs(f.kindPod("small"), 0, kDay);
    f.runs(f.kindPod("whole"), 0, kDay);
    f.reports(mig, f.label("small"), f.node, 0, kDay, 1, "1");
    f.reports(f.device, f.label("whole"), f.node, 0, kDay, 1);
    QCOMPARE(names(f.idle(10 * kHour)), QStringList({QStringLiteral("whole"), QStringLiteral("small")}));
}

GPULEDGER_PLAIN_SUITE(TestIdle)

} // namespace tst_idle

#include "tst_idle.moc"
