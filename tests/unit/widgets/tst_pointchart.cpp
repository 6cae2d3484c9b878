// SPDX-License-Identifier: GPL-3.0-or-later
// A curve of choices: where its points are, how they are reached, and what is said of them.
#include "tests/support/suite.h"
#include "widgets/charts/pointchart.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <memory>

namespace tst_pointchart {

using namespace gpuledger::widgets;

namespace {

CurvePoints curveOf(double size)
{
    CurvePoints data;
    data.name = QStringLiteral("Hours against false stops");
    data.title = data.yName = QStringLiteral("Hours");
    data.xName = QStringLiteral("False stops");
    data.lineName = QStringLiteral("One time");
    data.markedName = QStringLiteral("In use");
    for (int i = 0; i < 5; ++i) {
        CurvePoints::Point point;
        point.x = size * i;
        point.y = size * std::sqrt(i);
        point.name = QStringLiteral("%1 h").arg(i);
        point.lines.push_back({QStringLiteral("False stops"), QString::number(i), true, {}});
        point.marked = i == 3;
        data.points.push_back(std::move(point));
    }
    return data;
}

} // namespace

class TestPointChart : public QObject {
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
        for (const double size : {1.0, 1e12, 1e-3}) {
            for (const bool mirrored : {false, true})
                QTest::addRow("%g %d", size, mirrored) << size << mirrored;
        }
    }
    void pointsStandWhereTheirValuesAre()
    {
        QFETCH(double, size);
        QFETCH(bool, mirrored);
        PointChart chart(*m_theme);
        chart.setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
        chart.resize(600, 240);
        chart.setData(curveOf(size));
        const QImage image = chart.picture(1);
        QVERIFY(!image.isNull());
        const QRectF plot = chart.plotRect();
        QVERIFY(plot.width() > 300 && plot.height() > 80);
        for (int i = 0; i < chart.itemCount(); ++i) {
            const QPointF at = chart.pointAt(i);
            QVERIFY(plot.adjusted(-1, -1, 1, 1).contains(at));
            QVERIFY(chart.itemRect(i).contains(QPointF(at.x(), plot.center().y())));
            if (i > 0)
                QVERIFY(chart.pointAt(i - 1).x() <= at.x() && chart.pointAt(i - 1).y() >= at.y());
        }
        QCOMPARE(chart.pointAt(0), QPointF(plot.left(), plot.bottom())); // both axes start at zero
    }

    void keysMoveAndEnterPicks()
    {
        PointChart chart(*m_theme);
        chart.resize(600, 240);
        chart.setData(curveOf(1));
        chart.show();
        QCOMPARE(chart.currentIndex(), 3); // the marked one
        const QSignalSpy picked(&chart, &PointChart::activated);
        QTest::keyClick(&chart, Qt::Key_Home);
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(chart.currentIndex(), 1);
        QCOMPARE(picked.size(), 0);
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(picked.size(), 1);
        QCOMPARE(picked.front().front().toInt(), 1);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.pointAt(4).toPoint());
        QCOMPARE(picked.size(), 2);
        QCOMPARE(picked.back().front().toInt(), 4);
        chart.setData(curveOf(2)); // new figures, the same points
        QCOMPARE(chart.currentIndex(), 4);
    }

    void saysEachPoint()
    {
        PointChart chart(*m_theme);
        chart.resize(600, 240);
        chart.setData(curveOf(1));
        QCOMPARE(chart.itemText(1), QStringLiteral("1 h: False stops 1"));
        QCOMPARE(chart.itemName(3), QStringLiteral("3 h, In use"));
        QVERIFY(chart.summary().contains(QStringLiteral("4 h")));
        QAccessibleInterface *const spoken = QAccessible::queryAccessibleInterface(&chart);
        QVERIFY(spoken);
        QCOMPARE(spoken->childCount(), chart.itemCount());
        QVERIFY(spoken->child(1)->text(QAccessible::Name).contains(QStringLiteral("1 h")));
    }

    void nothingAndOnePoint()
    {
        PointChart chart(*m_theme);
        chart.resize(300, 160);
        chart.setData({});
        QCOMPARE(chart.itemCount(), 0);
        QVERIFY(!chart.picture(1).isNull());
        CurvePoints one = curveOf(0); // all of it is zero
        one.points.resize(1);
        chart.setData(one);
        QCOMPARE(chart.itemCount(), 1);
        QVERIFY(!chart.picture(1).isNull());
        QVERIFY(chart.itemRect(0).width() > 1);
    }

private:
    std::unique_ptr<Theme> m_theme;
};

GPULEDGER_WINDOW_SUITE(TestPointChart)

} // namespace tst_pointchart

#include "tst_pointchart.moc"
