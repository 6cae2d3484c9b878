// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of work on spot machines comes true as often as it says, on the real intervals.
#include "tests/support/calibration/spotcalibration.h"
#include "tests/support/suite.h"

#include <QtTest>

namespace tst_spotcalibration {

using namespace gpuledger;

class TestSpotCalibration : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bandsHoldTheTruth_data()
    {
        using tests::SpotKnown;
        QTest::addColumn<double>("hours");
        QTest::addColumn<SpotKnown>("known");
        QTest::newRow("8 h") << 8.0 << SpotKnown::UntilStart;
        QTest::newRow("24 h") << 24.0 << SpotKnown::UntilStart;
        QTest::newRow("8 h, from the first half") << 8.0 << SpotKnown::FirstHalf;
        QTest::newRow("24 h, from the first half") << 24.0 << SpotKnown::FirstHalf;
    }
    void bandsHoldTheTruth()
    {
        const auto traces = tests::realSpotTraces();
        if (traces.empty())
            QSKIP("skipped: no trace");
        QFETCH(double, hours);
        QFETCH(tests::SpotKnown, known);
        tests::SpotTrial all;
        all.name = "all";
        for (const savings::SpotTrace &trace : traces) {
            const auto trial = tests::calibrateSpot(trace, tests::usualSpotWork(hours), known, 200, 100);
            qInfo("%s", trial.text().c_str());
            all.add(trial);
        }
        qInfo("%s", all.text().c_str());
        QVERIFY(all.replays > 900);
        for (const double share : {all.costShare(), all.hoursShare()})
            QVERIFY2(share >= 0.7 && share <= 0.92, all.text().c_str());
        QVERIFY2(all.cost.medianWidth() < all.cost.spread(), all.text().c_str());
        QVERIFY2(all.hours.medianWidth() < all.hours.spread(), all.text().c_str());
    }
};

GPULEDGER_PLAIN_SUITE(TestSpotCalibration)

} // namespace tst_spotcalibration

#include "tst_spotcalibration.moc"
