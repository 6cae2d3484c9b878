// SPDX-License-Identifier: GPL-3.0-or-later
// What Qt Charts draws of a chart: where, in which colours and with which texts.
#include "tests/support/suite.h"
#include "tests/unit/widgets/chartsample.h"
#include "widgets/charts/linechart.h"
#include "widgets/charts/stackedbarchart.h"
#include "widgets/charts/waterfallchart.h"

#include <QDebug>
#include <QFontMetricsF>
#include <QTest>

#include <cmath>

namespace tst_plots {

using namespace gpuledger::widgets;
using namespace gpuledger::tests;

// Says where Qt Charts draws.
template <typename Base> class Probe : public Base {
public:
    using Base::Base;
    using Base::plottedAt;
};

class TestPlots : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QLocale::setDefault(QLocale::c());
        m_theme = std::make_unique<Theme>();
        m_theme->setMode(Theme::Mode::Light);
    }
    void cleanup() { m_theme.reset(); }

    void figuresOfAChartHaveOneUnit()
    {
        // A change of a hundredth is still visible beside a level of a million.
        const FigureScale million = figureScale(1'024'800, 8900);
        QCOMPARE(million.text(1'024'800), QStringLiteral("1024.8k"));
        QCOMPARE(million.text(8900), QStringLiteral("8.9k"));
        QCOMPARE(million.text(0), QStringLiteral("0"));
        QCOMPARE(million.text(20), QStringLiteral("~0"));
        const FigureScale thousands = figureScale(394'000, 38'000);
        QCOMPARE(thousands.text(394'000), QStringLiteral("394k"));
        QCOMPARE(thousands.text(-9000), QStringLiteral("9k"));
        const FigureScale small = figureScale(42.5, 3.25);
        QCOMPARE(small.text(42.5), QStringLiteral("42.5"));
        // Never more digits than fit above a bar.
        QCOMPARE(figureScale(352'000, 400).text(352'000), QStringLiteral("352.00k"));
        QCOMPARE(figureScale(0, 0).text(0), QStringLiteral("0"));
        QVERIFY(figureScale(1e300, 1).text(1e300).size() < 9);
    }

    void qtChartsDrawsWhereTheItemsAre_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("mirrored");
        for (const QSize size : {QSize(160, 90), QSize(601, 243), QSize(2560, 400)}) {
            for (const bool mirrored : {false, true})
                QTest::addRow("%d%s", size.width(), mirrored ? ", right to left" : "") << size << mirrored;
        }
    }
    void qtChartsDrawsWhereTheItemsAre()
    {
        QFETCH(QSize, size);
        QFETCH(bool, mirrored);
        const auto isNear = [](const QPointF &a, const QPointF &b) {
            const bool near = qAbs(a.x() - b.x()) <= 0.5 && qAbs(a.y() - b.y()) <= 0.51;
            if (!near)
                qWarning() << a << "is not" << b;
            return near;
        };
        Probe<StackedBarChart> stacked(*m_theme);
        stacked.setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
        stacked.resize(size);
        stacked.setData(bars());
        const double largest = stacked.axis().maximum;
        for (int bar = 0; bar < 2; ++bar) {
            const QRectF lowest = stacked.segmentRect(bar, 0);
            QVERIFY(isNear(stacked.plottedAt({double(bar), 0}), {lowest.center().x(), lowest.bottom()}));
            const double value = stacked.data().bars[static_cast<std::size_t>(bar)].values[0];
            QVERIFY(isNear(stacked.plottedAt({double(bar), value / largest}), {lowest.center().x(), lowest.top()}));
        }
        Probe<LineChart> line(*m_theme);
        line.setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
        line.resize(size);
        line.setData(lines());
        for (const int at : {0, 40, 95}) {
            const double value = line.data().series[0].values[static_cast<std::size_t>(at)];
            QVERIFY(isNear(line.plottedAt({at / 95.0, line.axis().share(value)}), line.pointAt(0, at)));
        }
        Probe<WaterfallChart> fall(*m_theme);
        fall.setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
        fall.resize(size);
        fall.setData(steps());
        const QRectF start = fall.barRect(0);
        QVERIFY(isNear(fall.plottedAt({mirrored ? 3.0 : 0.0, 352.0 / 361}), {start.center().x(), start.top()}));
    }

    void whatIsNotFinalIsPaleWithAnOutline_data() { looks(); }
    void whatIsNotFinalIsPaleWithAnOutline()
    {
        QFETCH(bool, dark);
        QFETCH(bool, mirrored);
        m_theme->setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
        StackedBars data = bars();
        data.bars[1].provisional = true;
        StackedBarChart chart(*m_theme);
        chart.setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
        chart.resize(600, 240);
        chart.setData(data);
        const QImage image = chart.picture(1);
        const QColor full = m_theme->color(Color::Active);
        const QRectF segment = chart.segmentRect(1, 0);
        QCOMPARE(image.pixelColor(chart.segmentRect(0, 0).center().toPoint()), full);
        const QColor pale = image.pixelColor(segment.center().toPoint());
        QVERIFY(pale != full);
        QVERIFY(contrastRatio(pale, full) > 1.3); // not only the outline differs
        QVERIFY(colored(image, segment, full) > segment.height()); // the outline
        // The legend has one entry more; the place of the legend is above the plot.
        const QRectF legend(0, 0, 600, chart.plotRect().top() - 8);
        data.provisionalText = QStringLiteral("a text that is much longer");
        chart.setData(data);
        QVERIFY(chart.picture(1).copy(legend.toRect()) != image.copy(legend.toRect()));
    }

    void namesAreNeverTakenForHtml()
    {
        const QString bold = QStringLiteral("<b>nnn</b>&amp;");
        StackedBars data = bars();
        data.budget = kNan;
        data.series[0].name = bold;
        data.bars[0].label = bold;
        StackedBarChart chart(*m_theme);
        chart.resize(600, 240);
        chart.setData(data);
        const QImage image = chart.picture(1);
        const QRectF legend(0, 0, 600, chart.plotRect().top() - 8);
        const QRectF labels(0, chart.plotRect().bottom() + 2, 160, 40);
        const QColor ground = m_theme->color(Color::Surface);
        const auto width = [&](const QRectF &area) { // of what is drawn
            int left = 600;
            int right = 0;
            for (int x = int(area.left()); x < int(area.right()); ++x) {
                if (colored(image, QRectF(x, area.top(), 1, area.height()), ground) < area.toAlignedRect().height()) {
                    left = std::min(left, x);
                    right = std::max(right, x);
                }
            }
            return right - left;
        };
        const qreal whole = QFontMetricsF(m_theme->font(TextSize::Caption)).horizontalAdvance(bold);
        QVERIFY(width(labels) > whole * 0.9);
        QVERIFY(width(legend) > whole);
        data.series[0].name = data.bars[0].label = kHostile;
        chart.setData(data);
        QVERIFY(!chart.picture(1).isNull());
    }

    void labelsNeverOverlap_data()
    {
        QTest::addColumn<int>("width");
        for (const int width : {120, 300, 700, 2560})
            QTest::addRow("%d", width) << width;
    }
    // Between two labels below the axis there is always a gap of several columns without ink.
    void labelsNeverOverlap()
    {
        QFETCH(int, width);
        StackedBars data = bars();
        data.bars.clear();
        for (int i = 0; i < 60; ++i)
            data.bars.push_back({QStringLiteral("88 September"), {}, {1, 2, 3}, QString::number(i)});
        StackedBarChart chart(*m_theme);
        chart.resize(width, 200);
        chart.setData(data);
        const QImage image = chart.picture(1);
        const int top = int(chart.plotRect().bottom()) + 3;
        const qreal one = QFontMetricsF(m_theme->font(TextSize::Caption)).horizontalAdvance(data.bars[0].label);
        int longest = 0;
        int run = 0;
        int blank = 0;
        bool any = false;
        for (int x = 0; x < width; ++x) {
            const bool inked = colored(image, QRectF(x, top, 1, 200 - top), m_theme->color(Color::Surface)) < 200 - top;
            blank = inked ? 0 : blank + 1;
            run = blank > 8 ? 0 : run + 1;
            longest = std::max(longest, run);
            any = any || inked;
        }
        QVERIFY(any);
        QVERIFY2(longest < one * 1.5, qPrintable(QString::number(longest)));
    }

    // Ten pixels for each character, in items of 64: sixty are left for a text.
    void labelsAreCutOnlyWhereTwoRowsAreTooFew_data()
    {
        QTest::addColumn<QString>("texts");
        QTest::addColumn<QString>("shown"); // | a line break, _ in the row below
        QTest::addColumn<int>("rows");
        QTest::newRow("short") << "Oct,price,mix,Nov"
                               << "Oct,price,mix,Nov" << 1;
        QTest::newRow("words") << "Oct,price,new teams,Nov"
                               << "Oct,price,new|teams,Nov" << 2;
        QTest::newRow("the shorter of two breaks") << "Oct,a of many,Nov"
                                                   << "Oct,a of|many,Nov" << 2;
        QTest::newRow("a long word") << "Oct,price,efficiency,mix,Nov"
                                     << "Oct,price,_efficiency,mix,Nov" << 2;
        QTest::newRow("two long words") << "Oct,efficiency,price,conversions,Nov"
                                        << "Oct,_efficiency,price,_conversions,Nov" << 2;
        QTest::newRow("words beside a long one") << "Oct,new teams,efficiency,mix,Nov"
                                                 << "Oct,_new teams,efficiency,_mix,Nov" << 2;
        QTest::newRow("long words side by side") << "Oct,efficiency,conversions,Nov"
                                                 << "Oct,_efficiency,conversions,_Nov" << 2;
        QTest::newRow("cut in any case") << "Oct,conversions and all,efficiency,Nov"
                                         << "Oct,_conversions ,efficiency,_Nov" << 2;
        QTest::newRow("at the edge") << "September,price,Nov"
                                     << "Septem,price,Nov" << 1;
        QTest::newRow("too long for its neighbours") << "Oct,price,efficiency-of-work,mix,Nov"
                                                     << "Oct,price,effici,mix,Nov" << 1;
    }
    void labelsAreCutOnlyWhereTwoRowsAreTooFew()
    {
        QFETCH(QString, texts);
        QFETCH(QString, shown);
        QFETCH(int, rows);
        const LabelRows found = labelRows(
            texts.split(QLatin1Char(',')), 64, [](const QString &text) { return 10.0 * double(text.size()); },
            [](const QString &text, double room) { return text.left(qsizetype(room / 10)); });
        QStringList all;
        for (const LabelRows::Label &label : found.labels)
            all << QString(label.text)
                       .replace(QLatin1Char('\n'), QLatin1Char('|'))
                       .prepend(QString(label.row, QLatin1Char('_')));
        QCOMPARE(all.join(QLatin1Char(',')), shown);
        QCOMPARE(found.rows, rows);
    }

    void theFirstLabelMayReachBelowTheAxis()
    {
        const auto first = [](double before) {
            return labelRows(
                       {QStringLiteral("September"), QStringLiteral("price"), QStringLiteral("Nov")}, 64,
                       [](const QString &text) { return 10.0 * double(text.size()); },
                       [](const QString &text, double room) { return text.left(qsizetype(room / 10)); }, before)
                .labels.front();
        };
        QCOMPARE(first(0).text, QStringLiteral("Septem"));
        QCOMPARE(first(12).text, QStringLiteral("Septem")); // a pixel too little
        QCOMPARE(first(13).text, QStringLiteral("September"));
        QCOMPARE(first(13).row, 1);
    }

    void everyNameOfABarIsShown()
    {
        StackedBars data;
        data.areNames = true;
        data.series = {{QStringLiteral("price"), Color::Accent, false}};
        for (int i = 0; i < 6; ++i)
            data.bars.push_back({QStringLiteral("provider-%1").arg(i), {}, {1.0 + i}, {}, false});
        StackedBarChart chart(*m_theme);
        chart.resize(300, 240);
        chart.setData(data);
        const QFontMetricsF metrics(m_theme->font(TextSize::Caption));
        QVERIFY(metrics.horizontalAdvance(data.bars[0].label) > chart.itemRect(0).width()); // else it tests nothing
        const QImage image = chart.picture(1);
        for (int i = 0; i < chart.itemCount(); ++i) {
            const QRectF item = chart.itemRect(i);
            const QRectF row(item.center().x() - 8, item.bottom() + 4 + (i % 2) * metrics.height(), 16,
                             metrics.height());
            const int ground = colored(image, row, m_theme->color(Color::Surface));
            QVERIFY2(ground < row.width() * row.height() * 0.95, qPrintable(data.bars[std::size_t(i)].label));
        }
    }

    void aLongLabelIsBelowItsNeighbours()
    {
        Waterfall data = steps();
        WaterfallChart chart(*m_theme);
        chart.resize(160, 240);
        chart.setData(data);
        const qreal before = chart.barRect(0).bottom();
        data.steps[1].label = QStringLiteral("efficiency");
        chart.setData(data);
        const qreal after = chart.barRect(0).bottom();
        const QFontMetricsF metrics(m_theme->font(TextSize::Caption));
        QVERIFY(metrics.horizontalAdvance(data.steps[1].label) > 48); // else the test is of nothing
        QCOMPARE(std::round(before - after), std::round(metrics.height()));
        const QRectF item = chart.itemRect(1);
        const QRectF beside(item.left() - 5, after + 4 + metrics.height(), 5, metrics.height());
        const int clear = colored(chart.picture(1), beside, m_theme->color(Color::Surface));
        data.steps[1].label = QStringLiteral("new mix"); // also of two rows, within its item
        chart.setData(data);
        QCOMPARE(chart.barRect(0).bottom(), after);
        QVERIFY(clear < colored(chart.picture(1), beside, m_theme->color(Color::Surface)));
    }

    void barsAcrossZeroHaveBothParts()
    {
        using Kind = Waterfall::Step::Kind;
        Waterfall data = steps();
        data.steps = {{QStringLiteral("a"), 100, Kind::Start, {}},
                      {QStringLiteral("b"), -150, Kind::Change, {}},
                      {QStringLiteral("c"), -30, Kind::Change, {}},
                      {QStringLiteral("d"), -80, Kind::End, {}}};
        WaterfallChart chart(*m_theme);
        chart.resize(500, 300);
        chart.setData(data);
        const QImage image = chart.picture(1);
        const qreal zero = chart.barRect(0).bottom();
        const QRectF across = chart.barRect(1);
        QVERIFY(across.top() < zero && across.bottom() > zero);
        const auto at = [&](const QRectF &bar, qreal y) { return image.pixelColor(int(bar.center().x()), int(y)); };
        QCOMPARE(at(across, zero - 10), m_theme->color(Color::Good));
        QCOMPARE(at(across, zero + 10), m_theme->color(Color::Good));
        QCOMPARE(at(chart.barRect(2), chart.barRect(2).center().y()), m_theme->color(Color::Good));
        const QRectF below = chart.barRect(2);
        QCOMPARE(image.pixelColor(int(below.left()) + 2, int(below.top()) - 4),
                 m_theme->color(Color::Surface)); // carrier
        QCOMPARE(at(chart.barRect(3), chart.barRect(3).center().y()), m_theme->color(Color::Accent));
    }

    void chartsFollowTheThemeOnTheScreen()
    {
        StackedBarChart chart(*m_theme);
        chart.resize(600, 240);
        chart.setData(bars());
        const QPoint place = chart.segmentRect(0, 0).center().toPoint();
        for (const Theme::Mode mode : {Theme::Mode::Light, Theme::Mode::Dark, Theme::Mode::Light}) {
            m_theme->setMode(mode);
            QCOMPARE(chart.grab().toImage().pixelColor(place), m_theme->color(Color::Active));
        }
        StackedBars other = bars();
        std::swap(other.series[0].color, other.series[1].color);
        chart.setData(other);
        QCOMPARE(chart.grab().toImage().pixelColor(place), m_theme->color(Color::Idle));
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

GPULEDGER_WINDOW_SUITE(TestPlots)

} // namespace tst_plots

#include "tst_plots.moc"
