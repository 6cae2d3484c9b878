// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "tests/unit/widgets/heatmapsample.h"
#include "widgets/heatmap/heatmap.h"
#include "widgets/state/hovercard.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMimeData>
#include <QPaintEvent>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <set>

namespace tst_heatmapwidget {

using namespace gpuledger::widgets;
using gpuledger::tests::matrix;

namespace {

const QString kHostile = QStringLiteral("<img src=file:x>");

// Adds up the areas that a viewport is asked to paint.
class PaintLog : public QObject {
public:
    using QObject::QObject;

    int area() const
    {
        int sum = 0;
        for (const QRect &rect : m_region)
            sum += rect.width() * rect.height();
        return sum;
    }
    void clear() { m_region = {}; }
    bool painted() const { return !m_region.isEmpty(); }

protected:
    bool eventFilter(QObject *, QEvent *event) override
    {
        if (event->type() == QEvent::Paint)
            m_region += static_cast<QPaintEvent *>(event)->region();
        return false;
    }

private:
    QRegion m_region;
};

} // namespace

class TestHeatmapWidget : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_theme = std::make_unique<Theme>();
        m_theme->setMode(Theme::Mode::Light);
        m_window = std::make_unique<QWidget>();
        m_window->resize(1158, 440);
        m_map = new Heatmap(*m_theme, m_window.get());
        m_map->setGeometry(m_window->rect());
        m_map->setData(matrix(8, 168));
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->activateWindow();
        m_map->setFocus();
        QTRY_VERIFY(m_map->hasFocus());
    }

    void cleanup()
    {
        m_window.reset();
        m_theme.reset();
    }

    void paintsEachCellInTheColorOfItsStep_data()
    {
        QTest::addColumn<bool>("mirrored");
        QTest::newRow("left to right") << false;
        QTest::newRow("right to left") << true;
    }
    void paintsEachCellInTheColorOfItsStep()
    {
        QFETCH(bool, mirrored);
        m_map->setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
        const QImage image = picture();
        for (int row = 2; row < 8; ++row) {
            for (int column = 0; column < 168; ++column) {
                const int step = heatStep(m_map->data().value(row, column), 0, 100);
                QCOMPARE(at(image, row, column), m_theme->heatColor(step));
            }
        }
        QCOMPARE(m_map->cellRect(0, 0).x() > m_map->cellRect(0, 1).x(), mirrored);
    }

    void paintsMissingCellsHatchedAndNotAsZero()
    {
        HeatmapData data = matrix(3, 5); // wide cells
        m_map->setData(data);
        m_map->setCurrent(0, 0);
        const QImage image = picture();
        QCOMPARE(colorsIn(image, 1, 4), std::set<QRgb>{m_theme->heatColor(0).rgb()});
        const std::set<QRgb> missing = colorsIn(image, 1, 3);
        QVERIFY(missing.size() > 2); // lines, background, and the soft edges between them
        QVERIFY(missing.contains(m_theme->color(Color::Background).rgb()));
        for (int step = 0; step < kHeatSteps; ++step)
            QVERIFY(!missing.contains(m_theme->heatColor(step).rgb()));
    }

    // Without a holder there was nothing to measure: neither a reading nor a gap.
    void leavesBlankCellsEmpty()
    {
        HeatmapData data = matrix(3, 5);
        data.blanks.assign(data.values.size(), false);
        data.blanks[1 * 5 + 3] = true; // one of the missing
        data.blankText = QStringLiteral("nothing held");
        m_map->setData(data);
        m_map->setCurrent(0, 0);
        const QRgb surface = m_theme->color(Color::Surface).rgb();
        QCOMPARE(colorsIn(picture(), 1, 3), std::set<QRgb>{surface});
        QCOMPARE(m_map->valueText(1, 3), QStringLiteral("nothing held"));
        QVERIFY(!data.isMissing(1, 3));
    }

    void paintsMissingMeansUnlikeZero()
    {
        HeatmapData data = matrix(3, 5);
        data.columnMeans = {kMissing, 0, 50, 100, 100};
        m_map->setData(data);
        const QImage image = picture();
        const QRect strip = m_map->geometryOfCells().strip();
        const int bottom = strip.bottom();
        const auto x = [&](int column) { return static_cast<int>(m_map->cellRect(0, column).center().x()); };
        QCOMPARE(image.pixelColor(x(1), bottom), m_theme->color(Color::Unallocated));
        QCOMPARE(image.pixelColor(x(1), bottom - 3), m_theme->color(Color::Surface));
        std::set<QRgb> missing;
        for (int y = bottom - 4; y <= bottom; ++y) {
            for (int dx = -6; dx <= 6; ++dx)
                missing.insert(image.pixel(x(0) + dx, y));
        }
        QVERIFY(missing.size() > 2);
        QCOMPARE(image.pixelColor(x(3), strip.top() + 1), m_theme->color(Color::Unallocated));
    }

    void followsThemeAndHeatScale()
    {
        m_theme->setMode(Theme::Mode::Dark);
        m_theme->setHeatScale(HeatScale::Viridis);
        const QImage image = picture();
        QCOMPARE(at(image, 2, 0), m_theme->tokens().heat(HeatScale::Viridis)[2]);
        QCOMPARE(image.pixelColor(1, m_map->geometryOfCells().cells().bottom() + 8), m_theme->color(Color::Surface));
    }

    void paintsCostInItsOwnColors()
    {
        HeatmapData data = matrix(8, 168);
        data.scale = HeatScale::Cost;
        m_map->setData(data);
        const QImage image = picture();
        QCOMPARE(at(image, 2, 0), m_theme->tokens().heat(HeatScale::Cost)[2]);
        const QRect legend = m_map->geometryOfCells().legend();
        QCOMPARE(image.pixelColor(legend.x() + 2, legend.y() + 2), m_theme->heatColor(0, HeatScale::Cost));
    }

    // The legend differs only if values lie outside the range.
    void saysThatValuesLieOutsideTheRange()
    {
        const auto legendWith = [this](bool lower, bool higher) {
            HeatmapData data = matrix(8, 168);
            data.hasLower = lower;
            data.hasHigher = higher;
            m_map->setData(data);
            return picture().copy(m_map->geometryOfCells().legend().adjusted(-20, 0, 0, 0));
        };
        const QImage plain = legendWith(false, false), higher = legendWith(false, true),
                     lower = legendWith(true, false);
        QVERIFY(higher != plain && lower != plain && lower != higher);
    }

    void barsAboveTheCellsHaveTheirOwnRange()
    {
        HeatmapData data = matrix(3, 5);
        data.columnMeans = {0, 500, 1000, 1000, 1000};
        data.highestMean = 1000;
        data.minimum = 50; // the range of the cells does not cut them off
        m_map->setData(data);
        const QImage image = picture();
        const QRect strip = m_map->geometryOfCells().strip();
        const auto x = [&](int column) { return static_cast<int>(m_map->cellRect(0, column).center().x()); };
        const QColor bar = m_theme->color(Color::Unallocated), none = m_theme->color(Color::Surface);
        QCOMPARE(image.pixelColor(x(1), strip.center().y() + 2), bar);
        QCOMPARE(image.pixelColor(x(1), strip.center().y() - 2), none);
        QCOMPARE(image.pixelColor(x(2), strip.top() + 1), bar);
    }

    void aHeadingThatDoesNotFitIsShortened()
    {
        const auto headingOf = [this](const QString &label, const QString &shortLabel) {
            HeatmapData data = matrix(3, 24);
            data.groups = {{0, 22, QStringLiteral("Sat")}, {22, 2, label, shortLabel}};
            m_map->setData(data);
            const HeatmapGeometry &g = m_map->geometryOfCells();
            return picture().copy(g.columnsRect(22, 2, g.groups()).toRect().adjusted(1, 0, 0, 0));
        };
        const QString longName = QStringLiteral("week of the twenty-seventh of October");
        const QImage none = headingOf(QString(), QString()), brief = headingOf(QStringLiteral("27 Oct"), QString());
        QCOMPARE(headingOf(longName, QStringLiteral("27 Oct")), brief);
        QVERIFY(brief != none);
        QCOMPARE(headingOf(longName, longName), none); // no part of a word
        QVERIFY(headingOf(longName, QString()) != none); // unless there is no other
    }

    void movesByKeyboard()
    {
        QSignalSpy moved(m_map, &Heatmap::currentChanged);
        key(Qt::Key_Right);
        expect(0, 1);
        key(Qt::Key_Down);
        expect(1, 1);
        key(Qt::Key_Left);
        expect(1, 0);
        key(Qt::Key_Left);
        expect(1, 0);
        key(Qt::Key_End);
        expect(1, 167);
        key(Qt::Key_Home, Qt::ControlModifier);
        expect(0, 0);
        key(Qt::Key_End, Qt::ControlModifier);
        expect(7, 167);
        key(Qt::Key_PageUp);
        expect(0, 167);
        key(Qt::Key_Home);
        expect(0, 0);
        QCOMPARE(moved.count(), 8); // a step beyond the edge does not count
    }

    void arrowsFollowTheEyeWhenMirrored()
    {
        m_map->setLayoutDirection(Qt::RightToLeft);
        key(Qt::Key_Left);
        expect(0, 1);
        key(Qt::Key_Right);
        expect(0, 0);
    }

    void enterOpensTheRow()
    {
        QSignalSpy opened(m_map, &Heatmap::activated);
        m_map->setCurrent(3, 20);
        key(Qt::Key_Return);
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened.at(0).at(0).toInt(), 3);
        QCOMPARE(opened.at(0).at(1).toInt(), 20);
    }

    void clickSelectsAndDoubleClickOpens()
    {
        QSignalSpy opened(m_map, &Heatmap::activated);
        const QPoint place = m_map->cellRect(5, 100).center().toPoint();
        QTest::mouseClick(m_map->viewport(), Qt::LeftButton, {}, place);
        expect(5, 100);
        QCOMPARE(opened.count(), 0);
        QTest::mouseDClick(m_map->viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(opened.count(), 1);
        const QRect label = m_map->geometryOfCells().rowRect(2, m_map->geometryOfCells().labels());
        QTest::mouseClick(m_map->viewport(), Qt::LeftButton, {}, label.center());
        QCOMPARE(opened.count(), 2);
        QCOMPARE(opened.at(1).at(0).toInt(), 2);
    }

    void escapeClosesTheCardFirst()
    {
        key(Qt::Key_Right);
        QVERIFY(card() && card()->isVisible());
        QVERIFY(sendKey(Qt::Key_Escape));
        QVERIFY(!card()->isVisible());
        QVERIFY(!sendKey(Qt::Key_Escape)); // now it is left to the page
    }

    void hoverPaintsOnlyWhatChanges()
    {
        hover(2, 20);
        QTRY_VERIFY(card() && card()->isVisible());
        QApplication::sendPostedEvents();
        PaintLog log;
        m_map->viewport()->installEventFilter(&log);
        hover(2, 21);
        QTRY_VERIFY(log.painted());
        // The area that the card leaves and covers, and two cells; a card is at most a sixth of this window.
        const int cards = 2 * card()->width() * card()->height();
        QVERIFY2(log.area() <= cards + 4000, qPrintable(QString::number(log.area())));
        QVERIFY(log.area() < m_map->viewport()->width() * m_map->viewport()->height() / 4);
    }

    void cardExplainsTheCellAndDoesNotCoverIt()
    {
        HeatmapData data = matrix(8, 168);
        data.details = [](int row, int column) -> std::vector<HoverLine> {
            return {{QStringLiteral("Held"), QStringLiteral("%1 GPU-h").arg(row * 1000 + column), false}};
        };
        m_map->setData(data);
        for (const int row : {0, 4, 7}) {
            hover(row, 100);
            QVERIFY(card()->isVisible());
            QCOMPARE(card()->title(), m_map->data().rows[static_cast<std::size_t>(row)].label);
            QCOMPARE(card()->lines().front().value, QStringLiteral("%1 GPU-h").arg(row * 1000 + 100));
            QVERIFY(!card()->geometry().intersects(m_map->cellRect(row, 100).toAlignedRect()));
            QVERIFY(m_window->rect().contains(card()->geometry()));
        }
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(m_map->viewport(), &leave);
        QVERIFY(!card()->isVisible());
    }

    void cardSaysWhatWasNotObserved()
    {
        hover(1, 3);
        QCOMPARE(card()->lines().front().value, QStringLiteral("not observed"));
        hover(1, 4);
        QCOMPARE(card()->lines().front().value, QStringLiteral("0.0 %"));
    }

    void hostileNamesAreText()
    {
        // If the tag were rendered as an image, the label would look like an empty one.
        const auto labelWith = [this](const QString &label) {
            HeatmapData data = matrix(3, 24);
            data.rows[0].label = label;
            data.rows[1].label = QStringLiteral("a name as long as this one");
            m_map->setData(data);
            return picture().copy(m_map->geometryOfCells().rowRect(0, m_map->geometryOfCells().labels()));
        };
        QVERIFY(labelWith(kHostile) != labelWith(QString()));
        labelWith(kHostile);
        QCOMPARE(m_map->cellText(0, 1), kHostile + QStringLiteral(", Sat 01:00: 1.0 %"));
        hover(0, 1);
        QCOMPARE(card()->title(), kHostile);
        QVERIFY(card()->width() > QFontMetrics(m_theme->font()).horizontalAdvance(kHostile));
    }

    void copiesTheMatrix()
    {
        HeatmapData data = matrix(2, 5);
        data.rows[0].label = QStringLiteral("=1+1\tx");
        data.rows[1].label = kHostile;
        data.values[0] = 12.5;
        m_map->setData(data);
        QTest::keySequence(m_map, QKeySequence::Copy);
        const QMimeData *mime = QApplication::clipboard()->mimeData();
        const QString comma(QLocale().decimalPoint());
        QCOMPARE(mime->text(),
                 QStringLiteral("utilization, %\tSat 00:00\tSat 01:00\tSat 02:00\tSat 03:00\tSat 04:00\n"
                                "'=1+1 x\t12%1")
                         .arg(comma)
                     + QStringLiteral("5\t1\t2\t3\t4\n<img src=file:x>\t10\t11\t12\t\t0\n"));
        QVERIFY(mime->html().contains(QStringLiteral("&lt;img")));
        QVERIFY(!mime->html().contains(kHostile));
    }

    void copiesWhatIsInViewAsAPicture()
    {
        m_map->setData(matrix(3, 24));
        m_map->setCurrent(1, 2);
        const QImage marked = picture();
        const QRectF beside = m_map->cellRect(1, 2).adjusted(-2, -2, 2, 2);
        QVERIFY(marked.copy(beside.toRect()) != m_map->picture(1).copy(beside.toRect()));
        QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(5, 5), QPoint(5, 5));
        QApplication::sendEvent(m_map, &event);
        auto *menu = m_map->findChild<QMenu *>();
        QVERIFY(menu);
        QSignalSpy opened(m_map, &Heatmap::activated);
        menu->actions().at(0)->trigger();
        QCOMPARE(opened.value(0), QVariantList({1, 2}));
        menu->actions().at(2)->trigger();
        const QImage copied =
            QImage::fromData(QApplication::clipboard()->mimeData()->data(QStringLiteral("image/png")));
        QCOMPARE(copied.size(), m_map->viewport()->size() * 2);
        menu->actions().at(3)->trigger();
        QVERIFY(QApplication::clipboard()->mimeData()->text().startsWith(QStringLiteral("utilization, %\t")));
        menu->close();
    }

    void beginsWhereTheDataSay()
    {
        m_map->setData(HeatmapData());
        HeatmapData data = matrix(3, 24);
        data.firstColumn = 7;
        m_map->setData(data);
        expect(0, 7);
        data.firstColumn = 99;
        data.firstRow = 1;
        m_map->setData(HeatmapData());
        m_map->setData(data);
        expect(1, 23);
    }

    // What is behind a row has other rows, but the same columns.
    void keepsTheColumnWhereTheRowsChange()
    {
        m_map->setCurrent(2, 30);
        HeatmapData behind = matrix(5, 168);
        for (HeatmapData::Row &row : behind.rows)
            row.key.prepend(QStringLiteral("workload of "));
        behind.firstRow = 1;
        behind.firstColumn = 7;
        m_map->setData(behind);
        expect(1, 30);
        for (QString &column : behind.columns)
            column.prepend(QStringLiteral("other "));
        m_map->setData(behind);
        expect(1, 7);
    }

    void cardTellsWhereTheValuesAreFrom()
    {
        HeatmapData data = matrix(3, 24);
        data.source = QStringLiteral("From <b>prom</b>, 2 min old");
        m_map->setData(data);
        hover(0, 1);
        QCOMPARE(card()->note(), data.source);
        const int withNote = card()->height();
        data.source.clear();
        m_map->setData(data);
        hover(1, 1);
        QVERIFY(card()->note().isEmpty());
        QVERIFY(card()->height() < withNote);
    }

    void keepsTheCurrentCellOverNewData()
    {
        m_map->setCurrent(2, 30);
        HeatmapData data = matrix(8, 168);
        std::swap(data.rows[2], data.rows[6]);
        QSignalSpy moved(m_map, &Heatmap::currentChanged);
        m_map->setData(data);
        expect(6, 30);
        QCOMPARE(moved.count(), 1);
        m_map->setData(HeatmapData());
        expect(-1, -1);
        key(Qt::Key_Right);
        expect(-1, -1);
        picture();
    }

    void scrollsToTheCurrentCell()
    {
        m_map->setData(matrix(200, 2000));
        key(Qt::Key_End, Qt::ControlModifier);
        expect(199, 1999);
        const QRect cells = m_map->geometryOfCells().cells();
        QVERIFY(cells.adjusted(0, 0, 1, 1).contains(m_map->cellRect(199, 1999).toAlignedRect()));
        key(Qt::Key_Home, Qt::ControlModifier);
        QCOMPARE(m_map->verticalScrollBar()->value(), 0);
        QCOMPARE(m_map->horizontalScrollBar()->value(), 0);
        m_map->setCurrent(100, 1000);
        const QImage image = picture();
        QCOMPARE(at(image, 100, 1000), m_theme->heatColor(heatStep(m_map->data().value(100, 1000), 0, 100)));
    }

    void paintsSharplyAtTwiceTheScale()
    {
        QImage image(m_map->viewport()->size() * 2, QImage::Format_RGB32);
        image.setDevicePixelRatio(2);
        m_map->viewport()->render(&image);
        const QRectF cell = m_map->cellRect(4, 50);
        const QColor expected = m_theme->heatColor(heatStep(m_map->data().value(4, 50), 0, 100));
        for (int x = static_cast<int>(std::ceil(cell.left() * 2)); x < static_cast<int>(cell.right() * 2) - 2; ++x)
            QCOMPARE(image.pixelColor(x, static_cast<int>(cell.center().y() * 2)), expected);
    }

    void survivesItsWindow()
    {
        hover(1, 1);
        m_map->setParent(nullptr);
        m_window.reset();
        QVERIFY(!card());
        m_window.reset(m_map);
    }

private:
    QImage picture() const { return m_map->viewport()->grab().toImage().convertToFormat(QImage::Format_RGB32); }

    QColor at(const QImage &image, int row, int column) const
    {
        const QRectF cell = m_map->cellRect(row, column);
        return image.pixelColor(static_cast<int>(cell.left()) + 1, static_cast<int>(cell.center().y()));
    }

    std::set<QRgb> colorsIn(const QImage &image, int row, int column) const
    {
        std::set<QRgb> colors;
        const QRect cell = m_map->cellRect(row, column).toRect().adjusted(3, 3, -3, -3);
        for (int y = cell.top(); y <= cell.bottom(); ++y) {
            for (int x = cell.left(); x <= cell.right(); ++x)
                colors.insert(image.pixel(x, y));
        }
        return colors;
    }

    HoverCard *card() const { return m_window ? m_window->findChild<HoverCard *>() : nullptr; }

    void hover(int row, int column)
    {
        const QPointF place = m_map->cellRect(row, column).center();
        QMouseEvent move(QEvent::MouseMove, place, m_map->viewport()->mapToGlobal(place), Qt::NoButton, Qt::NoButton,
                         {});
        QApplication::sendEvent(m_map->viewport(), &move);
    }

    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(m_map, key, modifiers); }

    bool sendKey(Qt::Key key)
    {
        QKeyEvent event(QEvent::KeyPress, key, {});
        QApplication::sendEvent(m_map, &event);
        return event.isAccepted();
    }

    void expect(int row, int column)
    {
        QCOMPARE(m_map->currentRow(), row);
        QCOMPARE(m_map->currentColumn(), column);
    }

    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<QWidget> m_window;
    Heatmap *m_map = nullptr;
};

GPULEDGER_WINDOW_SUITE(TestHeatmapWidget)

} // namespace tst_heatmapwidget

#include "tst_heatmapwidget.moc"
