// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/capacity/spothistory.h"
#include "tests/support/suite.h"

#include <QElapsedTimer>
#include <QtTest>

namespace tst_spothistory {

using namespace gpuledger;
using namespace gpuledger::savings;

namespace {

const std::string kHead = "trace,zone,instance_type,gpu,gpus,tick_s,start_s,duration_s,available\n";

std::string errorOf(const std::string &rows)
{
    const auto read = readSpotIntervals(kHead + rows);
    return read ? std::string("read") : read.error().text;
}

std::vector<SpotTrace> twoZones()
{
    return readSpotIntervals(kHead
                             + "t,a,p3.2xlarge,V100,1,600,0,3600,1\nt,b,p3.2xlarge,V100,1,600,0,600,0\n"
                               "t,a,p3.2xlarge,V100,1,600,3600,1200,0\nt,b,p3.2xlarge,V100,1,600,600,6000,1\n"
                               "t,a,p3.2xlarge,V100,1,600,4800,1200,1\n")
        .value();
}

} // namespace

class TestSpotHistory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsTracesInAnyOrderOfColumnsAndRows()
    {
        const auto traces = twoZones();
        QCOMPARE(traces.size(), std::size_t(2));
        QCOMPARE(traces[0].intervals.size(), std::size_t(3));
        QVERIFY((traces[0].intervals[1] == SpotInterval{3600, 1200, false}));
        QCOMPARE(traces[1].end(), std::int64_t(6600));
        const auto turned = readSpotIntervals("\xEF\xBB\xBF"
                                              "available,duration_s,start_s,tick_s,gpus,gpu,more,instance_type,zone,"
                                              "trace\r\n1,3600,0,600,8,V100,x,p3.16xlarge,a,t\r\n");
        QVERIFY(turned);
        QCOMPARE(turned->front().gpus, 8);
        QVERIFY(turned->front().intervals.front().available);
    }

    void readsPricesIfThereAreAny()
    {
        const std::string head = kHead.substr(0, kHead.size() - 1) + ",price\n";
        const auto traces = readSpotIntervals(head
                                              + "t,a,x,V100,1,600,0,600,1,0.92\nt,a,x,V100,1,600,600,600,1,\n"
                                                "t,a,x,V100,1,600,1200,600,0,0.92\nt,a,x,V100,1,600,1800,600,1,1.5\n");
        QVERIFY(traces);
        QCOMPARE(traces->front().intervals.size(), std::size_t(3));
        QVERIFY((traces->front().prices == std::vector<SpotPriceStep>{{0, 920'000'000}, {1800, 1'500'000'000}}));
        QVERIFY(twoZones().front().prices.empty());
        for (const char *price : {"0", "-1", "free"}) {
            const auto wrong = readSpotIntervals(head + "t,a,x,V100,1,600,0,600,1," + price + "\n");
            QVERIFY(!wrong);
            QVERIFY(wrong.error().text.find("line 2 of the interruption history: price") == 0);
        }
    }

    void joinsNeighboursOfTheSameState()
    {
        const auto traces = readSpotIntervals(kHead + "t,a,x,V100,1,600,0,600,1\nt,a,x,V100,1,600,600,600,1\n");
        QVERIFY(traces);
        QCOMPARE(traces->front().intervals.size(), std::size_t(1));
        QCOMPARE(traces->front().intervals.front().length, std::int64_t(1200));
    }

    void refusesHostileRowsByLine_data()
    {
        QTest::addColumn<QByteArray>("rows");
        QTest::addColumn<QByteArray>("part");
        const QByteArray good = "t,a,x,V100,1,600,0,600,1\n";
        QTest::newRow("few cells") << good + "t,a,x\n"
                                   << QByteArray("line 3 of the interruption history: it has 3 cells");
        QTest::newRow("text") << QByteArray("t,a,x,V100,1,600,0,long,1\n")
                              << QByteArray("line 2 of the interruption history: duration_s can't be \"long\"");
        QTest::newRow("zero") << QByteArray("t,a,x,V100,1,600,0,0,1\n") << QByteArray("duration_s can't be \"0\"");
        QTest::newRow("negative") << QByteArray("t,a,x,V100,1,600,-1,600,1\n") << QByteArray("start_s can't be \"-1\"");
        QTest::newRow("huge") << QByteArray("t,a,x,V100,1,600,0,99999999999999999999,1\n")
                              << QByteArray("duration_s can't be");
        QTest::newRow("state") << QByteArray("t,a,x,V100,1,600,0,600,2\n") << QByteArray("available can't be \"2\"");
        QTest::newRow("gpus") << QByteArray("t,a,x,V100,0,600,0,600,1\n") << QByteArray("gpus can't be \"0\"");
        QTest::newRow("zone") << QByteArray("t,,x,V100,1,600,0,600,1\n") << QByteArray("zone is empty");
        QTest::newRow("gap") << good + "t,a,x,V100,1,600,1200,600,0\n"
                             << QByteArray("line 3 of the interruption history: it starts at second 1200, but the "
                                           "interval before it ends at 600");
        QTest::newRow("overlap") << good + "t,a,x,V100,1,600,300,600,0\n" << QByteArray("it starts at second 300");
        QTest::newRow("other machine") << good + "t,a,x,A100,1,600,600,600,0\n"
                                       << QByteArray("gpu, gpus or tick_s differ");
        QTest::newRow("none") << QByteArray() << QByteArray("has no rows");
        QTest::newRow("control") << QByteArray("t,a,x,V100,1,600,0,\x1b[2J,1\n")
                                 << QByteArray("duration_s can't be \"\xEF\xBF\xBD[2J\"");
    }
    void refusesHostileRowsByLine()
    {
        QFETCH(QByteArray, rows);
        QFETCH(QByteArray, part);
        const QByteArray error = QByteArray::fromStdString(errorOf(rows.toStdString()));
        QVERIFY2(error.contains(part), error.constData());
    }

    void refusesAMissingColumn()
    {
        const auto read = readSpotIntervals("trace,zone\nt,a\n");
        QVERIFY(!read);
        QCOMPARE(read.error().text,
                 std::string("line 1 of the interruption history: there is no column instance_type"));
        QVERIFY(!readSpotIntervals(""));
    }

    // Names in turn, so that no row is of the trace of the one before it: a search through all of them would take
    // 10^10 comparisons.
    void manyNamesAreReadInOneGo()
    {
        constexpr int kNames = 100'000;
        std::string rows = kHead;
        for (const char *state : {",x,V100,1,600,0,600,1\n", ",x,V100,1,600,600,600,0\n"}) {
            for (int i = 0; i < kNames; ++i)
                rows += "t,zone-of-a-long-name-" + std::to_string(i) + state;
        }
        QElapsedTimer timer;
        timer.start();
        const auto traces = readSpotIntervals(rows);
        QVERIFY2(timer.elapsed() < 20'000, qPrintable(QString::number(timer.elapsed())));
        QVERIFY(traces);
        QCOMPARE(traces->size(), std::size_t{kNames});
        QCOMPARE(traces->back().intervals.size(), std::size_t{2});
        QCOMPARE(traces->back().zone, "zone-of-a-long-name-" + std::to_string(kNames - 1));
    }

    void choosesByModelTypeAndZone()
    {
        const auto traces = twoZones();
        QCOMPARE(chosenTraces(traces, {"v100", 1, ""})->size(), std::size_t(2));
        QCOMPARE(chosenTraces(traces, {"P3.2xlarge", 1, "b"})->front().zone, std::string("b"));
        const auto model = chosenTraces(traces, {"H100", 1, ""}), count = chosenTraces(traces, {"V100", 8, ""}),
                   zone = chosenTraces(traces, {"V100", 1, "c"});
        QVERIFY(!model && !count && !zone);
        QCOMPARE(count.error().text, std::string("the interruption history has no machine with 8 x V100"));
        QCOMPARE(zone.error().hint, std::string("its zones are a, b"));
    }

    void cutsAtTheStart()
    {
        const SpotTrace trace = twoZones().front();
        QVERIFY(before(trace, 0).intervals.empty());
        QCOMPARE(before(trace, 3600).intervals.size(), std::size_t(1)); // strictly before
        const SpotTrace known = before(trace, 4000), rest = since(trace, 4000);
        QVERIFY((known.intervals.back() == SpotInterval{3600, 400, false}));
        QVERIFY((rest.intervals.front() == SpotInterval{4000, 800, false}));
        QCOMPARE(before(trace, 99999).end(), trace.end());
        const SpotShape shape = shapeOf({trace});
        QCOMPARE(shape.up, std::int64_t(4800));
        QCOMPARE(shape.interruptions, 1); // the last interval did not end
        QCOMPARE(shape.upIntervals, 2);
    }
};

GPULEDGER_PLAIN_SUITE(TestSpotHistory)

} // namespace tst_spothistory

#include "tst_spothistory.moc"
