// SPDX-License-Identifier: GPL-3.0-or-later
// What is read from an answer, in every format that these servers are known to write.
#include "connectors/opencost/allocationrecords.h"
#include "tests/support/suite.h"
#include "tests/unit/opencost/answers.h"

#include <QTest>

namespace tst_opencostrecords {

using namespace gpuledger;
using namespace gpuledger::tests;
using opencost::AllocationRecords;
using Amount = std::optional<std::int64_t>;

namespace {

constexpr std::int64_t kUnit = 1'000'000'000;

struct Told {
    model::AllocationDay day;
    std::string foreignWindow;
    std::uint64_t accepted = 0, rejected = 0;
};

Told read(const std::string &assets, const std::string &allocations)
{
    AllocationRecords records(kAskedDay, base::Currency::usd());
    const auto feed = [](const std::string &body, std::span<const std::string_view> members, const auto &add) {
        std::string text = body;
        format::RecordReader reader(members);
        const auto done = reader.read(text, add);
        if (!done)
            qFatal("%s", done.error().text.c_str());
    };
    feed(envelope("{" + assets + "}"), AllocationRecords::assetMembers(),
         [&](std::string_view, const format::RecordValues &values) { return records.addAsset(values); });
    feed(
        envelope("[{" + allocations + "}]"), AllocationRecords::allocationMembers(),
        [&](std::string_view name, const format::RecordValues &values) { return records.addAllocation(name, values); });
    const std::string foreign = records.foreignWindow();
    return {records.take(model::AllocationProduct::OpenCost), foreign, records.accepted(), records.rejected()};
}

const model::AllocatedNode &only(const Told &told)
{
    if (told.day.nodes.size() != 1)
        qFatal("%zu nodes", told.day.nodes.size());
    return told.day.nodes.front();
}

} // namespace

class TestOpenCostRecords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsANode()
    {
        const auto told = read(asset("n1"), "");
        const auto &node = only(told);
        QCOMPARE(node.cluster, std::string("cluster-one"));
        QCOMPARE(node.name, std::string("n1"));
        QCOMPARE(node.providerId, std::string("i-n1"));
        QCOMPARE(node.provider, std::string("AWS"));
        QCOMPARE(node.instanceType, std::string("p4d.24xlarge"));
        QCOMPARE(node.seconds, Amount(86400));
        QCOMPARE(node.gpuMillis, Amount(8000));
        QCOMPARE(node.gpuSeconds, Amount(192 * 3600));
        QCOMPARE(node.gpuCost, Amount(635'730'000'000));
        QCOMPARE(node.total, Amount(786'480'000'000));
        QVERIFY(!node.spot);
        QCOMPARE(told.accepted, std::uint64_t{1});
    }

    void readsNumbersAsTheyAreWritten_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("nanos");
        QTest::addColumn<bool>("known");
        QTest::newRow("five decimals") << QByteArray("0.12345") << qint64{123'450'000} << true;
        QTest::newRow("explicit zero") << QByteArray("0") << qint64{0} << true;
        QTest::newRow("negative") << QByteArray("-1.5") << qint64{-1'500'000'000} << true;
        QTest::newRow("exponent") << QByteArray("1e-3") << qint64{1'000'000} << true;
        QTest::newRow("beyond a double") << QByteArray("4611686018.427387903") << qint64{4'611'686'018'427'387'903}
                                         << true;
        QTest::newRow("as text") << QByteArray("'2.5'") << qint64{2'500'000'000} << true;
        QTest::newRow("null") << QByteArray("null") << qint64{0} << false;
        QTest::newRow("NaN") << QByteArray("NaN") << qint64{0} << false;
        QTest::newRow("NaN as text") << QByteArray("'NaN'") << qint64{0} << false;
        QTest::newRow("infinite") << QByteArray("'+Inf'") << qint64{0} << false;
        QTest::newRow("1e999") << QByteArray("1e999") << qint64{0} << false;
        QTest::newRow("words") << QByteArray("'many'") << qint64{0} << false;
        QTest::newRow("list") << QByteArray("[1]") << qint64{0} << false;
        QTest::newRow("object") << QByteArray("{'a':1}") << qint64{0} << false;
        QTest::newRow("absent") << QByteArray() << qint64{0} << false;
        QTest::newRow("true") << QByteArray("true") << qint64{0} << false;
    }
    void readsNumbersAsTheyAreWritten()
    {
        QFETCH(QByteArray, text);
        QFETCH(qint64, nanos);
        QFETCH(bool, known);
        const auto told = read(asset("n1", {{"totalCost", text.toStdString()}}), "");
        QCOMPARE(only(told).total, known ? Amount(nanos) : Amount());
        QCOMPARE(only(told).gpuCost, Amount(635'730'000'000)); // the other values are kept
    }

    void impossibleTimesAreUnknown()
    {
        const auto told = read(asset("n1", {{"minutes", "-5"}, {"gpuCount", "-1"}, {"GPUHours", "-8"}}), "");
        QCOMPARE(only(told).seconds, Amount());
        QCOMPARE(only(told).gpuMillis, Amount());
        QCOMPARE(only(told).gpuSeconds, Amount());
    }

    // The key is GPUHours in assets and gpuHours in allocations.
    void knowsItsCapitals()
    {
        QCOMPARE(only(read(asset("n1", {{"GPUHours", ""}, {"gpuHours", "7"}}), "")).gpuSeconds, Amount());
        const auto told = read(asset("n1"), allocation("a", "n1", "'GPUHours':7,'gpuHours':2,'gpuCost':6"));
        QCOMPARE(only(told).pods.gpuSeconds, Amount(7200));
    }

    void takesNodesAlone()
    {
        const auto told = read(asset("d1", {{"type", "'Disk'"}}) + "," + asset("n1", {{"type", "'node'"}}) + ","
                                   + asset("lb", {{"type", "'LoadBalancer'"}}) + ","
                                   + asset("m", {{"type", "'ClusterManagement'"}}) + ",'x':null",
                               "");
        QCOMPARE(only(told).name, std::string("n1"));
        QCOMPARE(told.rejected, std::uint64_t{0});
    }

    void refusesNamesThatAreNone()
    {
        const std::string nobody = "{'cluster':'c','name':''}",
                          endless = "{'cluster':'c','name':'" + std::string(2000, 'x') + "'}";
        const auto told = read(asset("a", {{"properties", nobody}}) + "," + asset("b", {{"properties", endless}}) + ","
                                   + asset("n1") + "," + asset("c", {{"properties", "null"}}),
                               allocation("z", std::string(2000, 'y'), "'gpuHours':1,'gpuCost':3"));
        QCOMPARE(only(told).name, std::string("n1"));
        QCOMPARE(told.rejected, std::uint64_t{4});
    }

    void namesAreData()
    {
        const std::string name = "=cmd|'\\u0000\\u202e<img src=file:///x>../../\\ud83d\\ude00";
        std::string body = "{\"code\":200,\"data\":{\"k\":{\"type\":\"Node\",\"properties\":{\"name\":\"" + name
            + "\",\"cluster\":\"\xff\xfe\"},\"totalCost\":1}}}";
        AllocationRecords records(kAskedDay, base::Currency::usd());
        format::RecordReader reader(AllocationRecords::assetMembers());
        QVERIFY(reader.read(body, [&](std::string_view, const auto &values) { return records.addAsset(values); }));
        const auto day = records.take(model::AllocationProduct::OpenCost);
        QCOMPARE(day.nodes.size(), std::size_t{1});
        QVERIFY(day.nodes[0].name.starts_with("=cmd|'"));
        QVERIFY(day.nodes[0].name.ends_with("\xF0\x9F\x98\x80"));
        QCOMPARE(day.nodes[0].cluster, std::string("\xEF\xBF\xBD\xEF\xBF\xBD"));
    }

    void podsAreAddedByNode()
    {
        const auto told =
            read(asset("n1") + "," + asset("n2"),
                 allocation("a", "n1", "'gpuHours':24,'gpuCost':72.5,'gpuCostAdjustment':-0.5,'totalCost':80") + ","
                     + allocation("b", "n1", "'gpuHours':1,'gpuCost':3,'gpuCostAdjustment':0") + ","
                     + allocation("cpu", "n1", "'gpuHours':0,'gpuCost':0,'totalCost':5") + ","
                     + allocation("old", "n1", "'totalCost':5"));
        QCOMPARE(told.day.nodes[0].pods, (model::AllocatedPods{2, 25 * 3600, 75 * kUnit}));
        QCOMPARE(told.day.nodes[1].pods, (model::AllocatedPods{0, 0, 0}));
    }

    void aPodWithoutANumberMakesTheSumUnknown()
    {
        const auto told = read(asset("n1"),
                               allocation("a", "n1", "'gpuHours':24,'gpuCost':null") + ","
                                   + allocation("b", "n1", "'gpuHours':1,'gpuCost':3"));
        QCOMPARE(only(told).pods, (model::AllocatedPods{2, 25 * 3600, {}}));
    }

    void idleHasThreeNames()
    {
        const std::string idle = "'gpuHours':0,'gpuCost':10.5,'gpuCostAdjustment':-0.5,'totalCost':-2";
        for (const char *name : {"__idle__", "cluster-one/__idle__", "cluster-one/n1/__idle__"}) {
            const auto told = read(asset("n1"), allocation(name, "n1", idle));
            QCOMPARE(told.day.idle.size(), std::size_t{1});
            QCOMPARE(told.day.idle[0], (model::AllocatedIdle{"cluster-one", "n1", -2 * kUnit, 10 * kUnit, 0}));
            QCOMPARE(only(told).pods.pods, std::int64_t{0});
        }
    }

    void unallocatedIsNotIdle()
    {
        const auto told = read(asset("n1"),
                               allocation("__unallocated__", "n1", "'gpuHours':3,'gpuCost':9") + ","
                                   + allocation("__unmounted__", "", "'gpuHours':0,'gpuCost':0,'totalCost':4"));
        QVERIFY(told.day.idle.empty());
        QCOMPARE(only(told).pods, (model::AllocatedPods{1, 3 * 3600, 9 * kUnit}));
    }

    void findsGpuUseUnderThreeNames_data()
    {
        QTest::addColumn<QByteArray>("members");
        QTest::addColumn<bool>("told");
        QTest::newRow("until 2024") << QByteArray("'gpuUsageAverage':0.5") << true;
        QTest::newRow("since") << QByteArray("'gpuAllocation':{'gpuDevice':'nvidia0','gpuUsageAverage':0.5}") << true;
        QTest::newRow("once") << QByteArray("'GPUAllocation':{'gpuUsageAverage':0.5}") << true;
        QTest::newRow("null") << QByteArray("'gpuAllocation':null") << false;
        QTest::newRow("zero") << QByteArray("'gpuUsageAverage':0") << false;
    }
    void findsGpuUseUnderThreeNames()
    {
        QFETCH(QByteArray, members);
        QFETCH(bool, told);
        const auto answer =
            read(asset("n1"), allocation("a", "n1", "'gpuHours':1,'gpuCost':3," + members.toStdString()));
        QCOMPARE(answer.day.toldGpuUse, told);
    }

    void windowsThatMovedAreSeen()
    {
        const auto moved = [](const char *window) { return read(asset("n1", {{"window", window}}), "").foreignWindow; };
        QCOMPARE(moved("{'start':'2025-11-09T23:00:00Z','end':'2025-11-10T23:00:00Z'}"),
                 std::string("2025-11-09T23:00:00Z to 2025-11-10T23:00:00Z"));
        QVERIFY(!moved("{'start':'2025-11-10T00:00:00Z','end':'2025-11-12T00:00:00Z'}").empty());
        QVERIFY(moved("{'start':'2025-11-10T05:00:00Z','end':'2025-11-10T23:59:59Z'}").empty()); // it ran that long
        for (const char *nothing : {"null", "{'start':null,'end':null}", "'today'", "{'start':'yesterday'}", ""})
            QVERIFY(moved(nothing).empty());
    }

    void aNodeToldTwiceIsNotAdded()
    {
        const auto told = read(asset("n1") + "," + asset("n1", {{"totalCost", "1"}}), "");
        QCOMPARE(only(told).total, Amount(786'480'000'000));
        QCOMPARE(told.rejected, std::uint64_t{1});
    }

    void machinesOfOneNameHaveNoPods()
    {
        const std::string other = "{'cluster':'cluster-one','name':'n1','providerID':'i-other'}";
        const auto told = read(asset("n1") + "," + asset("n1", {{"properties", other}}),
                               allocation("a", "n1", "'gpuHours':1,'gpuCost':3"));
        QCOMPARE(told.day.nodes.size(), std::size_t{2});
        for (const auto &node : told.day.nodes)
            QCOMPARE(node.pods.gpuSeconds, Amount());
    }

    void cutAnswersAreNone_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("cut") << QByteArray("{\"code\":200,\"data\":{\"k\":{\"type\":\"Node\"");
        QTest::newRow("trailing text") << QByteArray("{\"code\":200,\"data\":{}} and more");
        QTest::newRow("a list") << QByteArray("[]");
        QTest::newRow("records are numbers") << QByteArray("{\"data\":{\"k\":5}}");
        QTest::newRow("sets are numbers") << QByteArray("{\"data\":[5]}");
        QTest::newRow("data is text") << QByteArray("{\"data\":\"x\"}");
        QTest::newRow("nothing") << QByteArray("");
        QTest::newRow("words") << QByteArray("bad window");
        QTest::newRow("deep") << QByteArray(200000, '[');
    }
    void cutAnswersAreNone()
    {
        QFETCH(QByteArray, body);
        std::string text = body.toStdString();
        format::RecordReader reader(AllocationRecords::assetMembers());
        const auto done = reader.read(text, [](std::string_view, const auto &) { return true; });
        QVERIFY(!done);
        QVERIFY(done.error().code == base::ErrorCode::Parse);
    }

    void deepRecordsAreSkipped()
    {
        std::string deep;
        for (int i = 0; i < 900; ++i)
            deep += "{'a':";
        deep += "1" + std::string(900, '}');
        QCOMPARE(only(read(asset("n1", {{"labels", deep}}), "")).name, std::string("n1"));
    }

    void tooManyRecordsEndTheReading()
    {
        std::string text = envelope("{'a':{},'b':{},'c':{}}");
        format::RecordReader reader({});
        int seen = 0;
        const auto done = reader.read(text, [&](std::string_view, const auto &) { return ++seen < 2; });
        QVERIFY(!done);
        QVERIFY(done.error().code == base::ErrorCode::TooMuch);
        QCOMPARE(seen, 2);
    }
};

GPULEDGER_SUITE(TestOpenCostRecords)

} // namespace tst_opencostrecords

#include "tst_opencostrecords.moc"
