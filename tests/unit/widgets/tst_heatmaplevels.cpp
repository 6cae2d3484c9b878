// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "tests/unit/widgets/heatmapsample.h"
#include "widgets/heatmap/heatmap.h"
#include "widgets/theme/tokens.h"

#include <QElapsedTimer>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <cmath>

namespace tst_heatmaplevels {

using namespace gpuledger::widgets;
using gpuledger::tests::matrix;

namespace {

constexpr QRgb kHatch = 0xff123456;
constexpr QRgb kSurface = 0xffffffff;

HeatmapColors plainColors()
{
    HeatmapColors colors;
    for (int i = 0; i < kHeatSteps; ++i)
        colors.steps[static_cast<std::size_t>(i)] = colors.lines[static_cast<std::size_t>(i)] =
            qRgb(i * 20, i * 20, i * 20);
    colors.surface = kSurface;
    colors.hatch = QImage(1, 1, QImage::Format_RGB32);
    colors.hatch.setPixel(0, 0, kHatch);
    return colors;
}

// Rows and columns without texts.
HeatmapData bare(int rows, int columns, double value)
{
    HeatmapData data;
    data.rows.resize(static_cast<std::size_t>(rows));
    for (int i = 0; i < columns; ++i)
        data.columns << QString::number(i);
    data.values.assign(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), value);
    return data;
}

QImage whole(const HeatmapData &data, const QSize &size)
{
    HeatmapView view;
    view.area = QRect(QPoint(), size);
    view.width = size.width();
    view.columnWidth = static_cast<double>(size.width()) / data.columnCount();
    view.rowPitch = static_cast<double>(size.height()) / data.rowCount();
    return HeatmapLevels(data).render(view, plainColors());
}

} // namespace

class TestHeatmapLevels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyStepIsExact()
    {
        HeatmapData data = bare(1, 1001, 0);
        for (int i = 0; i <= 1000; ++i)
            data.values[static_cast<std::size_t>(i)] = i / 10.0;
        const QImage image = whole(data, {1001, 1});
        for (int i = 0; i <= 1000; ++i)
            QCOMPARE(image.pixel(i, 0), plainColors().steps[static_cast<std::size_t>(heatStep(i / 10.0, 0, 100))]);
    }

    // Half of the rows at 0 and half at 100: seen all at once, every place shows the mean.
    void manyRowsOfAPixelShowTheirMean()
    {
        HeatmapData data = bare(8192, 64, 0);
        for (std::size_t i = 0; i < data.values.size(); ++i)
            data.values[i] = i / 64 % 2 ? 100 : 0;
        const QImage image = whole(data, {64, 64});
        for (int y = 0; y < 64; ++y) {
            for (int x = 0; x < 64; ++x) {
                const int grey = qGray(image.pixel(x, y)) / 20;
                QVERIFY2(grey == 4 || grey == 5, qPrintable(QString::number(grey)));
            }
        }
    }

    void manyColumnsOfAPixelShowTheirMean()
    {
        HeatmapData data = bare(10, 2000, 0);
        for (std::size_t i = 0; i < data.values.size(); ++i)
            data.values[i] = i % 2 ? 100 : 0;
        const QImage image = whole(data, {200, 100});
        QVERIFY(qGray(image.pixel(100, 50)) / 20 == 4 || qGray(image.pixel(100, 50)) / 20 == 5);
    }

    void missingLooksMissingAtEveryLevel_data()
    {
        QTest::addColumn<int>("missing"); // of ten rows
        QTest::addColumn<bool>("hatched");
        QTest::newRow("one") << 1 << false;
        QTest::newRow("most") << 7 << true;
        QTest::newRow("all") << 10 << true;
    }
    void missingLooksMissingAtEveryLevel()
    {
        QFETCH(int, missing);
        QFETCH(bool, hatched);
        HeatmapData data = bare(10240, 4, 100);
        for (std::size_t row = 0; row < 10240; ++row) {
            for (std::size_t c = 0; c < 4 && static_cast<int>(row % 10) < missing; ++c)
                data.values[row * 4 + c] = kMissing;
        }
        const QImage image = whole(data, {4, 16});
        for (int y = 0; y < 16; ++y)
            QCOMPARE(image.pixel(2, y) == kHatch, hatched);
    }

    void blanksAreEmptyAndNotMissing()
    {
        HeatmapData data = bare(2048, 4, kMissing);
        data.blanks.assign(data.values.size(), true);
        const HeatmapLevels levels(data);
        QVERIFY(levels.hasBlanks());
        QCOMPARE(whole(data, {4, 16}).pixel(1, 1), kSurface);
    }

    void packedValuesAreTheSamePicture()
    {
        HeatmapData data = bare(1000, 50, 0);
        auto packed = std::make_shared<std::vector<float>>();
        for (std::size_t i = 0; i < data.values.size(); ++i) {
            const double share = static_cast<double>(i * 7 % 1000) / 1000;
            data.values[i] = i % 11 == 0 ? kMissing : share * 100;
            packed->push_back(static_cast<float>(i % 11 == 0 ? kMissing : share));
        }
        HeatmapData other = bare(1000, 50, 0);
        other.values.clear();
        other.packed = packed;
        other.packedFactor = 100;
        QVERIFY(other.isMissing(0, 0) && !other.isMissing(0, 1));
        const QImage a = whole(data, {50, 100}), b = whole(other, {50, 100});
        QCOMPARE(a, b);
    }

    void rightToLeftIsTheMirrorImage()
    {
        HeatmapData data = bare(4, 100, 0);
        for (std::size_t i = 0; i < data.values.size(); ++i)
            data.values[i] = static_cast<double>(i % 100);
        HeatmapView view;
        view.area = QRect(0, 0, 300, 40);
        view.width = 300;
        view.columnWidth = 3;
        view.rowPitch = 10;
        const HeatmapLevels levels(data);
        const QImage left = levels.render(view, plainColors());
        view.mirrored = true;
        QCOMPARE(levels.render(view, plainColors()), left.mirrored(true, false));
    }

    // A part that is rendered again matches its surroundings.
    void partsMakeTheWhole()
    {
        const HeatmapData data = matrix(300, 200);
        const HeatmapLevels levels(data);
        for (const double pitch : {0.3, 1.0, 2.0, 17.0}) {
            HeatmapView view;
            view.area = QRect(0, 0, 200, 90);
            view.width = 200;
            view.left = -13;
            view.top = -7;
            view.columnWidth = pitch < 1 ? 0.7 : 3;
            view.rowPitch = pitch;
            const QImage all = levels.render(view, plainColors());
            view.area = QRect(40, 20, 50, 30);
            QCOMPARE(levels.render(view, plainColors()), all.copy(40, 20, 50, 30));
        }
    }

    void zoomKeepsTheCellUnderTheMouse()
    {
        Theme theme;
        Heatmap map(theme);
        map.resize(900, 500);
        map.setData(matrix(3000, 500));
        map.show();
        QVERIFY(map.isLargerThanView());
        map.verticalScrollBar()->setValue(map.verticalScrollBar()->maximum() / 2);
        map.horizontalScrollBar()->setValue(map.horizontalScrollBar()->maximum() / 2);
        const QPointF at = QRectF(map.geometryOfCells().cells()).center();
        int row = 0, column = 0;
        QVERIFY(map.cellAt(at, row, column));
        for (int i = 0; i < 6; ++i) {
            QWheelEvent wheel(at, map.viewport()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::ControlModifier,
                              Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(map.viewport(), &wheel);
        }
        QVERIFY(map.zoom() > 1);
        int rowAfter = 0, columnAfter = 0;
        QVERIFY(map.cellAt(at, rowAfter, columnAfter));
        QVERIFY(std::abs(rowAfter - row) <= 2 && std::abs(columnAfter - column) <= 2);
    }

    void keysZoomFromCellsToEverything()
    {
        Theme theme;
        Heatmap map(theme);
        map.resize(900, 500);
        map.setData(matrix(3000, 500));
        map.show();
        QSignalSpy changed(&map, &Heatmap::zoomChanged);
        QTest::keyClick(&map, Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(changed.size(), 1);
        QVERIFY(map.zoom() < 1);
        QCOMPARE(map.verticalScrollBar()->maximum(), 0);
        QCOMPARE(map.horizontalScrollBar()->maximum(), 0);
        const double least = map.zoom();
        QTest::keyClick(&map, Qt::Key_Minus, Qt::ControlModifier);
        QCOMPARE(map.zoom(), least);
        QTest::keyClick(&map, Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(map.zoom(), 1.0);
        QVERIFY(!map.grab().isNull());
    }

    void draggingMovesTheCells()
    {
        Theme theme;
        Heatmap map(theme);
        map.resize(900, 500);
        map.setData(matrix(3000, 500));
        map.show();
        const QPoint from = map.geometryOfCells().cells().center();
        QTest::mousePress(map.viewport(), Qt::LeftButton, {}, from);
        QMouseEvent move(QEvent::MouseMove, QPointF(from - QPoint(60, 80)),
                         map.viewport()->mapToGlobal(QPointF(from - QPoint(60, 80))), Qt::NoButton, Qt::LeftButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(map.viewport(), &move);
        QTest::mouseRelease(map.viewport(), Qt::LeftButton, {}, from - QPoint(60, 80));
        QCOMPARE(map.verticalScrollBar()->value(), 80);
        QCOMPARE(map.horizontalScrollBar()->value(), 60);
    }
};

GPULEDGER_WINDOW_SUITE(TestHeatmapLevels)

} // namespace tst_heatmaplevels

#include "tst_heatmaplevels.moc"
