// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "widgets/heatmap/heatmapgeometry.h"

#include <QTest>

#include <algorithm>
#include <cmath>

namespace tst_heatmapgeometry {

using namespace gpuledger::widgets;

class TestHeatmapGeometry : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCellIsFoundAtItsPlace_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<double>("ratio");
        QTest::addColumn<bool>("mirrored");
        QTest::addColumn<QPoint>("scroll");
        for (const bool mirrored : {false, true}) {
            for (const double ratio : {1.0, 1.25, 2.0}) {
                const auto name = [&](const char *shape) -> QByteArray {
                    return QByteArray(shape) + (mirrored ? " mirrored " : " ") + QByteArray::number(ratio);
                };
                QTest::newRow(name("week").constData()) << 8 << 168 << ratio << mirrored << QPoint();
                QTest::newRow(name("one").constData()) << 1 << 1 << ratio << mirrored << QPoint();
                QTest::newRow(name("large").constData()) << 200 << 2000 << ratio << mirrored << QPoint(301, 57);
            }
        }
    }
    void everyCellIsFoundAtItsPlace()
    {
        QFETCH(int, rows);
        QFETCH(int, columns);
        const HeatmapMeasures measures = fetched();
        const HeatmapGeometry geometry(measures);
        int seen = 0;
        for (int row = 0; row < rows; row += std::max(1, rows / 40)) {
            for (int column = 0; column < columns; ++column) {
                const QRectF cell = geometry.cellRect(row, column);
                QVERIFY(cell.width() >= 3 && cell.height() >= 10);
                for (const QPointF &point :
                     {cell.center(), cell.topLeft() + QPointF(0.1, 0.1), cell.bottomRight() - QPointF(0.1, 0.1)}) {
                    if (!QRectF(geometry.cells()).adjusted(1, 1, -1, -1).contains(point))
                        continue;
                    ++seen;
                    QCOMPARE(geometry.rowAt(static_cast<int>(std::floor(point.y()))), row);
                    QCOMPARE(geometry.columnAt(point.x()), column);
                }
            }
        }
        QVERIFY(seen > 0);
    }

    void columnsAreEquallyWideOnTheDevice_data() { everyCellIsFoundAtItsPlace_data(); }
    void columnsAreEquallyWideOnTheDevice()
    {
        QFETCH(double, ratio);
        const HeatmapGeometry geometry(fetched());
        const double pixels = geometry.columnWidth() * ratio;
        QVERIFY(qAbs(pixels - std::round(pixels)) < 1e-9);
    }

    void areasLieApartAndInside_data() { everyCellIsFoundAtItsPlace_data(); }
    void areasLieApartAndInside()
    {
        const HeatmapMeasures measures = fetched();
        const HeatmapGeometry g(measures);
        const QList<QRect> areas{g.groups(), g.strip(), g.cells(), g.labels(), g.means(), g.sides(), g.legend()};
        const QRect all(QPoint(), measures.viewport);
        for (int i = 0; i < areas.size(); ++i) {
            QVERIFY2(all.contains(areas[i]), qPrintable(QString::number(i)));
            for (int k = i + 1; k < areas.size(); ++k)
                QVERIFY2(!areas[i].intersects(areas[k]), qPrintable(QStringLiteral("%1 %2").arg(i).arg(k)));
        }
    }

    void nothingIsFoundOutside()
    {
        HeatmapMeasures measures = typical();
        measures.rows = 3;
        measures.columns = 5;
        const HeatmapGeometry geometry(measures);
        QCOMPARE(geometry.columnAt(geometry.cells().left() - 1), -1);
        QCOMPARE(geometry.columnAt(geometry.cells().right() + 2), -1);
        QCOMPARE(geometry.rowAt(geometry.cells().top() - 1), -1);
        QCOMPARE(geometry.rowAt(geometry.cells().bottom() + 1), -1);
    }

    void manyCellsScrollInsteadOfShrinking()
    {
        HeatmapMeasures measures = typical();
        measures.rows = 200;
        measures.columns = 2000;
        const HeatmapGeometry geometry(measures);
        QVERIFY(geometry.contentSize().height() > geometry.pageSize().height());
        QVERIFY(geometry.contentSize().width() > geometry.pageSize().width());
        QCOMPARE(geometry.pageSize().height() % static_cast<int>(geometry.rowPitch()), 0);
        QVERIFY(!geometry.isDense());
    }

    void zoomShowsFromAllCellsToLargeOnes()
    {
        HeatmapMeasures measures = typical();
        measures.rows = 10000;
        measures.columns = 2016;
        const HeatmapGeometry readable(measures);
        QVERIFY(readable.leastZoom() < 1 && readable.mostZoom() > 1);
        measures.zoom = readable.leastZoom();
        const HeatmapGeometry all(measures);
        QVERIFY(all.isDense());
        QVERIFY(all.contentSize().height() <= all.pageSize().height());
        QVERIFY(all.contentSize().width() <= all.pageSize().width());
        QVERIFY(all.rowPitch() > 0 && all.rowPitch() < 1);
        QVERIFY(all.labelledRows() * all.rowPitch() >= measures.bodyHeight);
        measures.zoom = readable.mostZoom();
        const HeatmapGeometry large(measures);
        QVERIFY(!large.isDense());
        QVERIFY(large.columnWidth() > 60 && large.rowPitch() > readable.rowPitch());
        measures.rows = 8; // everything fits
        measures.columns = 24;
        QCOMPARE(HeatmapGeometry(measures).leastZoom(), 1.0);
    }

    void denseCellsAreFoundAtTheirPlace()
    {
        HeatmapMeasures measures = typical();
        measures.rows = 10000;
        measures.columns = 2016;
        for (const double zoom : {0.02, 0.15, 0.4}) {
            measures.zoom = zoom;
            measures.scroll = {};
            const HeatmapGeometry geometry(measures);
            for (const int row : {0, 7, 30}) {
                const QRectF cell = geometry.cellRect(row, 5);
                QVERIFY(qAbs(geometry.rowAt(static_cast<int>(std::floor(cell.center().y()))) - row)
                        <= 1 / geometry.rowPitch() + 1e-9);
                QCOMPARE(geometry.columnAt(cell.center().x()), 5);
            }
        }
    }

    void aWeekFitsAtTheSmallestWindow()
    {
        HeatmapMeasures measures = typical();
        measures.viewport = {1024 - 56 - 64, 480};
        measures.rows = 8;
        measures.columns = 168;
        const HeatmapGeometry geometry(measures);
        QVERIFY(geometry.contentSize().width() <= geometry.pageSize().width());
        QVERIFY(geometry.contentSize().height() <= geometry.pageSize().height());
    }

    void rangesCoverWhatTouchesARectangle()
    {
        HeatmapMeasures measures = typical();
        measures.rows = 8;
        measures.columns = 168;
        const HeatmapGeometry geometry(measures);
        int first = 0;
        int last = 0;
        const QRect cell = geometry.cellRect(2, 40).toRect();
        geometry.columnsIn(cell, first, last);
        QVERIFY(first <= 40 && last >= 40 && last - first <= 2);
        geometry.rowsIn(cell, first, last);
        QCOMPARE(first, 2);
        QCOMPARE(last, 2);
        geometry.columnsIn(geometry.labels(), first, last);
        QVERIFY(last < first);
    }

private:
    static HeatmapMeasures typical()
    {
        HeatmapMeasures measures;
        measures.viewport = {1158, 440};
        measures.labelWidth = 90;
        measures.meanWidth = 32;
        measures.sideWidth = 90;
        measures.hasGroups = true;
        measures.hasMeans = true;
        return measures;
    }

    static HeatmapMeasures fetched()
    {
        HeatmapMeasures measures = typical();
        measures.rows = value<int>("rows");
        measures.columns = value<int>("columns");
        measures.devicePixelRatio = value<double>("ratio");
        measures.mirrored = value<bool>("mirrored");
        measures.scroll = value<QPoint>("scroll");
        return measures;
    }

    template <typename T> static T value(const char *name)
    {
        return *static_cast<T *>(QTest::qData(name, qMetaTypeId<T>()));
    }
};

GPULEDGER_SUITE(TestHeatmapGeometry)

} // namespace tst_heatmapgeometry

#include "tst_heatmapgeometry.moc"
