// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "tests/unit/widgets/chartsample.h"
#include "widgets/charts/linechart.h"
#include "widgets/charts/sparkline.h"
#include "widgets/charts/stackedbarchart.h"
#include "widgets/charts/waterfallchart.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPainter>
#include <QTest>

#include <cmath>
#include <set>

namespace tst_lines {

using namespace gpuledger::widgets;
using namespace gpuledger::tests;

class TestLines : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QLocale::setDefault(QLocale::c());
        m_theme = std::make_unique<Theme>();
        m_theme->setMode(Theme::Mode::Light);
    }
    void cleanup() { m_theme.reset(); }

    void noLineGoesThroughAGap_data() { looks(); }
    void noLineGoesThroughAGap()
    {
        QFETCH(bool, dark);
        QFETCH(bool, mirrored);
        m_theme->setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
        TimeLines data = lines(97);
        data.series.resize(1);
        data.series[0].filled = false;
        data.series[0].values.assign(97, 50);
        for (std::size_t i = 40; i < 60; ++i)
            data.series[0].values[i] = kNan;
        LineChart chart(*m_theme);
        chart.setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
        chart.resize(800, 240);
        chart.setData(data);
        const QImage image = chart.picture(1);
        const QColor line = m_theme->color(Color::Active);
        const qreal a = chart.itemRect(41).center().x();
        const qreal b = chart.itemRect(58).center().x();
        const QRectF gap(std::min(a, b), chart.plotRect().top(), std::abs(a - b), chart.plotRect().height());
        QCOMPARE(colored(image, gap, line), 0);
        QVERIFY(colorsIn(image, gap).size() > 3); // hatched
        TimeLines lower = data;
        for (double &value : lower.series[0].values)
            value -= 30;
        chart.setData(lower);
        QVERIFY(chart.picture(1).copy(gap.toAlignedRect()) == image.copy(gap.toAlignedRect())); // no trace of the line
        const QRectF before(chart.itemRect(10).center(), QSizeF(1, 1));
        QVERIFY(inked(image, before.adjusted(-20, -60, 20, 60), line, m_theme->color(Color::Surface)) > 30);
        QVERIFY(chart.itemRect(0).x() < chart.itemRect(1).x()); // time runs to the right in every language
    }

    void aPauseIsAGapToo()
    {
        TimeLines data = lines(20);
        data.series.resize(1);
        data.series[0].values.assign(20, 50);
        data.step = 900'000;
        for (std::size_t i = 10; i < 20; ++i)
            data.times[i] += 20 * 900'000;
        LineChart chart(*m_theme);
        chart.resize(800, 240);
        chart.setData(data);
        const qreal middle = (chart.pointAt(0, 9).x() + chart.pointAt(0, 10).x()) / 2;
        const QRectF gap(middle - 40, chart.plotRect().top(), 80, chart.plotRect().height());
        QVERIFY(colorsIn(chart.picture(1), gap).contains(m_theme->color(Color::Background).rgb())); // hatched
        data.step = 0;
        chart.setData(data);
        QVERIFY(inked(chart.picture(1), gap, m_theme->color(Color::Active), m_theme->color(Color::Surface)) > 70);
    }

    void manyPointsKeepTheirPeak()
    {
        TimeLines data = lines(20000);
        data.series.resize(1);
        data.series[0].filled = false;
        data.series[0].values.assign(20000, 1);
        data.series[0].values[11111] = 100;
        LineChart chart(*m_theme);
        chart.resize(400, 240);
        chart.setData(data);
        const QPointF peak = chart.pointAt(0, 11111);
        const QImage image = chart.picture(1);
        bool seen = false;
        for (int x = -2; x <= 2; ++x) {
            const QColor color = image.pixelColor(static_cast<int>(peak.x()) + x, static_cast<int>(peak.y()) + 20);
            seen = seen || contrastRatio(color, m_theme->color(Color::Surface)) > 1.5;
        }
        QVERIFY(seen);
    }

    void manyPiecesAreDrawnQuicklyAndKeepTheirGaps()
    {
        for (const int pause : {7, 400}) { // 285 pieces; 5
            TimeLines data = lines(2000);
            data.series.resize(1);
            data.series[0].filled = false;
            data.series[0].values.assign(2000, 50);
            for (std::size_t i = 0; i < 2000; ++i) {
                if (static_cast<int>(i) % pause < 3)
                    data.series[0].values[i] = kNan;
            }
            LineChart chart(*m_theme);
            chart.resize(2100, 240);
            chart.setData(data);
            QElapsedTimer timer;
            timer.start();
            const QImage image = chart.picture(1);
            QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
            const qreal y = chart.pointAt(0, pause - 2).y();
            const auto strip = [&](int from, int to) {
                const qreal x = chart.pointAt(0, from).x();
                return QRectF(x + 0.5, y - 3, chart.pointAt(0, to).x() - x, 6);
            };
            QVERIFY(
                inked(image, strip(pause - 3, pause - 1), m_theme->color(Color::Active), m_theme->color(Color::Surface))
                > 0);
            QCOMPARE(colored(image, strip(pause, pause + 1), m_theme->color(Color::Active)), 0);
        }
    }

    // Single points between gaps are dots, of every piece.
    void lonePointsAreDots()
    {
        TimeLines data = lines(21);
        data.series.resize(1);
        data.series[0].filled = false;
        for (std::size_t i = 0; i < 21; ++i)
            data.series[0].values[i] = i % 5 == 2 ? 50 : kNan;
        LineChart chart(*m_theme);
        chart.resize(600, 240);
        chart.setData(data);
        const QImage image = chart.picture(1);
        for (const int i : {2, 7, 12, 17}) {
            const QRectF around(chart.pointAt(0, i) - QPointF(2, 2), QSizeF(4, 4));
            QVERIFY(colored(image, around, m_theme->color(Color::Active)) > 0);
        }
    }

    // Sparkline

    void sparklineStaysInsideAndLeavesGaps()
    {
        QImage image(200, 100, QImage::Format_RGB32);
        image.fill(Qt::white);
        SparklineData data;
        data.values = {1, 5, 2, kNan, kNan, kNan, kNan, kNan, kNan, 1e9, -1e9};
        data.threshold = 3;
        QPainter painter(&image);
        paintSparkline(painter, QRectF(50, 40, 100, 20), *m_theme, data);
        painter.end();
        for (int y = 0; y < 100; ++y) {
            for (int x = 0; x < 200; ++x) {
                if (!QRect(50, 40, 100, 20).contains(x, y))
                    QCOMPARE(image.pixelColor(x, y), QColor(Qt::white));
            }
        }
        data.values = {3, 3, 3, kNan, kNan, kNan, kNan, kNan, kNan, 3, 3};
        data.threshold = kNan;
        image.fill(Qt::white);
        QPainter again(&image);
        paintSparkline(again, QRectF(0, 40, 200, 20), *m_theme, data);
        again.end();
        QCOMPARE(colored(image, QRectF(65, 0, 85, 99), Qt::white), 85 * 99);
        QVERIFY(colored(image, QRectF(0, 0, 40, 99), Qt::white) < 40 * 100);
    }

    void loneValueIsADot()
    {
        for (const QList<double> &values : {QList<double>{7}, QList<double>{kNan, 7, kNan}}) {
            QImage image(60, 24, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            paintSparkline(painter, image.rect(), *m_theme, {values, kNan, kNan, kNan, Color::Accent, true});
            painter.end();
            QVERIFY(colored(image, QRectF(20, 0, 20, 24), m_theme->color(Color::Accent)) >= 1);
        }
    }

    void saysTheSparklineInWords()
    {
        QCOMPARE(sparklineText({1, kNan, 4.5, 2}),
                 QStringLiteral("3 values, lowest 1, highest 4.5, last 2, 1 not observed"));
        QCOMPARE(sparklineText({kNan}), QStringLiteral("nothing observed"));
        Sparkline spark(*m_theme);
        spark.setData({{1, 2}, kNan, kNan, kNan, Color::Idle, true}, [](double) { return QStringLiteral("x"); });
        QVERIFY(spark.accessibleDescription().contains(QStringLiteral("last x")));
    }

private:
    static void looks()
    {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<bool>("mirrored");
        QTest::newRow("light") << false << false;
        QTest::newRow("dark") << true << false;
        QTest::newRow("light, right to left") << false << true;
        QTest::newRow("dark, right to left") << true << true;
    }

    std::unique_ptr<Theme> m_theme;
};

GPULEDGER_WINDOW_SUITE(TestLines)

} // namespace tst_lines

#include "tst_lines.moc"
