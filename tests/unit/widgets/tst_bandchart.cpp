// SPDX-License-Identifier: GPL-3.0-or-later
// A figure and its spread over what it depends on: where its points are, at extremes too, and what is said of them.
#include "tests/support/suite.h"
#include "widgets/charts/bandchart.h"

#include <QAccessible>
#include <QTest>

#include <cmath>
#include <limits>
#include <memory>

namespace tst_bandchart {

using namespace gpuledger::widgets;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

BandLines bandOf(double size)
{
    BandLines data;
    data.title = QStringLiteral("Cost");
    data.xName = QStringLiteral("Checkpoint every");
    data.yUnit = QStringLiteral("%");
    data.logarithmic = true;
    data.bandName = QStringLiteral("p10–p90");
    BandLines::Series median{QStringLiteral("Median"), {}, {}};
    for (int i = 0; i < 5; ++i) {
        data.xs.push_back(60 * std::pow(2, i));
        median.values.push_back(size * (i + 1));
        data.low.push_back(size * i);
        data.high.push_back(size * (i + 3));
    }
    data.series = {median};
    data.marks = {{240, QStringLiteral("best"), Color::Good}, {250, QStringLiteral("counted"), Color::Muted}};
    data.reference = 10 * size;
    data.referenceText = QStringLiteral("on demand");
    data.xText = [](double x) { return QStringLiteral("%1 min").arg(x / 60); };
    data.valueText = [](double value) { return QString::number(value); };
    return data;
}

// How much of a picture has about this colour.
int pixelsLike(const QImage &image, const QColor &color)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor at = image.pixelColor(x, y);
            count += std::abs(at.red() - color.red()) + std::abs(at.green() - color.green())
                        + std::abs(at.blue() - color.blue())
                    < 60
                ? 1
                : 0;
        }
    }
    return count;
}

} // namespace

class TestBandChart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QLocale::setDefault(QLocale::c());
        m_theme = std::make_unique<Theme>();
        m_theme->setMode(Theme::Mode::Light);
    }
    void cleanup() { m_theme.reset(); }

    void pointsStandWhereTheirValuesAre_data()
    {
        QTest::addColumn<double>("size");
        QTest::addColumn<bool>("mirrored");
        for (const double size : {1.0, 1e12, 1e-6, -1.0, 1e299}) {
            for (const bool mirrored : {false, true})
                QTest::addRow("%g %d", size, mirrored) << size << mirrored;
        }
    }
    void pointsStandWhereTheirValuesAre()
    {
        QFETCH(double, size);
        QFETCH(bool, mirrored);
        BandChart chart(*m_theme);
        chart.setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
        chart.resize(420, 220);
        chart.setData(bandOf(size));
        const QImage image = chart.picture(1);
        QVERIFY(!image.isNull());
        const QRectF plot = chart.plotRect();
        QVERIFY(plot.width() > 250 && plot.height() > 80);
        const QColor line = SeriesColor().resolve(*m_theme);
        QVERIFY(pixelsLike(image, line) > 40); // the line is drawn
        for (int i = 0; i < chart.itemCount(); ++i) {
            const QPointF at = chart.pointAt(0, i);
            QVERIFY(plot.adjusted(-1, -1, 1, 1).contains(at));
            QVERIFY(chart.itemRect(i).adjusted(-1, 0, 1, 0).contains(QPointF(at.x(), plot.center().y())));
            // Doubled times have the same distance.
            QVERIFY(std::abs(at.x() - plot.left() - plot.width() * i / 4) < 0.01);
            if (i > 0)
                QVERIFY(size > 0 ? at.y() < chart.pointAt(0, i - 1).y() : at.y() > chart.pointAt(0, i - 1).y());
        }
    }

    // The band reaches above and below its line, and the reference lies across.
    void bandAndReferenceAreDrawn()
    {
        BandChart chart(*m_theme);
        chart.resize(420, 220);
        chart.setData(bandOf(1));
        const QImage with = chart.picture(1);
        BandLines bare = bandOf(1);
        bare.low.clear();
        bare.high.clear();
        chart.setData(bare);
        const QColor surface = m_theme->color(Color::Surface);
        QVERIFY(pixelsLike(with, surface) + 2000 < pixelsLike(chart.picture(1), surface));
        QVERIFY(pixelsLike(with, m_theme->color(Color::Critical)) > 40);
    }

    // Nothing of the axes and lines before is left, though they are drawn within one event.
    void newDataLeaveNothingOfTheOld()
    {
        BandLines other = bandOf(1000);
        other.logarithmic = false;
        other.marks.clear();
        other.reference = kNaN;
        BandChart fresh(*m_theme), used(*m_theme);
        for (BandChart *chart : {&fresh, &used})
            chart->resize(420, 220);
        used.setData(bandOf(1));
        const QImage before = used.picture(1);
        used.setData(other);
        fresh.setData(other);
        QVERIFY(used.picture(1) != before);
        QCOMPARE(used.picture(1), fresh.picture(1));
    }

    void keysMove()
    {
        BandChart chart(*m_theme);
        chart.resize(420, 220);
        chart.setData(bandOf(1));
        chart.show();
        QTest::keyClick(&chart, Qt::Key_Home);
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(chart.currentIndex(), 1);
        chart.setData(bandOf(2)); // another assumption: the place stays
        QCOMPARE(chart.currentIndex(), 1);
    }

    void saysEachPoint()
    {
        BandChart chart(*m_theme);
        chart.resize(420, 220);
        BandLines data = bandOf(1);
        data.shaded = {false, true, false, false, false};
        data.shadedName = QStringLiteral("off");
        data.series.front().values[2] = kNaN;
        chart.setData(data);
        QCOMPARE(chart.itemText(0), QStringLiteral("1 min: Median 1, p10–p90 0 to 3, on demand 10"));
        QCOMPARE(chart.itemName(1), QStringLiteral("2 min, off"));
        QVERIFY(chart.itemText(2).contains(QStringLiteral("Median unknown")));
        QVERIFY(chart.summary().contains(QStringLiteral("best")));
        QVERIFY(chart.summary().contains(QStringLiteral("lowest 1, highest 5")));
        QAccessibleInterface *const spoken = QAccessible::queryAccessibleInterface(&chart);
        QVERIFY(spoken);
        QCOMPARE(spoken->childCount(), chart.itemCount());
        const std::vector<HoverLine> lines = chart.itemLines(0);
        QCOMPARE(lines.size(), std::size_t{3});
    }

    void nothingAndLittle()
    {
        BandChart chart(*m_theme);
        chart.resize(300, 160);
        chart.setData({});
        QCOMPARE(chart.itemCount(), 0);
        QVERIFY(!chart.picture(1).isNull());
        BandLines one = bandOf(0); // all of it is zero
        one.xs.resize(1);
        chart.setData(one);
        QCOMPARE(chart.itemCount(), 1);
        QVERIFY(!chart.picture(1).isNull());
        QVERIFY(chart.itemRect(0).width() > 1);
        BandLines unknown = bandOf(1);
        unknown.series.front().values.assign(5, kNaN);
        unknown.low.assign(5, kNaN);
        unknown.high.assign(5, std::numeric_limits<double>::infinity());
        unknown.reference = kNaN;
        chart.setData(unknown);
        QVERIFY(!chart.picture(1).isNull());
        QVERIFY(chart.summary().contains(QStringLiteral("unknown")));
        BandLines far = bandOf(1);
        far.marks = {{1e9, QStringLiteral("beyond"), Color::Good}, {0, QStringLiteral("before"), Color::Good}};
        far.series.front().values.resize(2); // the others are unknown
        chart.setData(far);
        QVERIFY(!chart.picture(1).isNull());
        QVERIFY(std::isnan(chart.pointAt(0, 4).y()));
        chart.resize(20, 20);
        QVERIFY(!chart.picture(1).isNull());
    }

private:
    std::unique_ptr<Theme> m_theme;
};

GPULEDGER_WINDOW_SUITE(TestBandChart)

} // namespace tst_bandchart

#include "tst_bandchart.moc"
