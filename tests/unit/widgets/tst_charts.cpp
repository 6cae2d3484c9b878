// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "tests/unit/widgets/chartsample.h"
#include "widgets/charts/linechart.h"
#include "widgets/charts/sparkline.h"
#include "widgets/charts/stackedbarchart.h"
#include "widgets/charts/waterfallchart.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <set>

namespace tst_charts {

using namespace gpuledger::widgets;
using namespace gpuledger::tests;

class TestCharts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QLocale::setDefault(QLocale::c());
        m_theme = std::make_unique<Theme>();
        m_theme->setMode(Theme::Mode::Light);
    }
    void cleanup() { m_theme.reset(); }

    // Axes

    void axesHaveRoundTicksAndHoldTheirValues_data()
    {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::newRow("usual") << 0.0 << 13'427.0;
        QTest::newRow("negative") << -1740.0 << 9920.0;
        QTest::newRow("all negative") << -90.0 << -10.0;
        QTest::newRow("equal") << 7.0 << 7.0;
        QTest::newRow("equal negative") << -7.0 << -7.0;
        QTest::newRow("zero") << 0.0 << 0.0;
        QTest::newRow("tiny") << 0.0 << 3e-12;
        QTest::newRow("huge") << -1e300 << 1e300;
        QTest::newRow("one cent") << 0.0 << 0.01;
    }
    void axesHaveRoundTicksAndHoldTheirValues()
    {
        QFETCH(double, low);
        QFETCH(double, high);
        for (int most = 2; most < 12; ++most) {
            const ValueAxis axis = niceAxis(low, high, most);
            QVERIFY(axis.maximum > axis.minimum);
            QVERIFY(axis.minimum <= low && axis.maximum >= high);
            QVERIFY(axis.ticks.size() >= 2);
            QVERIFY(axis.ticks.size() <= static_cast<std::size_t>(std::max(3, most)));
            const double digits = axis.step / std::pow(10, std::floor(std::log10(axis.step)) - 1);
            QVERIFY2(qAbs(digits - std::round(digits)) < 1e-6, "more than two digits");
        }
    }

    void axesSurviveWhatIsNoNumber()
    {
        for (const double value : {kNan, kInfinite, -kInfinite, 1.7e308, -1.7e308}) {
            const ValueAxis axis = niceAxis(value, value, 5);
            QVERIFY(std::isfinite(axis.minimum) && std::isfinite(axis.maximum) && axis.maximum > axis.minimum);
        }
    }

    void axisTextsAreShort()
    {
        QCOMPARE(axisText(0, 5000), QStringLiteral("0"));
        QCOMPARE(axisText(15000, 5000), QStringLiteral("15k"));
        QCOMPARE(axisText(2500, 2500), QStringLiteral("2.5k"));
        QCOMPARE(axisText(-1500, 500), QStringLiteral("-1.5k"));
        QCOMPARE(axisText(0.5, 0.25), QStringLiteral("0.50"));
        QCOMPARE(axisText(20, 20), QStringLiteral("20"));
        QCOMPARE(axisText(3e6, 1e6), QStringLiteral("3M"));
        QLocale::setDefault(QLocale(QLocale::German));
        QCOMPARE(axisText(2500, 2500), QStringLiteral("2,5k"));
    }

    void timesAreRoundAlsoWhenTheClockChanges()
    {
        const QTimeZone berlin("Europe/Berlin");
        // Two days around 25 October 2026, which has 25 hours in that zone.
        const qint64 from = QDateTime(QDate(2026, 10, 24), QTime(5, 13), berlin).toMSecsSinceEpoch();
        const qint64 to = QDateTime(QDate(2026, 10, 26), QTime(5, 13), berlin).toMSecsSinceEpoch();
        const TimeTicks ticks = niceTimes(from, to, 6, berlin);
        QVERIFY(ticks.times.size() >= 2 && ticks.times.size() <= 6);
        for (const qint64 time : ticks.times) {
            QVERIFY(time >= from && time <= to);
            QCOMPARE(QDateTime::fromMSecsSinceEpoch(time, berlin).time().hour() % 12, 0);
            QCOMPARE(QDateTime::fromMSecsSinceEpoch(time, berlin).time().minute(), 0);
        }
        QVERIFY(niceTimes(to, from, 6, berlin).times.empty());
        const TimeTicks years = niceTimes(0, 1'793'000'000'000, 5, berlin);
        QVERIFY(years.days && !years.times.empty() && years.times.size() <= 6);
    }

    // Stacked bars

    void barsHaveTheColorsOfTheirTokens_data() { looks(); }
    void barsHaveTheColorsOfTheirTokens()
    {
        QFETCH(bool, dark);
        QFETCH(bool, mirrored);
        StackedBarChart chart(*m_theme);
        chart.setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
        chart.resize(600, 240);
        chart.setData(bars());
        m_theme->setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
        const QImage image = chart.picture(1);
        for (const int bar : {0, 1}) {
            QCOMPARE(image.pixelColor(chart.segmentRect(bar, 0).center().toPoint()), m_theme->color(Color::Active));
            QCOMPARE(image.pixelColor(chart.segmentRect(bar, 1).center().toPoint()), m_theme->color(Color::Idle));
        }
        QVERIFY(chart.itemRect(0).x() < chart.itemRect(1).x()); // time runs to the right in every language
        QCOMPARE(image.pixelColor(1, 1), m_theme->color(Color::Surface));
    }

    void segmentsAreAsHighAsTheirValues()
    {
        StackedBarChart chart(*m_theme);
        chart.resize(600, 400);
        chart.setData(bars());
        const double unit = chart.plotRect().height() / (chart.axis().maximum - chart.axis().minimum);
        QVERIFY(qAbs(chart.segmentRect(0, 0).height() - 8000 * unit) <= 1);
        QVERIFY(qAbs(chart.segmentRect(0, 1).height() - 3000 * unit) <= 1);
        QCOMPARE(chart.segmentRect(0, 1).bottom(), chart.segmentRect(0, 0).top());
        QVERIFY(chart.segmentRect(1, 2).isEmpty()); // zero
        QVERIFY(chart.axis().maximum >= 15000); // the budget is visible
    }

    void whatWasNotObservedIsHatchedAndNotZero()
    {
        StackedBarChart chart(*m_theme);
        chart.resize(600, 240);
        chart.setData(bars());
        const QImage image = chart.picture(1);
        const QRectF missing = chart.itemRect(2).adjusted(30, 30, -30, -4);
        QVERIFY(colorsIn(image, missing).size() > 3);
        QVERIFY(colored(image, missing, m_theme->color(Color::Background)) > 0);
        QCOMPARE(colored(image, missing, m_theme->color(Color::Active)), 0);
        QVERIFY(colorsIn(image, chart.segmentRect(0, 2).adjusted(1, 1, -1, -1)).size() > 2);
        QVERIFY(chart.itemText(2).contains(QStringLiteral("not observed")));
        QVERIFY(chart.itemText(3).contains(QStringLiteral("idle not observed")));
        QVERIFY(chart.itemText(3).contains(QStringLiteral("Total 7000.00")));
    }

    void creditsHangBelowZero()
    {
        StackedBars data = bars();
        data.bars = {{QStringLiteral("1 Nov"), {}, {5000, -2000, 0}, {}}};
        data.budget = kNan;
        StackedBarChart chart(*m_theme);
        chart.resize(600, 240);
        chart.setData(data);
        QVERIFY(chart.axis().minimum <= -2000);
        QCOMPARE(chart.segmentRect(0, 1).top(), chart.segmentRect(0, 0).bottom());
        QVERIFY(chart.itemText(0).contains(QStringLiteral("Total 3000.00")));
    }

    void survivesEveryKindOfData_data()
    {
        QTest::addColumn<QList<double>>("values");
        QTest::newRow("nothing") << QList<double>();
        QTest::newRow("one") << QList<double>{5};
        QTest::newRow("all missing") << QList<double>{kNan, kNan};
        QTest::newRow("infinite") << QList<double>{1, kInfinite, -kInfinite, 2};
        QTest::newRow("huge") << QList<double>{1e300, -1e300, 1};
        QTest::newRow("largest") << QList<double>{1.7e308, -1.7e308};
        QTest::newRow("tiny") << QList<double>{1e-300, 2e-300};
        QTest::newRow("zero") << QList<double>{0, 0, 0};
        QTest::newRow("many") << QList<double>(1500, 3);
    }
    void survivesEveryKindOfData()
    {
        QFETCH(QList<double>, values);
        StackedBars stacked = bars();
        stacked.bars.clear();
        Waterfall fall = steps();
        fall.steps.clear();
        TimeLines time = lines(0);
        for (const double value : values) {
            stacked.bars.push_back({kHostile, kHostile, {value, value / 2, kNan}, {}});
            fall.steps.push_back({kHostile, value, Waterfall::Step::Kind::Change, {}});
            time.times.push_back(static_cast<qint64>(time.times.size()) * 60'000);
            time.series[0].values.push_back(value);
        }
        StackedBarChart stackedChart(*m_theme);
        stackedChart.setData(stacked);
        WaterfallChart fallChart(*m_theme);
        fallChart.setData(fall);
        LineChart lineChart(*m_theme);
        lineChart.setData(time);
        Sparkline spark(*m_theme);
        spark.setData({values, 3, kNan, kNan, Color::Idle, true});
        for (const QSize size : {QSize(600, 240), QSize(40, 20), QSize(1, 1)}) {
            for (QWidget *widget : std::initializer_list<QWidget *>{&stackedChart, &fallChart, &lineChart, &spark}) {
                widget->resize(size);
                QVERIFY(!widget->grab().isNull());
            }
        }
        for (Chart *chart : std::initializer_list<Chart *>{&stackedChart, &fallChart, &lineChart}) {
            QCOMPARE(chart->itemCount(), values.size());
            QCOMPARE(chart->currentIndex() < 0, values.isEmpty());
            QVERIFY(!chart->summary().isEmpty());
            for (const Qt::Key key : {Qt::Key_Right, Qt::Key_End, Qt::Key_Home, Qt::Key_Left, Qt::Key_Return})
                QTest::keyClick(chart, key);
        }
    }

    // Behaviour of all charts

    void movesByKeyboardAndOpensWithEnter()
    {
        StackedBarChart chart(*m_theme);
        chart.resize(600, 240);
        chart.setData(bars());
        QSignalSpy moved(&chart, &Chart::currentChanged);
        QSignalSpy opened(&chart, &Chart::activated);
        QCOMPARE(chart.currentIndex(), 0);
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(chart.currentIndex(), 1);
        QTest::keyClick(&chart, Qt::Key_End);
        QCOMPARE(chart.currentIndex(), 3);
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(chart.currentIndex(), 3);
        QCOMPARE(moved.count(), 2);
        QTest::keyClick(&chart, Qt::Key_Home);
        QTest::keyClick(&chart, Qt::Key_PageDown);
        QCOMPARE(chart.currentIndex(), 3);
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened.first().first().toInt(), 3);
        chart.setLayoutDirection(Qt::RightToLeft);
        QTest::keyClick(&chart, Qt::Key_Left);
        QCOMPARE(chart.currentIndex(), 2);
    }

    void escapeClosesTheCardAndThenBelongsToThePage()
    {
        QWidget window;
        window.resize(700, 300);
        auto *chart = new StackedBarChart(*m_theme, &window);
        chart->resize(600, 240);
        chart->setData(bars());
        window.show();
        QTest::keyClick(chart, Qt::Key_Right);
        auto *card = window.findChild<HoverCard *>();
        QVERIFY(card && card->isVisible());
        QCOMPARE(card->title(), QStringLiteral("2 Nov"));
        QCOMPARE(card->lines().size(), std::size_t(4));
        QCOMPARE(card->lines().front().value, QStringLiteral("10000.00"));
        QTest::keyClick(chart, Qt::Key_Escape);
        QVERIFY(!card->isVisible());
        QKeyEvent escape(QEvent::KeyPress, Qt::Key_Escape, {});
        QApplication::sendEvent(chart, &escape);
        QVERIFY(!escape.isAccepted());
    }

    void explainsTheItemUnderThePointer()
    {
        QWidget window;
        window.resize(900, 300);
        auto *chart = new StackedBarChart(*m_theme, &window);
        chart->resize(600, 240);
        chart->setData(bars());
        window.show();
        const QPointF place = chart->itemRect(1).center();
        QMouseEvent move(QEvent::MouseMove, place, chart->mapToGlobal(place), Qt::NoButton, Qt::NoButton, {});
        QApplication::sendEvent(chart, &move);
        auto *card = window.findChild<HoverCard *>();
        QVERIFY(card && card->isVisible());
        QCOMPARE(card->title(), QStringLiteral("2 Nov"));
        QVERIFY(!card->geometry().intersects(chart->itemRect(1).toRect()));
        QCOMPARE(chart->itemAt(QPointF(2, 2)), -1);
        for (int i = 0; i < chart->itemCount(); ++i)
            QCOMPARE(chart->itemAt(chart->itemRect(i).center()), i);
    }

    void clickOpensTheBar()
    {
        StackedBarChart chart(*m_theme);
        chart.resize(600, 240);
        chart.setData(bars());
        QSignalSpy opened(&chart, &Chart::activated);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.itemRect(2).center().toPoint());
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened.first().first().toInt(), 2);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, QPoint(2, 2));
        QCOMPARE(opened.count(), 1);
    }

    void keepsTheCurrentBarOverNewData()
    {
        StackedBarChart chart(*m_theme);
        chart.setData(bars());
        chart.setCurrentIndex(2);
        StackedBars data = bars();
        data.bars.erase(data.bars.begin());
        chart.setData(data);
        QCOMPARE(chart.currentIndex(), 1);
        chart.setData(StackedBars());
        QCOMPARE(chart.currentIndex(), -1);
    }

    void copiesDataAsTextAndAsTable()
    {
        StackedBars data = bars();
        data.bars[0].label = kHostile;
        StackedBarChart chart(*m_theme);
        chart.setData(data);
        QTest::keyClick(&chart, Qt::Key_C, Qt::ControlModifier);
        const QMimeData *mime = QApplication::clipboard()->mimeData();
        QCOMPARE(mime->text(),
                 QStringLiteral("USD\tactive\tidle\tunobserved\tTotal\n<img src=file:x> =1+1\t8000\t3000\t1000\t12000\n"
                                "2 Nov\t6000\t4000\t0\t10000\n3 Nov\t\t\t\t\n4 Nov\t5000\t\t2000\t7000\n"));
        QVERIFY(mime->html().contains(QStringLiteral("<td>8000")));
        QVERIFY(mime->html().contains(QStringLiteral("&lt;img src=file:x&gt;")));
        QVERIFY(!mime->html().contains(QStringLiteral("<img")));
    }

    void copiesThePictureWithoutMarks()
    {
        StackedBarChart chart(*m_theme);
        chart.resize(300, 200);
        chart.setData(bars());
        chart.copyPicture();
        const QMimeData *mime = QApplication::clipboard()->mimeData();
        QVERIFY(mime->hasImage());
        const QImage png = QImage::fromData(mime->data(QStringLiteral("image/png")), "PNG");
        QCOMPARE(png.size(), QSize(600, 400));
        QCOMPARE(png.pixelColor((chart.segmentRect(0, 0).center() * 2).toPoint()), m_theme->color(Color::Active));
        chart.show();
        chart.activateWindow();
        chart.setFocus();
        QTRY_VERIFY(chart.hasFocus());
        QCOMPARE(colored(chart.picture(1), chart.rect(), m_theme->color(Color::Accent)), 0);
        QVERIFY(colored(chart.grab().toImage(), chart.rect(), m_theme->color(Color::Accent)) > 20);
    }

    void contextMenuCopiesBoth()
    {
        LineChart chart(*m_theme);
        chart.resize(300, 200);
        chart.setData(lines());
        chart.show();
        QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(5, 5), QPoint(5, 5));
        QApplication::sendEvent(&chart, &event);
        auto *menu = chart.findChild<QMenu *>();
        QVERIFY(menu);
        QCOMPARE(menu->actions().size(), 2);
        menu->actions().at(0)->trigger();
        QVERIFY(QApplication::clipboard()->mimeData()->hasImage());
        menu->actions().at(1)->trigger();
        QVERIFY(QApplication::clipboard()->mimeData()->text().startsWith(QStringLiteral("Time\tcompute\tmemory\n")));
        menu->close();
    }

    void screenReadersSeeItems()
    {
        StackedBarChart chart(*m_theme);
        chart.resize(600, 240);
        chart.setData(bars());
        chart.show();
        QAccessibleInterface *face = QAccessible::queryAccessibleInterface(&chart);
        QVERIFY(face);
        QCOMPARE(face->role(), QAccessible::Chart);
        QCOMPARE(face->text(QAccessible::Name), QStringLiteral("Spend per day"));
        QVERIFY(face->text(QAccessible::Description).contains(QStringLiteral("highest 12000.00 on 1 Nov")));
        QCOMPARE(face->childCount(), 4);
        QAccessibleInterface *second = face->child(1);
        QVERIFY(second);
        QCOMPARE(second->role(), QAccessible::ListItem);
        QVERIFY(second->text(QAccessible::Name).startsWith(QStringLiteral("2 Nov: Total 10000.00")));
        QVERIFY(second->text(QAccessible::Name).contains(QStringLiteral("active 6000.00")));
        QCOMPARE(face->indexOfChild(second), 1);
        QCOMPARE(face->child(4), nullptr);
        QSignalSpy opened(&chart, &Chart::activated);
        second->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(opened.count(), 1);
        QCOMPARE(chart.currentIndex(), 1);
        QVERIFY(second->state().selected);
        StackedBars fewer = bars();
        fewer.bars.resize(1);
        chart.setData(fewer);
        QCOMPARE(face->childCount(), 1);
        QCOMPARE(face->child(1), nullptr);
    }

    // Waterfall

    void changesHaveSignAndColor()
    {
        WaterfallChart chart(*m_theme);
        chart.resize(500, 240);
        chart.setData(steps());
        QCOMPARE(chart.shortText(0), QStringLiteral("352k"));
        QCOMPARE(chart.shortText(1), QStringLiteral("+9k")); // the unit and decimals of the others
        QCOMPARE(chart.shortText(2), QChar(0x2212) + QStringLiteral("17k"));
        Waterfall tiny = steps();
        tiny.steps[1].value = 3;
        WaterfallChart hardly(*m_theme);
        hardly.setData(tiny);
        QCOMPARE(hardly.shortText(1), QStringLiteral("~0")); // neither more nor less
        const QImage image = chart.picture(1);
        const auto at = [&](int i) {
            return image.pixelColor((chart.barRect(i).center() + QPointF(0, 0.5)).toPoint());
        };
        QCOMPARE(at(0), m_theme->color(Color::Unallocated));
        QCOMPARE(at(1), m_theme->color(Color::Critical));
        QCOMPARE(at(2), m_theme->color(Color::Good));
        QCOMPARE(at(3), m_theme->color(Color::Accent));
        Waterfall utilization = steps();
        utilization.riseIsBad = false;
        chart.setData(utilization);
        QCOMPARE(chart.picture(1).pixelColor(chart.barRect(2).center().toPoint()), m_theme->color(Color::Critical));
    }

    void stepsHangOnEachOther()
    {
        WaterfallChart chart(*m_theme);
        chart.resize(500, 240);
        chart.setData(steps());
        QVERIFY(chart.isCut());
        QCOMPARE(chart.barRect(1).bottom(), chart.barRect(0).top());
        QCOMPARE(chart.barRect(2).top(), chart.barRect(1).top());
        QCOMPARE(chart.barRect(2).bottom(), chart.barRect(3).top());
        Waterfall large = steps();
        large.steps[1].value = 400000;
        large.steps[3].value = 735000;
        chart.setData(large);
        QVERIFY(!chart.isCut()); // the changes are large enough to be visible
    }

    void unknownChangeIsHatched()
    {
        Waterfall data = steps();
        data.steps[1].value = kNan;
        WaterfallChart chart(*m_theme);
        chart.resize(500, 240);
        chart.setData(data);
        QVERIFY(chart.barRect(1).isEmpty());
        QCOMPARE(chart.shortText(1), QStringLiteral("unknown"));
        const QImage image = chart.picture(1);
        QVERIFY(colored(image, chart.itemRect(1), m_theme->color(Color::Unobserved)) > 0
                || colorsIn(image, chart.itemRect(1)).size() > 20);
        QCOMPARE(colored(image, chart.itemRect(1), m_theme->color(Color::Critical)), 0);
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

GPULEDGER_WINDOW_SUITE(TestCharts)

} // namespace tst_charts

#include "tst_charts.moc"
